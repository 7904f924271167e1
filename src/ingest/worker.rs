//! Workers: take groups off the queue in bulk, seal them, and compute tags.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::core::Core;
use super::haul::{Assignment, haul};
use super::index::BatchPostings;
use super::log::{Item, Log, Pending, SealedItem};
use super::queue::Group;
use super::{IngestError, tags};
use crate::event::Entries;
use crate::format::payload::KeyedRequest;
use crate::limits::TAG_BACKLOG_SLOWS;
use crate::random;
use crate::sealer::{Fresh, Sealer};

/// Works until the core stops.
pub(super) fn run(core: &Arc<Core>, mut sealer: Sealer) {
    loop {
        // A closing segment's tags and sealing take turns: neither starves the other.
        let urgent = core.tags.pop(true);
        let any_urgent = urgent.is_some();
        if let Some(task) = urgent {
            compute_tags(core, task);
        }
        // Tags that pile up slow sealing down; far beyond that only the server's own logs are
        // sealed, so that auditing never waits for them.
        let backlog = core.tags.subjects();
        if backlog > TAG_BACKLOG_SLOWS
            && let Some(task) = core.tags.pop(false)
        {
            compute_tags(core, task);
        }
        let rounds = core.rounds.load(Ordering::Acquire);
        let haul = haul(core);
        let any_haul = !haul.assignments.is_empty();
        for assignment in haul.assignments {
            if let Some(log) = seal(core, &mut sealer, assignment) {
                core.ready.push(log);
            }
        }
        if any_urgent || any_haul || backlog > TAG_BACKLOG_SLOWS {
            continue;
        }
        if let Some(task) = core.tags.pop(false) {
            compute_tags(core, task);
            continue;
        }
        if core.stopped.load(Ordering::Acquire) {
            return;
        }
        core.wakeup.park(|| core.has_work(rounds));
    }
}

/// A task's tags; the last of a closing segment calls a committer for the close.
fn compute_tags(core: &Arc<Core>, task: tags::TagTask) {
    let log = task.log.clone();
    tags::run(task, &core.betas, &core.keyring.index);
    if log.is_ready_to_close() {
        core.ready.push(log);
    }
}

/// Seals a batch; gives its log if that is now to be committed.
pub(super) fn seal(
    core: &Arc<Core>,
    sealer: &mut Sealer,
    assignment: Assignment,
) -> Option<Arc<Log>> {
    let Assignment {
        log,
        ticket,
        groups,
    } = assignment;
    let (entries, requests) = merge(groups);
    let keyed: Vec<KeyedRequest> = requests
        .iter()
        .filter_map(|request| request.keyed)
        .collect();
    let fresh = Fresh {
        seed: random::bytes(&*core.random),
        nonce: random::bytes(&*core.random),
    };
    let sealed = match sealer.seal(&log.log_id, &ticket.keys.dek, &fresh, &entries, &keyed) {
        Ok(sealed) => sealed,
        Err(error) => {
            let error = IngestError::Disk(format!("a batch could not be sealed: {error}"));
            requests
                .into_iter()
                .for_each(|request| request.answer(Err(error.clone())));
            core.fail(&log, error);
            return None;
        }
    };
    // Postings are grouped here, on a worker: the committer only adds them to the index.
    let item = SealedItem {
        keys: ticket.keys.clone(),
        sealed,
        postings: BatchPostings::of(&entries),
        times: entries.times().to_vec(),
        requests,
    };
    match log.arrive(&ticket, Item::Batch(Box::new(item))) {
        Ok(true) => Some(log),
        Ok(false) => None,
        Err(item) => {
            item.fail(&IngestError::Disk(
                "an earlier write to this log failed".into(),
            ));
            None
        }
    }
}

/// Makes one run of entries of the requests' groups.
fn merge(groups: Vec<Group>) -> (Entries, Vec<Pending>) {
    let mut all: Option<Entries> = None;
    let mut requests = Vec::with_capacity(groups.len());
    for group in groups {
        let Group {
            entries,
            key,
            received_at,
            quarantined,
            reply,
            room,
            ..
        } = group;
        let first = all.as_ref().map_or(0, Entries::len) as u32;
        let count = entries.len() as u32;
        let keyed = key.map(|(key_hash, body_hash)| KeyedRequest {
            key_hash,
            body_hash,
            first,
            count,
        });
        match &mut all {
            None => all = Some(entries),
            Some(all) => all.append(&entries),
        }
        requests.push(Pending {
            keyed,
            count,
            received_at,
            quarantined,
            reply,
            _room: room,
        });
    }
    (all.unwrap_or_default(), requests)
}
