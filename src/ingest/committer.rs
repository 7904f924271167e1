//! The committer: links sealed batches, appends them, syncs once for all of them, and only then
//! acknowledges. One thread at a time has a log.
//!
//! What a crash leaves at each step:
//! - before the header is synced: a file without a whole frame; recovery moves it aside;
//! - between header and sync: whole frames or a torn tail of one sync, nobody was answered;
//! - after the sync: everything, and requests repeated with their key get the same answer.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::core::{Core, Duty};
use super::haul::haul;
use super::index::SegmentIndex;
use super::log::{CloseItem, Commit, Log, OpenSegment, Round, SealedItem, SegmentKeys, lock};
use super::notary::{Notice, TreeHead};
use super::queue::Acknowledgement;
use super::{IngestError, rebuild, worker};
use crate::catalog::{BatchPlace, KnownSegment, RequestRow};
use crate::chain::Link;
use crate::format::header::Fixed;
use crate::format::payload::Packer;
use crate::format::subject_index::SubjectIndex;
use crate::limits::{CLOCK_STEP_MICROS, QUEUE_BYTES};
use crate::random;
use crate::sealer::Sealer;
use crate::sequencer::{Linked, SealedIndex, Sequencer};
use crate::time::Timestamp;

/// Works until the core stops.
pub(super) fn run(core: &Arc<Core>, mut sealer: Sealer) {
    loop {
        let mut next = match core.ready.wait() {
            Duty::Commit(log) => Some(log),
            Duty::Seal => seal_small(core, &mut sealer),
            Duty::End => return,
        };
        while let Some(log) = next {
            next = round(core, &mut sealer, log);
        }
    }
}

/// A round of a log's commits; gives the next log that is ready, which is the same one while no
/// other is.
fn round(core: &Arc<Core>, sealer: &mut Sealer, log: Arc<Log>) -> Option<Arc<Log>> {
    let whose = match log.next_round(QUEUE_BYTES) {
        Round::Nothing => {
            if log.is_closing() {
                core.tags.hurry(&log);
                core.wakeup.wake_all();
            }
            return seal_small(core, sealer);
        }
        Round::Batches(batches) => commit_batches(core, &log, batches),
        Round::Close(close) => close_segment(core, &log, close, sealer.packer()),
    };
    match whose {
        Committer::HasLog => core.ready.swap(log),
        Committer::IsFree => core.ready.pop(),
    }
}

/// Seals what waits, if it is little; gives the next log that is ready. What this thread has sealed
/// it commits itself: to wake another for it would take longer.
fn seal_small(core: &Arc<Core>, sealer: &mut Sealer) -> Option<Arc<Log>> {
    if !(core.is_quiet() && core.has_small()) {
        core.next_turn();
        return core.ready.pop();
    }
    core.rounds.fetch_add(1, Ordering::AcqRel);
    let haul = haul(core);
    if haul.left_some {
        core.wakeup.wake_one();
    }
    let mut own = None;
    for assignment in haul.assignments {
        let Some(log) = worker::seal(core, sealer, assignment) else {
            continue;
        };
        if own.is_none() {
            own = Some(log);
        } else {
            core.ready.push(log);
        }
    }
    match own {
        Some(log) => core.ready.swap(log),
        None => core.ready.pop(),
    }
}

/// Whose the log is after a round.
enum Committer {
    /// Still this committer's.
    HasLog,
    /// Nobody's, or already another's: it was given up, or waits for tags.
    IsFree,
}

/// Batches of one segment: linked, written with one write, synced with one sync, then answered.
///
/// An error of the write or the sync is fatal for all of them: each request is answered with it, and the
/// log is repaired before it takes anything more, since nobody knows what of it is on disk.
fn commit_batches(core: &Arc<Core>, log: &Arc<Log>, batches: Vec<SealedItem>) -> Committer {
    let mut commit = lock(&log.commit);
    let place = match append(core, log, &mut commit, &batches) {
        Ok(place) => place,
        Err(error) => {
            drop(commit);
            let answer = Err(error.clone());
            let requests = batches.into_iter().flat_map(|batch| batch.requests);
            requests.for_each(|request| request.answer(answer.clone()));
            core.fail(log, error);
            return Committer::IsFree;
        }
    };
    // From here on the batches are on disk. The index comes before the answers: whoever was
    // answered finds what was sent.
    log.set_head(&commit.sequencer);
    let index_bytes = log.index_bytes.load(Ordering::Relaxed);
    let segment = place.keys.number;
    for (batch, linked) in batches.into_iter().zip(place.linked) {
        let row = BatchPlace {
            first_entry: linked.first_entry,
            link: linked.number,
            place: place.offset + linked.offset,
        };
        acknowledge(core, log, segment, batch, row, &linked);
    }
    let length = commit.open.as_ref().map_or(0, |open| open.length);
    drop(commit);
    core.roll_if_full(log, segment, length);
    core.keep_index_budget(log, index_bytes);
    Committer::HasLog
}

/// Where a sync's batches came to stand.
struct Placed {
    keys: Arc<SegmentKeys>,
    offset: u64,
    linked: Vec<Linked>,
}

/// Links batches, appends them and syncs. After an error nothing of it counts.
///
/// The file only ever grows at its end, so that a copy made meanwhile is a beginning of it. To write
/// zeros ahead and then over them would take the sync a third less time, but a copy could then hold
/// zeros where later frames stand behind, which no check can tell from an alteration.
fn append(
    core: &Core,
    log: &Log,
    commit: &mut Commit,
    batches: &[SealedItem],
) -> Result<Placed, IngestError> {
    let keys = match batches.first() {
        Some(first) => first.keys.clone(),
        None => return Err(IngestError::Stopping),
    };
    if commit.open.is_none() {
        commit.open = Some(begin_segment(core, log, &commit.sequencer, keys.clone())?);
    }
    let Some(open) = &mut commit.open else {
        return Err(IngestError::Stopping);
    };
    if !Arc::ptr_eq(&open.keys, &keys) {
        // What was sealed under another key could never be opened again.
        return Err(IngestError::Disk(format!(
            "a batch of segment {} came to segment {}",
            keys.number, open.keys.number
        )));
    }
    let now = core.clock.now();
    note_clock(core, &commit.sequencer, now);
    let mut sync = commit.sequencer.begin(now);
    sync.reserve(batches.iter().map(|batch| &batch.sealed));
    let linked = batches
        .iter()
        .map(|batch| sync.batch(&batch.sealed))
        .collect::<Result<_, _>>();
    let linked =
        linked.map_err(|flaw| IngestError::Disk(format!("{}: cannot be linked", flaw.what)))?;
    let offset = open.length;
    let file = core
        .storage
        .open(&log.name, open.keys.number)
        .map_err(IngestError::disk)?;
    file.write_at(offset, &sync.bytes)
        .map_err(IngestError::disk)?;
    file.sync().map_err(IngestError::disk)?;
    open.length += sync.bytes.len() as u64;
    commit.sequencer = sync.finish();
    Ok(Placed {
        keys,
        offset,
        linked,
    })
}

/// Notes a clock that stands behind what was committed before: links keep their order all the
/// same, but times of entries may be wrong.
fn note_clock(core: &Core, sequencer: &Sequencer, now: Timestamp) {
    if let Some((last, _)) = sequencer.chain.last_sync {
        let back = last.0.saturating_sub(now.0);
        if back >= CLOCK_STEP_MICROS {
            let largest = &core.counters.clock_back_micros;
            largest.fetch_max(back.unsigned_abs(), Ordering::Relaxed);
        }
    }
}

/// Makes the segment's file. Its header names the chain's state before it, so it is written only now,
/// when the links before are on disk, and not when the segment's key was planned.
fn begin_segment(
    core: &Core,
    log: &Log,
    sequencer: &Sequencer,
    keys: Arc<SegmentKeys>,
) -> Result<OpenSegment, IngestError> {
    let chain = &sequencer.chain;
    let fixed = Fixed {
        segment: keys.number,
        first_link: chain.next_link,
        first_entry: chain.next_entry,
        previous: chain.head,
        created_at: keys.created_at,
        origin: log.origin.clone(),
    };
    let header_digest = crate::digest::Digest::of(&[&fixed.encode()]);
    let header = fixed
        .seal(&core.keyring.kek, &keys.dek, random::bytes(&*core.random))
        .map_err(|error| IngestError::Disk(error.to_string()))?;
    core.storage
        .create_segment(&log.name, keys.number, &header)
        .map_err(IngestError::disk)?;
    Ok(OpenSegment {
        keys,
        header_digest,
        length: header.len() as u64,
    })
}

/// Takes a durable batch into the index and answers its requests.
fn acknowledge(
    core: &Core,
    log: &Arc<Log>,
    segment: u64,
    batch: SealedItem,
    place: BatchPlace,
    linked: &Linked,
) {
    let SealedItem {
        times,
        postings,
        requests,
        ..
    } = batch;
    let mut first_entry = linked.first_entry;
    let answers: Vec<Acknowledgement> = requests
        .iter()
        .map(|request| {
            let answer = Acknowledgement {
                first_entry,
                count: request.count,
                link: linked.number,
                link_hash: linked.hash,
                received_at: request.received_at,
            };
            first_entry += u64::from(request.count);
            answer
        })
        .collect();
    let rows = requests
        .iter()
        .zip(&answers)
        .filter_map(|(request, answer)| {
            let keyed = request.keyed?;
            Some(RequestRow::of(
                &keyed,
                answer.first_entry,
                linked,
                request.received_at,
            ))
        });
    let quarantined: u64 = requests
        .iter()
        .map(|request| u64::from(request.quarantined))
        .sum();
    let count: u64 = answers.iter().map(|answer| u64::from(answer.count)).sum();
    log.note_activity(core.clock.now(), count, quarantined);
    core.counters
        .quarantined
        .fetch_add(quarantined, Ordering::Relaxed);
    let fresh = log.with_active(segment, |index| {
        index.quarantined += quarantined;
        rows.for_each(|row| {
            index.requests.insert(row.key_hash, row);
        });
        index.add(place, &times, postings)
    });
    log.used_at.store(core.clock.now().0, Ordering::Relaxed);
    if let Some(fresh) = fresh.filter(|fresh| !fresh.is_empty()) {
        core.tags.push(log, segment, fresh, false);
        core.wakeup.wake_one();
    }
    requests
        .into_iter()
        .zip(answers)
        .for_each(|(request, answer)| request.answer(Ok(answer)));
}

impl KnownSegment {
    fn of(index: &SegmentIndex) -> Self {
        let requests = index.requests.values().copied().collect();
        Self {
            requests,
            quarantined: index.quarantined,
        }
    }
}

impl RequestRow {
    fn of(
        keyed: &crate::format::payload::KeyedRequest,
        first_entry: u64,
        linked: &Linked,
        received_at: Timestamp,
    ) -> Self {
        Self {
            key_hash: keyed.key_hash,
            body_hash: keyed.body_hash,
            first_entry,
            entry_count: keyed.count,
            link: linked.number,
            link_hash: linked.hash,
            received_at,
        }
    }
}

/// Closes a segment: its index sealed and linked, synced, and told to the notary.
fn close_segment(
    core: &Arc<Core>,
    log: &Arc<Log>,
    close: CloseItem,
    packer: &mut Packer,
) -> Committer {
    let mut commit = lock(&log.commit);
    if log.dropped().is_some() {
        match rebuild::rebuild_active(core, log, &commit) {
            Ok(fresh) => {
                drop(commit);
                core.tags.push(log, close.keys.number, fresh, true);
                log.postpone_close(close);
                core.wakeup.wake_all();
                if log.is_ready_to_close() {
                    core.ready.push(log.clone());
                }
            }
            Err(error) => {
                drop(commit);
                fail_close(core, log, close, error);
            }
        }
        return Committer::IsFree;
    }
    let index = log.begin_close();
    match append_close(core, log, &mut commit, index.as_deref(), packer) {
        Ok(head) => {
            log.set_head(&commit.sequencer);
            drop(commit);
            let links = head.size;
            let known = index.map(|index| KnownSegment::of(&index));
            core.notify(Notice::Closed {
                log: log.clone(),
                segment: close.keys.number,
                head,
                known,
            });
            close.waiters.into_iter().for_each(|waiter| {
                let _ = waiter.send(Ok(links));
            });
            Committer::HasLog
        }
        Err(error) => {
            drop(commit);
            fail_close(core, log, close, error);
            Committer::IsFree
        }
    }
}

/// As after a failed batch: whoever waits for the close hears of it, and the log is repaired.
fn fail_close(core: &Arc<Core>, log: &Arc<Log>, close: CloseItem, error: IngestError) {
    close.waiters.into_iter().for_each(|waiter| {
        let _ = waiter.send(Err(error.clone()));
    });
    core.fail(log, error);
}

/// Seals the segment's index, links it behind the last batch, and syncs: from then on the segment
/// never changes.
fn append_close(
    core: &Core,
    log: &Log,
    commit: &mut Commit,
    index: Option<&SegmentIndex>,
    packer: &mut Packer,
) -> Result<TreeHead, IngestError> {
    let (Some(open), Some(index)) = (&commit.open, index) else {
        return Err(IngestError::Disk(
            "a segment without a file or an index cannot be closed".into(),
        ));
    };
    let sealed = seal_index(core, log, open, index, packer)?;
    let mut sync = commit.sequencer.begin(core.clock.now());
    sync.close(&sealed)
        .map_err(|flaw| IngestError::Disk(format!("{}: cannot be linked", flaw.what)))?;
    let file = core
        .storage
        .open(&log.name, open.keys.number)
        .map_err(IngestError::disk)?;
    file.write_at(open.length, &sync.bytes)
        .map_err(IngestError::disk)?;
    file.sync().map_err(IngestError::disk)?;
    commit.sequencer = sync.finish();
    commit.open = None;
    let entries = commit.sequencer.chain.next_entry;
    Ok(TreeHead::of(&commit.sequencer.tree, Some(entries)))
}

/// The subject index, sealed under the segment's own key, and what its close link says of it.
fn seal_index(
    core: &Core,
    log: &Log,
    open: &OpenSegment,
    index: &SegmentIndex,
    packer: &mut Packer,
) -> Result<SealedIndex, IngestError> {
    let failed =
        |error: &dyn std::fmt::Display| IngestError::Disk(format!("the subject index: {error}"));
    let lists = index.tagged_lists().collect();
    let seed = random::bytes(&*core.random);
    let subjects = SubjectIndex::build(&seed, lists).map_err(|error| failed(&error))?;
    let root = subjects.root();
    let additional = Link::additional_data(2, &log.log_id, &root);
    let nonce = random::bytes(&*core.random);
    let payload = packer
        .pack(subjects.raw(), &open.keys.dek, &nonce, &additional)
        .map_err(|error| failed(&error))?;
    Ok(SealedIndex {
        payload,
        subject_count: subjects.subject_count(),
        subjects_root: root,
        index_key: core.keyring.index.public().to_bytes(),
        header_digest: open.header_digest,
    })
}
