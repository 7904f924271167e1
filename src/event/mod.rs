//! Events: what clients submit, and the entries kept for them.
//!
//! An **event** is read from a request's body by [`read_body`] and becomes an **entry**, one
//! compact JSON object with its fields in one order. Entries travel in [`Entries`] through the
//! queue into a batch. Whoever holds an exact entry reads it with [`facts`] (what a verifier
//! must know) or with [`View`] (all of it, for people).
//!
//! An event is read in one pass (`scan.rs`), which neither recurses nor copies; its strings are
//! then checked and written again with the fewest escapes, so that each id has one spelling,
//! while its payload is kept to the letter.
//!
//! An entry is evidence, so its bytes are what was sent wherever they can be: payloads are kept to
//! the letter, times keep what their written form cannot say. Only ids and names are spelled anew,
//! since an id that could be spelled in two ways would be two data subjects to whoever compares
//! bytes.

mod body;
mod entries;
mod fields;
mod refusal;
mod scan;
mod stored;
mod unpack;
mod when;
mod write;

#[cfg(test)]
mod tests;

pub use body::read_body;
pub use entries::Entries;
pub use refusal::{LineError, Refusal, RefusalKind};
pub use stored::{Facts, FactsError, QUARANTINED, View, facts, is_quarantined};
pub use unpack::{Encoding, UnpackError, unpack};
pub use when::parse_time;

use crate::ids::TokenId;
use crate::limits::{
    MAX_BATCH_ENTRIES, MAX_ENTRY_BYTES, MAX_ID_BYTES, MAX_JSON_DEPTH, MAX_REQUEST_BYTES,
    MAX_REQUEST_POSTINGS,
};
use crate::time::Timestamp;

/// What the server knows about a request.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// When it came.
    /// By the server's clock; also the event time of an event without one.
    pub received_at: Timestamp,
    /// Whose token it bears.
    /// Written into every entry: a sender cannot sign with another's name.
    pub submitted_by: TokenId,
    /// What it may ask for.
    /// Settings can only be stricter than the format's bounds.
    pub limits: Limits,
}

/// Bounds of a request; by default those of [`limits`](crate::limits).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a body, unpacked.
    pub request_bytes: usize,
    /// Bytes of an entry.
    pub entry_bytes: usize,
    /// Bytes of an id or a name.
    pub id_bytes: usize,
    /// Depth of JSON; the event is depth 1.
    pub depth: usize,
    /// Events of a request.
    /// At most a batch's, since a request is never split.
    pub events: usize,
    /// Data subjects named by all events of a request together.
    /// Each costs a VRF output if the subject is new: this bounds the work that one request can
    /// cause.
    pub postings: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            request_bytes: MAX_REQUEST_BYTES,
            entry_bytes: MAX_ENTRY_BYTES,
            id_bytes: MAX_ID_BYTES,
            depth: MAX_JSON_DEPTH,
            events: MAX_BATCH_ENTRIES,
            postings: MAX_REQUEST_POSTINGS,
        }
    }
}

/// What becomes of an event that is not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnInvalid {
    /// Its whole request is refused.
    Refuse,
    /// It is kept as an entry of its own that says so.
    /// For senders that would rather keep what is bad than lose it. What does not fit in an entry
    /// is refused all the same.
    Quarantine,
}

/// A body that is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// The entries of all events, in order.
    pub entries: Entries,
    /// Which of them keep something that could not be read.
    /// Ascending; empty unless quarantine was asked for.
    pub quarantined: Vec<Quarantined>,
}

/// An entry in quarantine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quarantined {
    /// Its position among the request's entries.
    pub position: u32,
    /// The line of the body on which it begins, from 1.
    pub line: u64,
    /// Why it could not be read.
    /// No value from the event is in it but names that look like a field's.
    pub detail: String,
}
