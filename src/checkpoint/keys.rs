//! Keys that sign notes, and how people write and compare them.

use std::fmt;

use ed25519_dalek::{Signature, Signer as _, VerifyingKey};
use zeroize::Zeroizing;

use crate::base64;
use crate::digest::Digest;

/// Signature type of Ed25519 (C2SP signed-note, "Signature types").
const ED25519: u8 = 0x01;
/// Longest verifier key that is read, as text: a name of 319 bytes and 54 more fit twice.
/// Somebody else's text, perhaps: bundles carry keys too.
const MAX_VERIFIER_KEY_BYTES: usize = 1024;

/// The server's Ed25519 key. One key signs under many names: each log's origin, the server's.
///
/// It does not print, and is wiped when dropped. Whoever holds it can make other histories:
/// keep it wrapped, and sign no two checkpoints of a log that contradict each other.
pub struct SigningKey(ed25519_dalek::SigningKey);

impl SigningKey {
    /// The key of a seed of 32 random bytes (RFC 8032 §5.1.5).
    /// One seed, one key: what is wrapped is the seed.
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(seed))
    }

    /// The seed, for wrapping and nothing else.
    pub fn seed(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.0.to_bytes())
    }

    /// The public half under a name; `None` if notes cannot carry that name.
    ///
    /// Each log's key has the same bytes and its own name, so that a signature for one log does not
    /// count for another.
    pub fn verifier(&self, name: &str) -> Option<VerifierKey> {
        VerifierKey::new(name, self.0.verifying_key())
    }

    pub(super) fn sign(&self, text: &str) -> [u8; 64] {
        self.0.sign(text.as_bytes()).to_bytes()
    }

    pub(super) fn key_id(&self, name: &str) -> [u8; 4] {
        key_id(name, self.0.verifying_key().as_bytes())
    }
}

/// A public key under a name, written `name+hash+base64` (C2SP signed-note).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    /// What the reader trusts this key for.
    name: String,
    /// By name and key, so that a signature line names both. Four bytes are a hint, not a proof.
    id: [u8; 4],
    key: VerifyingKey,
}

/// Text that is no verifier key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not `name+hash+base64`, the hash being 8 lower-case hexadecimal digits.
    #[error("not a verifier key: expected name+hash+base64")]
    Form,
    /// Not an Ed25519 public key.
    #[error("not an Ed25519 key")]
    Algorithm,
    /// The hash belongs to another name or key: something was mistyped.
    /// Four bytes of a hash over both, as in every signature line.
    #[error("the key's hash does not fit its name and bytes")]
    Hash,
}

impl VerifierKey {
    fn new(name: &str, key: VerifyingKey) -> Option<Self> {
        is_key_name(name).then(|| Self {
            name: name.to_owned(),
            id: key_id(name, key.as_bytes()),
            key,
        })
    }

    /// Reads `name+hash+base64`.
    /// A base64 part may have plus signs; a name and a hash do not, so the first two signs divide.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        if text.len() > MAX_VERIFIER_KEY_BYTES {
            return Err(KeyError::Form);
        }
        let (name, rest) = text.split_once('+').ok_or(KeyError::Form)?;
        let (hash, encoded) = rest.split_once('+').ok_or(KeyError::Form)?;
        let [algorithm, bytes @ ..] =
            base64::decode_array::<33>(encoded).ok_or(KeyError::Algorithm)?;
        if algorithm != ED25519 {
            return Err(KeyError::Algorithm);
        }
        let key = VerifyingKey::from_bytes(&bytes).map_err(|_| KeyError::Algorithm)?;
        let key = Self::new(name, key).ok_or(KeyError::Form)?;
        if hex::encode(key.id) == hash {
            Ok(key)
        } else {
            Err(KeyError::Hash)
        }
    }

    /// The name it signs under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The short hash that signature lines carry.
    pub fn id(&self) -> [u8; 4] {
        self.id
    }

    /// SHA-256 of the key's 32 bytes in groups of four digits: for two people to compare
    /// over the telephone. It is the same for all names of a key.
    /// Whole, not shortened: a shorter one could be met by trying keys.
    pub fn fingerprint(&self) -> String {
        let hex = Digest::of(&[self.key.as_bytes()]).to_string();
        let groups: Vec<&str> = (0..hex.len())
            .step_by(4)
            .map(|at| &hex[at..at + 4])
            .collect();
        groups.join(" ")
    }

    /// Whether it signed the text. Strict: no key and no signature of small order.
    /// With a key of small order, one signature would hold for many texts.
    pub(super) fn verifies(&self, text: &str, signature: &[u8]) -> bool {
        Signature::from_slice(signature)
            .is_ok_and(|signature| self.key.verify_strict(text.as_bytes(), &signature).is_ok())
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = [ED25519; 33];
        bytes[1..].copy_from_slice(self.key.as_bytes());
        let encoded = base64::encode(&bytes);
        write!(f, "{}+{}+{encoded}", self.name, hex::encode(self.id))
    }
}

/// Whether notes can carry the name: not empty, no white space, no plus sign, no control.
pub(super) fn is_key_name(name: &str) -> bool {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && c != '+';
    !name.is_empty() && name.chars().all(plain)
}

/// `SHA-256(name ‖ 0x0A ‖ type ‖ key)[:4]` (C2SP signed-note, "Ed25519 signatures").
fn key_id(name: &str, key: &[u8; 32]) -> [u8; 4] {
    let hash = Digest::of(&[name.as_bytes(), b"\n", &[ED25519], key]).0;
    [hash[0], hash[1], hash[2], hash[3]]
}
