"use strict";
// The verifier, part 1 of 3: hashes, signatures and the verifiable random function.
//
// Hundreds of thousands of small hashes are needed at once, which the browser's own, asynchronous
// SHA-256 is slow at: leaves and nodes are hashed here, whole files and signatures by the
// browser. It has none on a page that came over plain HTTP; then everything is computed here.
// Nothing in this file is secret, so nothing is constant in time.

/** What is to be said: the key of a message, and what is put into it. Words are the page's. */
const said = (key, args = {}) => ({ key, args });

/** A flaw in what is read, and the names that lead to it. */
class Flaw extends Error {
  path = [];
  constructor(key, args = {}) {
    super(key);
    this.args = args;
  }
  said() {
    const flaw = said(this.message, this.args);
    return this.path.length === 0 ? flaw : said("flaw-at", { path: this.path.join("."), flaw });
  }
}

/** A flaw in some bytes; whoever reads them says where they lie. */
class Bad extends Flaw {}

const SUBTLE = globalThis.crypto?.subtle;
const UTF8 = new TextEncoder();

const concat = (...parts) => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const hex = (bytes) => Array.from(bytes, (byte) => HEX[byte]).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));

/** Below 0, 0 or above it, as bytes are ordered. */
function compareBytes(a, b) {
  for (let at = 0; at < a.length && at < b.length; at++) if (a[at] !== b[at]) return a[at] - b[at];
  return a.length - b.length;
}
const equalBytes = (a, b) => compareBytes(a, b) === 0;

// ── SHA-2 (FIPS 180-4) ──────────────────────────────────────────────────────────────────

// Its constants are the first 64 bits behind the point of the roots of the first primes: computed,
// they need not be believed.
const PRIMES = [];
for (let n = 2; PRIMES.length < 80; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);

function rootBits(prime, degree) {
  const power = BigInt(prime) << BigInt(64 * degree);
  let root = 0n;
  for (let bit = 1n << 70n; bit; bit >>= 1n) if ((root + bit) ** BigInt(degree) <= power) root += bit;
  return BigInt.asUintN(64, root);
}
const ROUNDS_512 = PRIMES.map((prime) => rootBits(prime, 3));
const START_512 = PRIMES.slice(0, 8).map((prime) => rootBits(prime, 2));
const upperHalf = (bits) => Number(bits >> 32n);
const ROUNDS_256 = Int32Array.from(ROUNDS_512.slice(0, 64), upperHalf);
const START_256 = Int32Array.from(START_512, upperHalf);

/** SHA-256 over bytes that come in pieces. */
class Sha256 {
  #state = START_256.slice();
  #block = new Uint8Array(64);
  #words = new Int32Array(64);
  #filled = 0;
  #length = 0;

  update(bytes) {
    this.#length += bytes.length;
    let at = 0;
    if (this.#filled) {
      at = Math.min(64 - this.#filled, bytes.length);
      for (let i = 0; i < at; i++) this.#block[this.#filled + i] = bytes[i];
      this.#filled += at;
      if (this.#filled < 64) return this;
      this.#compress(this.#block, 0);
      this.#filled = 0;
    }
    for (; at + 64 <= bytes.length; at += 64) this.#compress(bytes, at);
    while (at < bytes.length) this.#block[this.#filled++] = bytes[at++];
    return this;
  }

  /** The hash; the next bytes begin another. */
  finish() {
    const block = this.#block;
    const bits = this.#length * 8;
    block[this.#filled++] = 0x80;
    if (this.#filled > 56) {
      block.fill(0, this.#filled);
      this.#compress(block, 0);
      this.#filled = 0;
    }
    block.fill(0, this.#filled);
    const view = new DataView(block.buffer);
    view.setUint32(56, Math.floor(bits / 2 ** 32));
    view.setUint32(60, bits >>> 0);
    this.#compress(block, 0);
    const hash = new Uint8Array(32);
    const out = new DataView(hash.buffer);
    this.#state.forEach((word, at) => out.setInt32(4 * at, word));
    this.#state.set(START_256);
    this.#filled = this.#length = 0;
    return hash;
  }

  #compress(bytes, from) {
    const w = this.#words;
    for (let t = 0, at = from; t < 16; t++, at += 4) {
      w[t] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    }
    for (let t = 16; t < 64; t++) {
      const x = w[t - 15];
      const y = w[t - 2];
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[t] = (w[t - 16] + s0 + w[t - 7] + s1) | 0;
    }
    const state = this.#state;
    let a = state[0];
    let b = state[1];
    let c = state[2];
    let d = state[3];
    let e = state[4];
    let f = state[5];
    let g = state[6];
    let h = state[7];
    for (let t = 0; t < 64; t++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS_256[t] + w[t]) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
}

const HASHER = new Sha256();
const H = (...parts) => {
  for (const part of parts) HASHER.update(part);
  return HASHER.finish();
};
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const leafHash = (...parts) => H(LEAF, ...parts);
const nodeHash = (left, right) => H(NODE, left, right);

/** The hash of a whole file, by the browser if it can. */
async function fileHash(bytes) {
  return SUBTLE ? new Uint8Array(await SUBTLE.digest("SHA-256", bytes)) : H(bytes);
}

function sha512(...parts) {
  const data = concat(...parts);
  const padded = new Uint8Array(Math.ceil((data.length + 17) / 128) * 128);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(data.length) * 8n);
  const word = (n) => BigInt.asUintN(64, n);
  const turn = (n, by) => (n >> by) | word(n << (64n - by));
  const state = [...START_512];
  for (let from = 0; from < padded.length; from += 128) {
    const w = Array.from({ length: 16 }, (_, t) => view.getBigUint64(from + 8 * t));
    for (let t = 16; t < 80; t++) {
      const [x, y] = [w[t - 15], w[t - 2]];
      const s0 = turn(x, 1n) ^ turn(x, 8n) ^ (x >> 7n);
      const s1 = turn(y, 19n) ^ turn(y, 61n) ^ (y >> 6n);
      w.push(word(w[t - 16] + s0 + w[t - 7] + s1));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 80; t++) {
      const s1 = turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n);
      const one = h + s1 + ((e & f) ^ (word(~e) & g)) + ROUNDS_512[t] + w[t];
      const s0 = turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n);
      const two = s0 + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, word(d + one), c, b, a, word(one + two)];
    }
    [a, b, c, d, e, f, g, h].forEach((value, at) => (state[at] = word(state[at] + value)));
  }
  const hash = new Uint8Array(64);
  const out = new DataView(hash.buffer);
  state.forEach((value, at) => out.setBigUint64(8 * at, value));
  return hash;
}

// ── The curve of Ed25519 (RFC 8032) and ristretto255 (RFC 9496) ─────────────────────────

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (n) => ((n % P) + P) % P;
const isOdd = (n) => (n & 1n) === 1n;

function power(base, exponent) {
  let result = 1n;
  for (let square = mod(base); exponent; exponent >>= 1n) {
    if (isOdd(exponent)) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const SQRT_M1 = power(2n, (P - 1n) / 4n);
const SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235n;
const INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578n;

/** A number's bytes, the lowest first. */
const fromBytes = (bytes) => BigInt(`0x${hex(Uint8Array.from(bytes).reverse())}`);
const toBytes = (n) => unhex(n.toString(16).padStart(64, "0")).reverse();
const absolute = (n) => (isOdd(n) ? P - n : n);

/** Whether u/v is a square, and its even root or that of SQRT_M1·u/v. */
function sqrtRatio(u, v) {
  const root = mod(u * v ** 3n * power(u * v ** 7n, (P - 5n) / 8n));
  const check = mod(v * root * root);
  const flipped = check === mod(-u);
  const turned = check === mod(-u * SQRT_M1);
  const right = flipped || turned ? mod(root * SQRT_M1) : root;
  return { isSquare: check === mod(u) || flipped, root: absolute(right) };
}

/** Addition in extended coordinates, a = −1. */
function add(p, q) {
  const a = (p[1] - p[0]) * (q[1] - q[0]);
  const b = (p[1] + p[0]) * (q[1] + q[0]);
  const c = 2n * p[3] * q[3] * D;
  const d = 2n * p[2] * q[2];
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function multiply(scalar, point) {
  let result = [0n, 1n, 1n, 0n];
  for (const bit of scalar.toString(2)) {
    result = add(result, result);
    if (bit === "1") result = add(result, point);
  }
  return result;
}

const negate = ([x, y, z, t]) => [mod(-x), y, z, mod(-t)];
const isSmall = (point) => multiply(8n, point)[0] === 0n;
const samePoint = (p, q) => mod(p[0] * q[2] - q[0] * p[2]) === 0n && mod(p[1] * q[2] - q[1] * p[2]) === 0n;

/** A point of Ed25519; null if the bytes are none. */
function decodeEdwards(bytes) {
  const whole = fromBytes(bytes);
  const y = BigInt.asUintN(255, whole);
  const { isSquare, root } = sqrtRatio(mod(y * y - 1n), mod(D * y * y + 1n));
  const sign = whole >> 255n === 1n;
  if (y >= P || !isSquare || (root === 0n && sign)) return null;
  const x = sign ? P - root : root;
  return [x, y, 1n, mod(x * y)];
}

const BASE = decodeEdwards(toBytes(mod(4n * power(5n, P - 2n))));

/** Whether the key signed the message. Strict, as the product is: no key and no signature of
 * small order. */
async function signed(publicKey, message, signature) {
  if (signature.length !== 64) return false;
  const [key, r] = [decodeEdwards(publicKey), decodeEdwards(signature.subarray(0, 32))];
  const s = fromBytes(signature.subarray(32));
  if (!key || !r || s >= ORDER || isSmall(key) || isSmall(r)) return false;
  try {
    const imported = await SUBTLE.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
    return await SUBTLE.verify("Ed25519", imported, signature, message);
  } catch {
    // This browser does not know Ed25519, or has no cryptography here.
  }
  return signedByArithmetic(key, r, s, sha512(signature.subarray(0, 32), publicKey, message));
}

const signedByArithmetic = (key, r, s, hash) =>
  samePoint(multiply(s, BASE), add(r, multiply(fromBytes(hash) % ORDER, key)));

function decodeRistretto(bytes) {
  const s = fromBytes(bytes);
  const u1 = mod(1n - s * s);
  const u2 = mod(1n + s * s);
  const v = mod(-D * u1 * u1 - u2 * u2);
  const { isSquare, root } = sqrtRatio(1n, mod(v * u2 * u2));
  const x = absolute(mod(2n * s * root * u2));
  const y = mod(u1 * root * root * u2 * v);
  const t = mod(x * y);
  if (s >= P || isOdd(s) || !isSquare || isOdd(t) || y === 0n) throw new Bad("flaw-point");
  return [x, y, 1n, t];
}

function encodeRistretto([x0, y0, z, t]) {
  const u1 = mod((z + y0) * (z - y0));
  const u2 = mod(x0 * y0);
  const { root } = sqrtRatio(1n, mod(u1 * u2 * u2));
  const d1 = mod(root * u1);
  const d2 = mod(root * u2);
  const inverse = mod(d1 * d2 * t);
  const turns = isOdd(mod(t * inverse));
  const x = turns ? mod(y0 * SQRT_M1) : x0;
  const y = turns ? mod(x0 * SQRT_M1) : y0;
  const last = turns ? mod(d1 * INVSQRT_A_MINUS_D) : d2;
  const right = isOdd(mod(x * inverse)) ? -y : y;
  return toBytes(absolute(mod(last * (z - right))));
}

function mapToPoint(half) {
  const t = mod(BigInt.asUintN(255, fromBytes(half)));
  const r = mod(SQRT_M1 * t * t);
  const u = mod((r + 1n) * (1n - D * D));
  const v = mod((-1n - r * D) * (r + D));
  const { isSquare, root } = sqrtRatio(u, v);
  const s = isSquare ? root : mod(-absolute(mod(root * t)));
  const c = isSquare ? -1n : r;
  const n = mod(c * (r - 1n) * (D - 1n) ** 2n - v);
  const [w0, w1, w2, w3] = [2n * s * v, n * SQRT_AD_MINUS_ONE, 1n - s * s, 1n + s * s];
  return [mod(w0 * w3), mod(w2 * w1), mod(w1 * w3), mod(w0 * w2)];
}

// ── The verifiable random function (C2SP vrf-r255) ──────────────────────────────────────

const SUITE = concat(Uint8Array.of(0xff), UTF8.encode("c2sp.org/vrf-r255"));
const vrfHash = (kind, ...parts) => sha512(SUITE, Uint8Array.of(kind), ...parts);

/** The 64 bytes of `alpha` under `key`, if `proof` shows that they are. */
function vrfOutput(key, alpha, proof) {
  const y = decodeRistretto(key);
  const gamma = decodeRistretto(proof.subarray(0, 32));
  const c = fromBytes(proof.subarray(32, 48));
  const s = fromBytes(proof.subarray(48, 80));
  if (proof.length !== 80 || s >= ORDER || key.every((byte) => byte === 0)) throw new Bad("flaw-vrf-form");
  const uniform = vrfHash(0x82, key, alpha);
  const h = add(mapToPoint(uniform.subarray(0, 32)), mapToPoint(uniform.subarray(32)));
  const u = add(multiply(s, BASE), negate(multiply(c, y)));
  const v = add(multiply(s, h), negate(multiply(c, gamma)));
  const challenge = vrfHash(2, key, ...[h, gamma, u, v].map(encodeRistretto), LEAF);
  if (!equalBytes(challenge.subarray(0, 16), proof.subarray(32, 48))) throw new Bad("flaw-vrf");
  return vrfHash(3, proof.subarray(0, 32), LEAF);
}
