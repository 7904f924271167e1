//! Data-encryption keys.

use aes_gcm::aead::{AeadInOut, KeyInit};
use aes_gcm::{Aes256Gcm, Key};
use zeroize::Zeroizing;

use super::Unauthentic;

/// Length of a nonce.
pub const NONCE_BYTES: usize = 12;
/// Length of an authentication tag.
pub const TAG_BYTES: usize = 16;
/// What sealing adds: the nonce before, the tag behind.
pub const OVERHEAD_BYTES: usize = NONCE_BYTES + TAG_BYTES;

/// A nonce: random, never used twice under one key.
pub type Nonce = [u8; NONCE_BYTES];

/// A key that seals the payloads of one segment (or of one stored export).
///
/// It does not print, and is wiped when dropped. The caller gives a fresh random nonce to every
/// sealing.
pub struct Dek {
    bytes: Zeroizing<[u8; 32]>,
    cipher: Aes256Gcm,
}

impl Dek {
    /// Takes 32 random bytes as a key.
    pub fn from_bytes(bytes: Zeroizing<[u8; 32]>) -> Self {
        let cipher = Aes256Gcm::new(&Key::<Aes256Gcm>::from(*bytes));
        Self { bytes, cipher }
    }

    /// The key, to be wrapped; the caller must not copy it elsewhere.
    pub fn expose(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// Seals `buffer` in place: 12 bytes of room, then the plaintext, become
    /// nonce ‖ ciphertext ‖ tag.
    pub fn seal(
        &self,
        nonce: &Nonce,
        additional: &[u8],
        buffer: &mut Vec<u8>,
    ) -> Result<(), Unauthentic> {
        let (room, plaintext) = buffer
            .split_at_mut_checked(NONCE_BYTES)
            .ok_or(Unauthentic)?;
        room.copy_from_slice(nonce);
        let tag = self
            .cipher
            .encrypt_inout_detached(&(*nonce).into(), additional, plaintext.into())
            .map_err(|_| Unauthentic)?;
        buffer.extend_from_slice(&tag);
        Ok(())
    }

    /// Opens nonce ‖ ciphertext ‖ tag; the plaintext, or nothing at all.
    pub fn open(&self, additional: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Unauthentic> {
        let (nonce, rest) = sealed
            .split_first_chunk::<NONCE_BYTES>()
            .ok_or(Unauthentic)?;
        let (ciphertext, tag) = rest.split_last_chunk::<TAG_BYTES>().ok_or(Unauthentic)?;
        let mut plaintext = ciphertext.to_vec();
        self.cipher
            .decrypt_inout_detached(
                &(*nonce).into(),
                additional,
                plaintext.as_mut_slice().into(),
                &(*tag).into(),
            )
            .map_err(|_| Unauthentic)?;
        Ok(plaintext)
    }
}
