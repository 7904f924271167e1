//! The committer: links sealed batches, appends them, syncs once for all of them, and only then
//! acknowledges. One thread at a time has a log.
//!
//! What a crash leaves at each step:
//! - before the header is synced: a file without a whole frame; recovery moves it aside;
//! - between header and sync: whole frames or a torn tail of one sync, nobody was answered;
//! - after the sync: everything, and requests repeated with their key get the same answer.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::core::Core;
use super::index::SegmentIndex;
use super::log::{CloseItem, Commit, Log, OpenSegment, Round, SealedItem, SegmentKeys, lock};
use super::notary::{Notice, TreeHead};
use super::queue::Acknowledgement;
use super::{IngestError, rebuild};
use crate::catalog::{BatchPlace, KnownSegment, RequestRow};
use crate::chain::Link;
use crate::format::header::Fixed;
use crate::format::payload::Packer;
use crate::format::subject_index::SubjectIndex;
use crate::limits::QUEUE_BYTES;
use crate::random;
use crate::sequencer::{Linked, SealedIndex, Sequencer};

/// Works until the core stops.
pub(super) fn run(core: &Arc<Core>, mut packer: Packer) {
    while let Some(log) = core.ready.pop() {
        match log.next_round(QUEUE_BYTES) {
            Round::Nothing => {
                if log.is_closing() {
                    core.tags.hurry(&log);
                    core.wakeup.wake_all();
                }
                continue;
            }
            Round::Batches(batches) => {
                core.next_turn();
                commit_batches(core, &log, batches);
            }
            Round::Close(close) => {
                core.next_turn();
                close_segment(core, &log, close, &mut packer);
            }
        }
        // There may be more; if not, the next round says so and lets the log go.
        if log.is_scheduled() {
            core.ready.push(log);
        }
    }
}

fn commit_batches(core: &Arc<Core>, log: &Arc<Log>, batches: Vec<SealedItem>) {
    let mut commit = lock(&log.commit);
    let place = match append(core, log, &mut commit, &batches) {
        Ok(place) => place,
        Err(error) => {
            drop(commit);
            let answer = Err(error.clone());
            let requests = batches.into_iter().flat_map(|batch| batch.requests);
            requests.for_each(|request| request.answer(answer.clone()));
            core.fail(log, error);
            return;
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
}

/// Where a sync's batches came to stand.
struct Placed {
    keys: Arc<SegmentKeys>,
    offset: u64,
    linked: Vec<Linked>,
}

/// Links batches, appends them and syncs. After an error nothing of it counts.
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
    let mut sync = commit.sequencer.begin(core.clock.now());
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
        received_at: crate::time::Timestamp,
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
fn close_segment(core: &Arc<Core>, log: &Arc<Log>, close: CloseItem, packer: &mut Packer) {
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
        return;
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
        }
        Err(error) => {
            drop(commit);
            fail_close(core, log, close, error);
        }
    }
}

fn fail_close(core: &Arc<Core>, log: &Arc<Log>, close: CloseItem, error: IngestError) {
    close.waiters.into_iter().for_each(|waiter| {
        let _ = waiter.send(Err(error.clone()));
    });
    core.fail(log, error);
}

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
