//! Opening payloads, each checked against its link to the last byte.
//!
//! Opening with the right key is not enough: whoever holds the KEK can seal anything. What makes an
//! entry the one that was acknowledged is the root in its link, under the checkpoint.

use crate::chain::{BatchBody, CloseBody, Link};
use crate::envelope::Dek;
use crate::event::{Facts, FactsError, facts};
use crate::format::payload::{Batch, Content, PayloadError, unpack};
use crate::format::subject_index::{IndexError, SubjectIndex};
use crate::limits::{MAX_BATCH_RAW_BYTES, MAX_INDEX_RAW_BYTES};
use crate::merkle;
use crate::time::Timestamp;

/// A payload that does not open, or is not what its link says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The payload itself.
    /// A wrong DEK and changed bytes look the same here.
    #[error(transparent)]
    Payload(#[from] PayloadError),
    /// The subject index itself.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// An entry that is none.
    /// Its bytes are those that were linked, so it was written so: a writer's mistake, or another
    /// writer.
    #[error("entry {position} of its batch: {error}")]
    Entry {
        /// Its position.
        position: usize,
        /// Why.
        error: FactsError,
    },
    /// Something that the link states otherwise.
    /// The payload is authentic, and its link states something else: a writer that is dishonest or
    /// at fault.
    #[error("{what}: the link says {expected}, the payload {found}")]
    Differs {
        /// The field.
        what: &'static str,
        /// The link's word.
        expected: String,
        /// The payload's.
        found: String,
    },
}

/// Opens a batch, and checks its count, root and event times.
/// The payload's digest is the frame reader's to check; what is checked here holds without it.
pub fn open_batch(
    link: &Link,
    body: &BatchBody,
    payload: &[u8],
    dek: &Dek,
) -> Result<Batch, OpenError> {
    open_entries(link, body, payload, dek, |_, _| {})
}

/// Opens a batch as [`open_batch`] does, and shows what each entry says, or `None` for an
/// erased one, with its position.
///
/// The kind and the root are in the additional data: a subject index does not open as a batch, nor
/// one batch in another's place.
pub(super) fn open_entries(
    link: &Link,
    body: &BatchBody,
    payload: &[u8],
    dek: &Dek,
    visit: impl FnMut(usize, Option<Facts>),
) -> Result<Batch, OpenError> {
    let additional = Link::additional_data(1, &link.head.log_id, &body.entries_root);
    let batch = Batch::decode(unpack(payload, dek, &additional, MAX_BATCH_RAW_BYTES)?)?;
    same("entry_count", body.entry_count as usize, batch.len())?;
    same(
        "entries_root",
        body.entries_root,
        merkle::root(&batch.leaves()),
    )?;
    check_times(body, &batch, visit)?;
    Ok(batch)
}

/// Opens a subject index, and checks its count and root.
pub fn open_subjects(
    link: &Link,
    body: &CloseBody,
    payload: &[u8],
    dek: &Dek,
) -> Result<SubjectIndex, OpenError> {
    let additional = Link::additional_data(2, &link.head.log_id, &body.subjects_root);
    let index = SubjectIndex::decode(unpack(payload, dek, &additional, MAX_INDEX_RAW_BYTES)?)?;
    same("subject_count", body.subject_count, index.subject_count())?;
    same("subjects_root", body.subjects_root, index.root())?;
    Ok(index)
}

/// An erased entry's time is not known, so that with one the link's bounds may lie further out.
///
/// The link's times decide which questions reach the batch, so they must be the entries' own, to
/// the microsecond.
fn check_times(
    body: &BatchBody,
    batch: &Batch,
    mut visit: impl FnMut(usize, Option<Facts>),
) -> Result<(), OpenError> {
    let mut times: Option<(Timestamp, Timestamp)> = None;
    let mut any_erased = false;
    for (position, content) in batch.iter().enumerate() {
        let Content::Kept(_, entry) = content else {
            any_erased = true;
            visit(position, None);
            continue;
        };
        let facts = facts(entry).map_err(|error| OpenError::Entry { position, error })?;
        let time = facts.time;
        visit(position, Some(facts));
        times = Some(times.map_or((time, time), |(a, b)| (a.min(time), b.max(time))));
    }
    match times {
        Some((earliest, latest)) if any_erased => {
            same(
                "earliest event time",
                body.earliest.min(earliest),
                body.earliest,
            )?;
            same("latest event time", body.latest.max(latest), body.latest)
        }
        Some((earliest, latest)) => {
            same("earliest event time", body.earliest, earliest)?;
            same("latest event time", body.latest, latest)
        }
        None => Ok(()),
    }
}

fn same<T: PartialEq + ToString>(
    what: &'static str,
    expected: T,
    found: T,
) -> Result<(), OpenError> {
    if expected == found {
        return Ok(());
    }
    Err(OpenError::Differs {
        what,
        expected: expected.to_string(),
        found: found.to_string(),
    })
}
