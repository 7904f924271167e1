//! C2SP signed-note: text, and who signed it.
//!
//! A note may be signed by anybody; only signatures under a name whose key was given count. But
//! where a key was given, one bad signature by it spoils the note: somebody has tampered with it.

use super::keys::{SigningKey, VerifierKey, is_key_name};
use crate::base64;

/// Longest note that is read. A note must hold 16 signatures, of nearly 5 kB each where they
/// are post-quantum, in base64.
pub const MAX_NOTE_BYTES: usize = 128 << 10;
/// Most signature lines of a note.
pub const MAX_SIGNATURES: usize = 64;

/// An em dash and a space, which open every signature line.
const DASH: &str = "— ";

/// A signed note, read but not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<Line>,
}

/// Not checked yet; of any algorithm, so of any length.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    name: String,
    id: [u8; 4],
    signature: Vec<u8>,
}

/// Bytes that are no signed note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// Longer than [`MAX_NOTE_BYTES`], or more than [`MAX_SIGNATURES`].
    #[error("a signed note is at most {MAX_NOTE_BYTES} bytes with {MAX_SIGNATURES} signatures")]
    TooLong,
    /// Not UTF-8, or a control character in it.
    #[error("a signed note is UTF-8 without control characters")]
    Characters,
    /// No text, or no empty line and signatures behind it.
    #[error("a signed note is text, an empty line, and signature lines")]
    Form,
    /// A signature line that is none.
    #[error("signature line {0} is not \"— name base64\"")]
    SignatureLine(usize),
}

/// What the given keys say of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signed<'k> {
    /// Signed by this key, and no signature by a given key is bad.
    /// The first of the keys given, if several signed.
    By(&'k VerifierKey),
    /// No given key has a name under which the note is signed.
    /// Nothing is known of it: neither good nor bad.
    UnknownKey,
    /// A key of a name that signs was given, and its signature lacks or does not hold.
    /// Also a signature line with the key's name and another's id.
    Bad,
}

impl Note {
    /// Reads a note.
    ///
    /// The last empty line divides, so that a text may have empty lines; each line behind it must
    /// be a signature, or the note is none.
    pub fn parse(bytes: &[u8]) -> Result<Self, NoteError> {
        if bytes.len() > MAX_NOTE_BYTES {
            return Err(NoteError::TooLong);
        }
        let note = std::str::from_utf8(bytes).map_err(|_| NoteError::Characters)?;
        if note.bytes().any(|byte| byte < b' ' && byte != b'\n') {
            return Err(NoteError::Characters);
        }
        let end = note.rfind("\n\n").ok_or(NoteError::Form)?;
        let (text, lines) = (&note[..end + 1], &note[end + 2..]);
        let lines = lines.strip_suffix('\n').ok_or(NoteError::Form)?;
        if lines.split('\n').count() > MAX_SIGNATURES {
            return Err(NoteError::TooLong);
        }
        let line = |(at, line)| Line::parse(line).ok_or(NoteError::SignatureLine(at));
        let signatures = lines.split('\n').enumerate().map(line);
        Ok(Self {
            text: text.to_owned(),
            signatures: signatures.collect::<Result<_, _>>()?,
        })
    }

    /// The text, with its last newline.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Names and key ids of the signatures, in their order.
    pub fn signers(&self) -> impl Iterator<Item = (&str, [u8; 4])> {
        self.signatures.iter().map(|line| (&*line.name, line.id))
    }

    /// Checks every signature by a given key; those by others count for nothing.
    /// The keys' order decides only which of several good ones is named.
    pub fn check<'k>(&self, keys: impl IntoIterator<Item = &'k VerifierKey>) -> Signed<'k> {
        let mut signed = Signed::UnknownKey;
        for key in keys {
            let of_name = || {
                self.signatures
                    .iter()
                    .filter(|line| line.name == key.name())
            };
            let mut by_key = of_name().filter(|line| line.id == key.id()).peekable();
            if by_key.peek().is_some() {
                if !by_key.all(|line| key.verifies(&self.text, &line.signature)) {
                    return Signed::Bad;
                }
                signed = match signed {
                    Signed::By(first) => Signed::By(first),
                    _ => Signed::By(key),
                };
            // Two keys of one name, the old and the new, may both be given: one that signed is
            // enough.
            } else if of_name().next().is_some() && signed == Signed::UnknownKey {
                signed = Signed::Bad;
            }
        }
        signed
    }
}

impl Line {
    fn parse(line: &str) -> Option<Self> {
        let (name, encoded) = line.strip_prefix(DASH)?.split_once(' ')?;
        let bytes = base64::decode(encoded)?;
        let (id, signature) = bytes.split_first_chunk::<4>()?;
        (is_key_name(name) && !signature.is_empty()).then(|| Self {
            name: name.to_owned(),
            id: *id,
            signature: signature.to_owned(),
        })
    }
}

/// The text as a note signed under a name; `None` if it is no note's text (it ends in a
/// newline and has no other control character) or the name no key's.
/// For texts that are not made here, such as a manifest's.
pub fn sign_note(text: &str, name: &str, key: &SigningKey) -> Option<String> {
    let plain = !text.bytes().any(|byte| byte < b' ' && byte != b'\n');
    if !text.ends_with('\n') || !plain || !is_key_name(name) {
        return None;
    }
    Some(signed(text, name, key))
}

/// As [`sign_note`], for a text and a name that are known to fit.
pub(super) fn signed(text: &str, name: &str, key: &SigningKey) -> String {
    let signature = [&key.key_id(name)[..], &key.sign(text)].concat();
    format!("{text}\n{DASH}{name} {}\n", base64::encode(&signature))
}
