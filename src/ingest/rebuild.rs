//! Rebuilding an active segment's index from its file: after a start, and where the memory
//! budget has dropped it.

use super::IngestError;
use super::core::Core;
use super::index::{BatchPostings, SegmentIndex, Untagged};
use super::log::{Commit, Log};
use super::recovery::Stop;
use crate::catalog::{BatchPlace, keyed_requests};
use crate::chain::{BatchBody, Body};
use crate::envelope::Dek;
use crate::event::{Entries, FactsError, facts, is_quarantined};
use crate::format::frame::{Found, Frame, read_frame};
use crate::format::header::Header;
use crate::format::payload::{Batch, Content};
use crate::ids::SubjectId;
use crate::store::SegmentFile;
use crate::verifier::{open_batch, read_header};

/// Rebuilds the active segment's index, which was dropped for memory; gives the subjects that
/// want tags. The caller holds the log's commit lock, so that the file stands still.
pub(super) fn rebuild_active(
    core: &Core,
    log: &Log,
    commit: &Commit,
) -> Result<Vec<Untagged>, IngestError> {
    let Some(open) = &commit.open else {
        return Ok(Vec::new());
    };
    let number = open.keys.number;
    let file = core
        .storage
        .open(&log.name, number)
        .map_err(IngestError::disk)?;
    let header = read_header(&*file, None).map_err(IngestError::disk)?;
    let header = header.map_err(|error| IngestError::Disk(error.to_string()))?;
    let (index, fresh) =
        rebuild(log, &*file, &header, &open.keys.dek, open.length).map_err(|stop| match stop {
            Stop::Finding(why) | Stop::Failed(why) => IngestError::Disk(why),
        })?;
    log.install_active(number, index);
    Ok(fresh)
}

/// Reads a segment's batches into an index, up to where its whole frames were found to end.
///
/// Anything but a whole frame before that is an alteration, and no shorter index: what the index
/// lacks would be proved to be absent once the segment is closed.
pub(super) fn rebuild(
    log: &Log,
    file: &dyn SegmentFile,
    header: &Header,
    dek: &Dek,
    end: u64,
) -> Result<(SegmentIndex, Vec<Untagged>), Stop> {
    let mut index = SegmentIndex::default();
    let mut fresh = Vec::new();
    let mut offset = header.length as u64;
    while offset < end {
        let Found::Frame(frame) = read_frame(file, offset, &log.log_id, true)? else {
            let why = format!("ALTERED: no whole frame at byte {offset}, where one was written");
            return Err(Stop::Finding(why));
        };
        offset = frame.end();
        fresh.extend(take_batch(&frame, dek, &mut index)?);
    }
    Ok((index, fresh))
}

/// Takes one batch in, as the committer did when it was new; gives the subjects that the index had not
/// seen before. Other links hold nothing for it.
fn take_batch(frame: &Frame, dek: &Dek, index: &mut SegmentIndex) -> Result<Vec<Untagged>, Stop> {
    let Body::Batch(body) = &frame.link.body else {
        return Ok(Vec::new());
    };
    let number = frame.link.head.number;
    let broken =
        |why: &dyn std::fmt::Display| Stop::Finding(format!("ALTERED: link {number}: {why}"));
    let batch =
        open_batch(&frame.link, body, &frame.payload, dek).map_err(|error| broken(&error))?;
    let entries = entries_of(&batch, body).map_err(|error| broken(&error))?;
    for row in keyed_requests(&frame.link, &frame.link_bytes, body, &batch) {
        index.requests.insert(row.key_hash, row);
    }
    index.quarantined += batch
        .iter()
        .filter(|content| matches!(content, Content::Kept(_, entry) if is_quarantined(entry)))
        .count() as u64;
    let place = BatchPlace {
        first_entry: body.first_entry,
        link: number,
        place: frame.offset,
    };
    Ok(index.add(place, entries.times(), BatchPostings::of(&entries)))
}

/// A batch's entries; an erased one is there without subjects.
fn entries_of(batch: &Batch, body: &BatchBody) -> Result<Entries, FactsError> {
    let mut entries = Entries::default();
    for content in batch.iter() {
        match content {
            Content::Kept(_, bytes) => {
                let facts = facts(bytes)?;
                entries.push(
                    bytes,
                    facts.time,
                    facts.subjects.iter().map(SubjectId::expose),
                );
            }
            Content::Erased(_) => entries.push(b"", body.earliest, []),
        }
    }
    Ok(entries)
}
