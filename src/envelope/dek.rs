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
///
/// A nonce that comes twice under one key gives away both plaintexts' difference and the key of the
/// tags: it is the one thing that must not go wrong.
pub type Nonce = [u8; NONCE_BYTES];

/// A key that seals the payloads of one segment (or of one stored export).
///
/// It does not print, and is wiped when dropped. The caller gives a fresh random nonce to every
/// sealing.
pub struct Dek {
    /// For wrapping; sealing uses the cipher alone.
    bytes: Zeroizing<[u8; 32]>,
    /// The key schedule, made once.
    cipher: Aes256Gcm,
}

impl Dek {
    /// Takes 32 random bytes as a key.
    /// The bytes must be from the system's randomness, or unwrapped: there is no password here.
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
    /// Fails only for a buffer without the room, or longer than GCM can take (64 GiB).
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
    /// The tag is checked before anything is deciphered.
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
