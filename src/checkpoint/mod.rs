//! Checkpoints: a log's size and root, signed (C2SP tlog-checkpoint over signed-note).
//!
//! This module does not know what the links of a log say.
//!
//! Everything else in a log is hashes; this is the one statement that somebody stands behind. It
//! promises one history: two checkpoints of one origin, neither of which extends the other, convict
//! their signer. That promise is kept in `state.db`, where a checkpoint is compared and swapped
//! before anybody sees it.

mod keys;
mod note;

use std::fmt;

pub use keys::{KeyError, SigningKey, VerifierKey};
pub use note::{MAX_NOTE_BYTES, MAX_SIGNATURES, Note, NoteError, Signed, sign_note};

use crate::base64;
use crate::digest::Digest;
use crate::ids::Origin;
use crate::limits::NUMBERS_END;

/// What a checkpoint states.
/// Nothing about content or time is in it: those are in the links under the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// `<server origin>/<log name>`.
    /// Also the name of the key that signs it, and whose hash is the log id.
    pub origin: Origin,
    /// Number of links.
    pub size: u64,
    /// Root of the log tree.
    pub root: Digest,
}

/// A note that is no checkpoint of the log, or not its signer's.
/// For whoever needs a good one; a verifier uses `of_note` and `check`, which tell more.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// Not a signed note.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// The text is not origin, size and root.
    #[error("a checkpoint's text is its origin, its size and its root, a line each")]
    Text,
    /// No key was given whose name is the origin.
    #[error("no key of the name {0} was given")]
    UnknownKey(Origin),
    /// The signature by a key of that name lacks or does not hold.
    #[error("no signature by the given key of the name {0} holds")]
    Signature(Origin),
}

impl Checkpoint {
    /// Reads a checkpoint's text, without extension lines; nothing else.
    /// One text for one checkpoint: no leading zero, canonical base64, no line more.
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        let (origin, size, root) = (lines.next()?, lines.next()?, lines.next()?);
        let digits = size.bytes().all(|byte| byte.is_ascii_digit());
        // C2SP allows extension lines; this format has none, so that nothing unread is signed.
        if lines.next().is_some() || !digits || (size.starts_with('0') && size != "0") {
            return None;
        }
        Some(Self {
            origin: Origin::parse_log(origin).ok()?,
            size: size.parse().ok().filter(|size| *size < NUMBERS_END)?,
            root: Digest(base64::decode_array(root)?),
        })
    }

    /// The checkpoint as a note signed under its origin.
    ///
    /// It falls on the caller that no checkpoint signed before contradicts it.
    pub fn sign(&self, key: &SigningKey) -> String {
        // An origin is a key name, and the text ends in a newline.
        note::signed(&self.to_string(), self.origin.as_str(), key)
    }

    /// Reads a note as a checkpoint, whoever signed it.
    pub fn of_note(note: &Note) -> Result<Self, CheckpointError> {
        Self::parse(note.text()).ok_or(CheckpointError::Text)
    }

    /// Whether the note is signed by a given key whose name is the origin.
    ///
    /// A note that lacks a signature under the origin is bad if a key of that name was given:
    /// leaving it out must not be better than forging it.
    pub fn check<'k>(&self, note: &Note, keys: &'k [VerifierKey]) -> Signed<'k> {
        let named = || keys.iter().filter(|key| key.name() == self.origin.as_str());
        match note.check(named()) {
            Signed::UnknownKey if named().next().is_some() => Signed::Bad,
            signed => signed,
        }
    }

    /// Reads a note and takes its checkpoint if a given key of its origin's name signed it.
    pub fn open(note: &[u8], keys: &[VerifierKey]) -> Result<Self, CheckpointError> {
        let note = Note::parse(note)?;
        let checkpoint = Self::of_note(&note)?;
        match checkpoint.check(&note, keys) {
            Signed::By(_) => Ok(checkpoint),
            Signed::UnknownKey => Err(CheckpointError::UnknownKey(checkpoint.origin)),
            Signed::Bad => Err(CheckpointError::Signature(checkpoint.origin)),
        }
    }
}

/// The text that is signed.
impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let root = base64::encode(&self.root.0);
        write!(f, "{}\n{}\n{root}\n", self.origin, self.size)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample() -> (String, VerifierKey) {
        let key = SigningKey::from_seed(&[7; 32]);
        let origin = Origin::parse_log("log.example/orders");
        let origin = origin.unwrap_or_else(|_| unreachable!());
        let (size, root) = (3, Digest::ZERO);
        let verifier = key.verifier(origin.as_str());
        let note = Checkpoint { origin, size, root }.sign(&key);
        (note, verifier.unwrap_or_else(|| unreachable!()))
    }

    #[test]
    fn every_truncation_and_every_changed_byte_is_refused() {
        let (note, key) = sample();
        let keys = [key];
        assert!(Checkpoint::open(note.as_bytes(), &keys).is_ok());
        for end in 0..note.len() {
            assert!(Checkpoint::open(&note.as_bytes()[..end], &keys).is_err());
        }
        for at in 0..note.len() {
            let mut changed = note.clone().into_bytes();
            changed[at] ^= 1;
            assert!(Checkpoint::open(&changed, &keys).is_err(), "byte {at}");
        }
    }

    #[test]
    fn who_signed_is_told_apart() {
        let (note, key) = sample();
        let other = SigningKey::from_seed(&[8; 32]);
        let same_name = other.verifier(key.name());
        let other_name = other.verifier("log.example/other");
        let open = |keys: &[VerifierKey]| Checkpoint::open(note.as_bytes(), keys);
        assert!(matches!(open(&[]), Err(CheckpointError::UnknownKey(_))));
        let other_name: Vec<_> = other_name.into_iter().collect();
        assert!(matches!(
            open(&other_name),
            Err(CheckpointError::UnknownKey(_))
        ));
        let same_name: Vec<_> = same_name.into_iter().collect();
        assert!(matches!(
            open(&same_name),
            Err(CheckpointError::Signature(_))
        ));
        assert!(open(&[same_name, vec![key]].concat()).is_ok());
    }

    #[test]
    fn verifier_keys_have_one_form() {
        let (_, key) = sample();
        let text = key.to_string();
        assert_eq!(VerifierKey::parse(&text), Ok(key));
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1;
            let changed = String::from_utf8(changed).unwrap_or_default();
            assert!(VerifierKey::parse(&changed).is_err(), "{changed}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_read_is_written_the_same(text in "(a\\.b/c|[a/0+ ]{0,4})\n(0|[1-9][0-9]{0,17}|[0-9+-]{0,3})\n[A-Za-z0-9+/]{0,43}=\n?") {
            if let Some(checkpoint) = Checkpoint::parse(&text) {
                prop_assert_eq!(checkpoint.to_string(), text);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Note::parse(&bytes);
        }
    }
}
