//! SHA-256 and the three ways this product uses it (RFC 6962 §2.1).

pub mod two;

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::ids::{LogId, Origin};

/// A SHA-256 hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

/// A 16-byte salt that keeps a leaf hash from being a test for guessed content.
pub type Salt = [u8; 16];

impl Digest {
    /// All zeros: what link 0 has for its predecessor.
    pub const ZERO: Self = Self([0; 32]);

    /// `H(parts, concatenated)`.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        parts.iter().for_each(|part| hasher.update(part));
        Self(hasher.finalize().into())
    }

    /// `leaf(x) = H(0x00 ‖ x)`, of `x` in parts.
    pub fn leaf(parts: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        hasher.update([0]);
        parts.iter().for_each(|part| hasher.update(part));
        Self(hasher.finalize().into())
    }

    /// `node(l, r) = H(0x01 ‖ l ‖ r)`.
    pub fn node(left: &Self, right: &Self) -> Self {
        let mut block = [1; 65];
        block[1..33].copy_from_slice(&left.0);
        block[33..].copy_from_slice(&right.0);
        Self(Sha256::digest(block).into())
    }
}

impl AsRef<[u8]> for Digest {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl TryFrom<Vec<u8>> for Digest {
    type Error = Vec<u8>;

    fn try_from(bytes: Vec<u8>) -> Result<Self, Vec<u8>> {
        bytes.try_into().map(Self)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 64];
        hex::encode_to_slice(self.0, &mut text).map_err(|_| fmt::Error)?;
        f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// SHA-256 over bytes that come in pieces.
#[derive(Default, Clone)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all bytes taken.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

/// The log id of an origin: the first 16 bytes of its hash.
pub fn log_id(origin: &Origin) -> LogId {
    LogId(first_16(&Digest::of(&[origin.as_str().as_bytes()])))
}

/// The salt at `position` under a batch's (or an index's) `seed`.
pub fn salt(seed: &[u8; 32], position: u32) -> Salt {
    first_16(&Digest::of(&[SALT_LABEL, seed, &position.to_be_bytes()]))
}

const SALT_LABEL: &[u8; 15] = b"estreat/salt/v1";

/// The first half of a hash.
pub fn first_16(digest: &Digest) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&digest.0[..16]);
    half
}
