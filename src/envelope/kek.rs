//! Key-encryption keys, and the file they come in.
//!
//! Who has the KEK can open everything; who loses it can open nothing. It is a file so that it can
//! lie on another device than the data, and be backed up apart from them: together they are as good
//! as no encryption.

use zeroize::{Zeroize, Zeroizing};

use super::Unauthentic;
use super::dek::{Dek, NONCE_BYTES, Nonce, TAG_BYTES};
use crate::base64;
use crate::codec::{Reader, Short};
use crate::ids::KekId;

/// Length of a wrapped key: the key and the tag.
pub const WRAPPED_BYTES: usize = 32 + TAG_BYTES;

/// A key-encryption key. It does not print, and is wiped when dropped.
pub struct Kek {
    /// Its random name, in the clear beside everything it wraps.
    /// Random, so that it says nothing of the key; it lets an error name the KEK that is wanted.
    pub id: KekId,
    /// The same cipher as a DEK's, under a key that seals nothing but keys.
    cipher: Dek,
}

/// A wrapped key, with what is needed to unwrap it.
/// No secret without its KEK: it may be backed up and printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wrapped {
    /// The KEK that wraps it.
    pub kek_id: KekId,
    /// The nonce of the wrapping.
    pub nonce: Nonce,
    /// Ciphertext and tag.
    pub bytes: [u8; WRAPPED_BYTES],
}

/// Length of a wrapped key with its KEK's id and its nonce.
pub const WRAPPED_FORM_BYTES: usize = 16 + NONCE_BYTES + WRAPPED_BYTES;

impl Wrapped {
    /// KEK id ‖ nonce ‖ wrapped key.
    pub fn encode(&self) -> Vec<u8> {
        [self.kek_id.0.as_slice(), &self.nonce, &self.bytes].concat()
    }

    /// Reads what [`encode`](Self::encode) writes.
    pub fn decode(bytes: &[u8; WRAPPED_FORM_BYTES]) -> Result<Self, Short> {
        let mut reader = Reader::new(bytes);
        Ok(Self {
            kek_id: KekId(reader.array()?),
            nonce: reader.array()?,
            bytes: reader.array()?,
        })
    }
}

/// A KEK file that is none, or a key that does not unwrap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KekError {
    /// The file's content.
    #[error("a KEK file holds 48 bytes as one line of base64; this one does not")]
    NotAKek,
    /// Another KEK wrapped it.
    /// Known from the id alone, before anything is tried.
    #[error("wrapped under the KEK {found}, but the KEK given is {expected}")]
    AnotherKek {
        /// The KEK at hand.
        expected: KekId,
        /// The KEK that the wrapped key names.
        found: KekId,
    },
    /// The wrapped bytes were changed.
    /// Or the context is another's: a wrapped key that was moved.
    #[error("the wrapped key does not open under its KEK: its bytes were changed")]
    Unauthentic,
}

impl Kek {
    /// Makes a KEK of random bytes.
    pub fn from_parts(id: KekId, key: Zeroizing<[u8; 32]>) -> Self {
        Self {
            id,
            cipher: Dek::from_bytes(key),
        }
    }

    /// Reads a KEK file: base64 of id (16) ‖ key (32).
    /// White space around it is allowed, since editors add a newline.
    pub fn from_text(text: &str) -> Result<Self, KekError> {
        let mut bytes: [u8; 48] =
            base64::decode_array(text.trim_ascii()).ok_or(KekError::NotAKek)?;
        let mut id = [0; 16];
        id.copy_from_slice(&bytes[..16]);
        let mut key = Zeroizing::new([0; 32]);
        key.copy_from_slice(&bytes[16..]);
        bytes.zeroize();
        Ok(Self::from_parts(KekId(id), key))
    }

    /// Writes a KEK file.
    /// To be written to a file of its owner's alone, and to nothing else.
    pub fn to_text(&self) -> Zeroizing<String> {
        let mut bytes = Zeroizing::new([0; 48]);
        bytes[..16].copy_from_slice(&self.id.0);
        bytes[16..].copy_from_slice(self.cipher.expose());
        // Each in memory of its own size: a text that grows leaves a copy behind.
        let digits = Zeroizing::new(base64::encode(bytes.as_slice()));
        Zeroizing::new([digits.as_str(), "\n"].concat())
    }

    /// Wraps a key for the place that `context` names; the nonce is random and new.
    ///
    /// `context` is what the key is for: a segment's header, or a fixed name. It is authenticated,
    /// not kept.
    pub fn wrap(
        &self,
        key: &[u8; 32],
        context: &[u8],
        nonce: Nonce,
    ) -> Result<Wrapped, Unauthentic> {
        // With room for the tag: a vector that grows would leave a copy of the key behind.
        let mut buffer = Vec::with_capacity(NONCE_BYTES + WRAPPED_BYTES);
        buffer.extend_from_slice(&[0; NONCE_BYTES]);
        buffer.extend_from_slice(key);
        self.cipher
            .seal(&nonce, &self.additional(context), &mut buffer)?;
        let bytes = buffer[NONCE_BYTES..].try_into().map_err(|_| Unauthentic)?;
        buffer.zeroize();
        Ok(Wrapped {
            kek_id: self.id,
            nonce,
            bytes,
        })
    }

    /// Unwraps a key that was wrapped for the place that `context` names.
    /// Errors say whether to look for another KEK or for a backup.
    pub fn unwrap(
        &self,
        wrapped: &Wrapped,
        context: &[u8],
    ) -> Result<Zeroizing<[u8; 32]>, KekError> {
        if wrapped.kek_id != self.id {
            return Err(KekError::AnotherKek {
                expected: self.id,
                found: wrapped.kek_id,
            });
        }
        let sealed = [wrapped.nonce.as_slice(), &wrapped.bytes].concat();
        let opened = self
            .cipher
            .open(&self.additional(context), &sealed)
            .map_err(|_| KekError::Unauthentic)?;
        let opened = Zeroizing::new(opened);
        let mut key = Zeroizing::new([0; 32]);
        key.copy_from_slice(opened.get(..32).ok_or(KekError::Unauthentic)?);
        Ok(key)
    }

    /// The id is in it, so that a wrapped key cannot be passed off as another KEK's.
    fn additional(&self, context: &[u8]) -> Vec<u8> {
        [context, &self.id.0].concat()
    }
}
