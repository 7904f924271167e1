//! The verifiable random function of the subject index: C2SP vrf-r255
//! (ECVRF-RISTRETTO255-SHA512, RFC 9381 over ristretto255).
//!
//! This module does not know what a subject index is; it makes outputs, proofs and tags.
//!
//! What matters here is uniqueness: for a key and a subject there is one output and no other that
//! any proof shows, even for whoever holds the key. With a keyed hash instead, an export could show
//! the absence of a tag that is nobody's. And without the key nobody can compute an output, so a
//! tag is no test for a guessed subject.

use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::IsIdentity;
use sha2::{Digest as _, Sha512};
use subtle::ConstantTimeEq;
use zeroize::{ZeroizeOnDrop, Zeroizing};

use crate::digest::{Digest, first_16};
use crate::ids::{LogId, SegmentNumber, SubjectId};

/// Length of a proof: gamma (32) ‖ c (16) ‖ s (32).
pub const PROOF_BYTES: usize = 80;

/// A subject's name in one segment's index.
/// It cannot be linked with the subject's tag in another segment, nor with one in another log.
pub type Tag = [u8; 16];
/// The function's output.
///
/// The same for all segments of a log. Whoever has it knows the subject's tag in each of them; in a
/// bundle it can be made from the proof.
pub type Beta = [u8; 64];

/// The byte before the name keeps it apart from the one-byte suites of RFC 9381.
const SUITE: &[u8] = b"\xFFc2sp.org/vrf-r255";
// Domain separators: RFC 9381 §5.4.3 and §5.2; C2SP vrf-r255 for the last two.
const CHALLENGE: u8 = 0x02;
const OUTPUT: u8 = 0x03;
const NONCE: u8 = 0x81;
const ENCODE: u8 = 0x82;

/// What the function is asked: log id ‖ subject id.
///
/// Nothing between them is needed, since log ids have one length. With the log id in it, one
/// person's tags in two logs have nothing in common.
pub fn alpha(log_id: &LogId, subject: &SubjectId) -> Vec<u8> {
    [&log_id.0[..], subject.expose().as_bytes()].concat()
}

/// The tag in a segment of the subject with this output.
///
/// Half of a SHA-256: two subjects of a segment that share a tag are as good as never, and neither
/// could bring it about without the key.
pub fn tag(beta: &Beta, segment: SegmentNumber) -> Tag {
    first_16(&Digest::of(&[beta, &segment.to_be_bytes()]))
}

/// The secret key: a scalar, never zero. It does not print, and is wiped when dropped.
///
/// Whoever holds it can test guessed subjects against every tag of every log: keep it wrapped.
#[derive(ZeroizeOnDrop)]
pub struct IndexSecret {
    /// 1 … order − 1.
    scalar: Scalar,
    /// Made once: it goes into every call.
    #[zeroize(skip)]
    public: IndexPublic,
}

/// The public key, which close links carry. Never the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexPublic {
    /// What `bytes` decode to.
    point: RistrettoPoint,
    /// Kept beside the point, since every hash takes them and encoding is dear.
    bytes: [u8; 32],
}

impl IndexSecret {
    /// Reads a key; `None` if it is zero or not below the group's order.
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        Self::from_scalar(Option::from(Scalar::from_canonical_bytes(*bytes))?)
    }

    /// Makes a key of 64 random bytes; `None` if they reduce to zero, as good as never.
    /// Twice the length of a scalar, so that the reduction favours none.
    pub fn from_random(bytes: &[u8; 64]) -> Option<Self> {
        Self::from_scalar(Scalar::from_bytes_mod_order_wide(bytes))
    }

    /// Zero would give every subject the same output.
    fn from_scalar(scalar: Scalar) -> Option<Self> {
        if scalar == Scalar::ZERO {
            return None;
        }
        let point = RistrettoPoint::mul_base(&scalar);
        let bytes = point.compress().to_bytes();
        let public = IndexPublic { point, bytes };
        Some(Self { scalar, public })
    }

    /// The key, for wrapping and nothing else.
    /// It is wiped when dropped; copies of it are the caller's.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.scalar.to_bytes())
    }

    /// The public key.
    pub fn public(&self) -> IndexPublic {
        self.public
    }

    /// The output for alpha, given in parts, without a proof: the fast path of ingest.
    /// One multiplication, where a proof takes three: about 40 µs. In constant time as to the key.
    pub fn beta(&self, alpha: &[&[u8]]) -> Beta {
        let gamma = self.public.encode(alpha) * self.scalar;
        output(&gamma.compress())
    }

    /// The proof that [`beta`](Self::beta) is the output for alpha (RFC 9381 §5.1).
    ///
    /// It shows the output to anybody who reads it: a proof goes to the subject's own bundle and
    /// nowhere else.
    pub fn prove(&self, alpha: &[u8]) -> [u8; PROOF_BYTES] {
        let h = self.public.encode(&[alpha]);
        let h_bytes = h.compress();
        let gamma = (h * self.scalar).compress();
        let k = self.nonce(&h_bytes);
        // Schnorr's proof that gamma is to h as the public key is to the base point, made
        // non-interactive.
        let c = challenge(&[
            self.public.bytes,
            h_bytes.0,
            gamma.0,
            RistrettoPoint::mul_base(&k).compress().0,
            (h * *k).compress().0,
        ]);
        let s = *k + scalar_of(&c) * self.scalar;
        let mut proof = [0; PROOF_BYTES];
        proof[..32].copy_from_slice(&gamma.0);
        proof[32..48].copy_from_slice(&c);
        proof[48..].copy_from_slice(&s.to_bytes());
        proof
    }

    /// C2SP vrf-r255, "Nonce generation": deterministic.
    ///
    /// A nonce that came twice with two challenges would give the key away; one made of key and
    /// input cannot, and needs no source of randomness.
    fn nonce(&self, h: &CompressedRistretto) -> Zeroizing<Scalar> {
        let wide = Zeroizing::new(sha512(NONCE, &[&*self.to_bytes(), &h.0]));
        Zeroizing::new(Scalar::from_bytes_mod_order_wide(&wide))
    }
}

impl IndexPublic {
    /// Reads a key; `None` for what is no group element's encoding, or the identity's.
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        let point = CompressedRistretto(*bytes).decompress()?;
        let bytes = *bytes;
        (!point.is_identity()).then_some(Self { point, bytes })
    }

    /// The key as close links carry it.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.bytes
    }

    /// The output that the proof shows for alpha; `None` if the proof does not hold
    /// (RFC 9381 §5.3).
    ///
    /// The key was read by `from_bytes`, which refuses the identity: under it every subject would
    /// have the same output.
    pub fn verify(&self, alpha: &[u8], proof: &[u8; PROOF_BYTES]) -> Option<Beta> {
        let (gamma_bytes, rest) = proof.split_first_chunk::<32>()?;
        let (c_bytes, s_bytes) = rest.split_first_chunk::<16>()?;
        let gamma_bytes = CompressedRistretto(*gamma_bytes);
        let gamma = gamma_bytes.decompress()?;
        let c = scalar_of(c_bytes);
        // Below the order, or there would be a second spelling of the same proof.
        let s: Scalar = Option::from(Scalar::from_canonical_bytes(s_bytes.try_into().ok()?))?;
        let h = self.encode(&[alpha]);
        // Nothing here is secret; constant time costs a verifier nothing it would notice.
        let u = RistrettoPoint::mul_base(&s) - self.point * c;
        let v = h * s - gamma * c;
        let found = challenge(&[
            self.bytes,
            h.compress().0,
            gamma_bytes.0,
            u.compress().0,
            v.compress().0,
        ]);
        bool::from(found.ct_eq(c_bytes)).then(|| output(&gamma_bytes))
    }

    /// C2SP vrf-r255, "Encode to curve", salted with the public key.
    ///
    /// The key in it keeps the inputs of different keys apart. Two uniform halves are mapped and
    /// added, so that nobody knows the point's logarithm.
    fn encode(&self, alpha: &[&[u8]]) -> RistrettoPoint {
        let mut hasher = Sha512::new_with_prefix(SUITE);
        hasher.update([ENCODE]);
        hasher.update(self.bytes);
        alpha.iter().for_each(|part| hasher.update(part));
        RistrettoPoint::from_uniform_bytes(&hasher.finalize().into())
    }
}

/// RFC 9381 §5.4.3, over Y, H, Gamma, U, V.
/// 128 bits, as the suite has it: a proof is that much shorter.
fn challenge(points: &[[u8; 32]; 5]) -> [u8; 16] {
    let hash = sha512(CHALLENGE, &[points.as_flattened(), &[0]]);
    let mut half = [0; 16];
    half.copy_from_slice(&hash[..16]);
    half
}

/// RFC 9381 §5.2; the cofactor is 1.
/// Of gamma's encoding, which ristretto255 makes unique: one point, one output.
fn output(gamma: &CompressedRistretto) -> Beta {
    sha512(OUTPUT, &[&gamma.0, &[0]])
}

/// The byte keeps hashes for different ends apart.
fn sha512(domain: u8, parts: &[&[u8]]) -> [u8; 64] {
    let mut hasher = Sha512::new_with_prefix(SUITE);
    hasher.update([domain]);
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize().into()
}

/// Little-endian (C2SP vrf-r255); any 16 bytes are a scalar.
fn scalar_of(c: &[u8; 16]) -> Scalar {
    Scalar::from(u128::from_le_bytes(*c))
}
