//! Envelope encryption: a KEK wraps DEKs, a DEK seals payloads; both with AES-256-GCM
//! (NIST SP 800-38D) under random 96-bit nonces.
//!
//! A DEK is new for every segment and seals far fewer than 2^32 payloads, the bound for random
//! nonces (SP 800-38D §8.3); a KEK wraps one DEK a segment.
//!
//! No key prints, and each is wiped when it is dropped. What is sealed is bound by its additional
//! data to what it belongs to: a ciphertext put elsewhere does not open. This module does not know
//! what it seals, and takes its nonces from whoever calls.

mod chunks;
mod dek;
mod kek;

pub use chunks::{CHUNK_BYTES, ChunkKey, ChunkReader, ChunkWriter};
pub use dek::{Dek, NONCE_BYTES, Nonce, OVERHEAD_BYTES, TAG_BYTES};
pub use kek::{Kek, KekError, WRAPPED_BYTES, WRAPPED_FORM_BYTES, Wrapped};

/// A ciphertext that was changed, or sealed under another key or for another place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the authentication tag does not fit: changed bytes, or another key")]
pub struct Unauthentic;
