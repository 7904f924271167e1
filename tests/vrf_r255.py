"""The verifiable random function vrf-r255, its checking side: RFC 9381 over ristretto255.

ristretto255 is RFC 9496, the suite is C2SP vrf-r255. Plain integers, so slow and not constant
in time: fit to check proofs, in which nothing is secret, and for nothing else.
"""
import hashlib


class Bad(Exception):
    """A flaw in some bytes; whoever reads them says where they lie."""


P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578
assert pow(SQRT_AD_MINUS_ONE, 2, P) == (-D - 1) % P
assert pow(INVSQRT_A_MINUS_D, 2, P) * (-1 - D) % P == 1

def absolute(x):
    return P - x if x & 1 else x

def sqrt_ratio(u, v):
    """(whether u/v is a square, its non-negative root or that of SQRT_M1·u/v)."""
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    square, flipped, flipped_i = (check == x % P for x in (u, -u, -u * SQRT_M1))
    return square or flipped, absolute(r * SQRT_M1 % P if flipped or flipped_i else r)

def decode_point(data):
    s = int.from_bytes(data, "little")
    if s >= P or s & 1:
        raise Bad("not a ristretto255 element")
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, root = sqrt_ratio(1, v * u2 * u2 % P)
    x = absolute(2 * s * root * u2 % P)
    y = u1 * root * root * u2 * v % P
    if not square or x * y % P & 1 or y == 0:
        raise Bad("not a ristretto255 element")
    return x, y, 1, x * y % P

def encode_point(point):
    x, y, z, t = point
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    _, root = sqrt_ratio(1, u1 * u2 * u2 % P)
    d1, d2 = root * u1 % P, root * u2 % P
    z_inverse = d1 * d2 * t % P
    if t * z_inverse % P & 1:
        x, y, d2 = y * SQRT_M1 % P, x * SQRT_M1 % P, d1 * INVSQRT_A_MINUS_D % P
    if x * z_inverse % P & 1:
        y = -y % P
    return absolute(d2 * (z - y) % P).to_bytes(32, "little")

def add(p, q):
    """Addition in extended coordinates on the twisted Edwards curve with a = -1."""
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P

IDENTITY = (0, 1, 1, 0)

def multiply(scalar, point):
    result = IDENTITY
    for bit in bin(scalar)[2:]:
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result

def subtract(p, q):
    return add(p, (-q[0] % P, q[1], q[2], -q[3] % P))

def map_to_point(half):
    t = int.from_bytes(half, "little") % 2**255 % P
    r = SQRT_M1 * t * t % P
    u = (r + 1) * (1 - D * D) % P
    v = (-1 - r * D) * (r + D) % P
    square, s = sqrt_ratio(u, v)
    c = -1
    if not square:
        s, c = -absolute(s * t % P) % P, r
    n = (c * (r - 1) * (D - 1) ** 2 - v) % P
    w0, w1, w2, w3 = 2 * s * v, n * SQRT_AD_MINUS_ONE, 1 - s * s, 1 + s * s
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P

BASE = decode_point(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))

def vrf_hash(kind, *parts):
    return hashlib.sha512(b"\xffc2sp.org/vrf-r255" + bytes([kind]) + b"".join(parts)).digest()

def vrf_output(key, alpha, proof):
    """The VRF's 64 bytes, if `proof` shows that they are those of `alpha` under `key`."""
    y, gamma = decode_point(key), decode_point(proof[:32])
    c, s = (int.from_bytes(part, "little") for part in (proof[32:48], proof[48:80]))
    if s >= ORDER or key == bytes(32):
        raise Bad("not a proof")
    uniform = vrf_hash(0x82, key, alpha)
    h = add(map_to_point(uniform[:32]), map_to_point(uniform[32:]))
    u = subtract(multiply(s, BASE), multiply(c, y))
    v = subtract(multiply(s, h), multiply(c, gamma))
    if vrf_hash(2, key, *map(encode_point, (h, gamma, u, v)), b"\0")[:16] != proof[32:48]:
        raise Bad("the proof does not hold")
    return vrf_hash(3, proof[:32], b"\0")
