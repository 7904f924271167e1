//! Taking groups off the queue, and making batches of them.
//!
//! A log has one small batch on its way: what comes meanwhile is kept here and becomes one larger
//! batch. So a fast disk gives short waits, and a slow one large batches; under load a sync is
//! shared by all that came during the one before. Batches of full size are sealed as many at once as there are workers.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use zeroize::Zeroizing;

use super::core::Core;
use super::log::{Log, SegmentKeys, Ticket, lock};
use super::queue::Group;
use crate::envelope::Dek;
use crate::limits::{BATCH_TARGET_RAW_BYTES, MAX_BATCH_ENTRIES, MAX_TAG_BACKLOG};
use crate::random;

/// Groups taken off the queue at a time. Bounds how long the drain's lock is held where groups are
/// small.
const GROUPS_PER_HAUL: usize = 256;

/// Requests that become one batch, with their ticket. Whoever has it must bring something for its
/// ticket, or fail the log: all later tickets wait for it.
pub(super) struct Assignment {
    pub(super) log: Arc<Log>,
    pub(super) ticket: Ticket,
    pub(super) groups: Vec<Group>,
}

/// What was taken off the queue and waits for its log's turn; bounded with the queue, since it
/// keeps its room there.
#[derive(Default)]
pub(super) struct Drain {
    logs: HashMap<usize, Waiting>,
    /// Logs that have something waiting, by when it came.
    order: VecDeque<usize>,
    groups: usize,
}

/// One log's groups, already cut into batches. Only the last one still grows.
struct Waiting {
    log: Arc<Log>,
    batches: VecDeque<Growing>,
}

/// A batch as it fills; a request is never split over two, so a large one is a batch of its own.
#[derive(Default)]
struct Growing {
    groups: Vec<Group>,
    bytes: usize,
    entries: usize,
}

/// What was taken at once.
pub(super) struct Haul {
    pub(super) assignments: Vec<Assignment>,
    /// Whether the queue held more than is taken at once.
    pub(super) left_some: bool,
}

/// Takes groups off the queue, only those for the server's own logs while too many tags wait, and
/// gives each batch its ticket. One thread at a time, so that requests of a log are committed in
/// the order in which they came.
pub(super) fn haul(core: &Core) -> Haul {
    let own_logs_only = core.tags.subjects() > MAX_TAG_BACKLOG;
    let mut drain = lock(&core.drain);
    let left_some = drain.take_in(core, own_logs_only);
    let assignments = drain.give_out(core, own_logs_only);
    core.waiting_groups.store(drain.groups, Ordering::Relaxed);
    Haul {
        assignments,
        left_some,
    }
}

impl Drain {
    /// Whether there may be more than was taken.
    fn take_in(&mut self, core: &Core, own_logs_only: bool) -> bool {
        let (mut bytes, mut groups) = (0, 0);
        while bytes < BATCH_TARGET_RAW_BYTES && groups < GROUPS_PER_HAUL {
            let own = core.access.pop();
            let others = || {
                if own_logs_only {
                    None
                } else {
                    core.entries.pop()
                }
            };
            let Some(group) = own.or_else(others) else {
                return false;
            };
            bytes += group.entries.byte_len();
            groups += 1;
            self.groups += 1;
            // `Waiting` holds the log, so that its address is nobody else's meanwhile.
            let key = Arc::as_ptr(&group.log) as usize;
            let waiting = self.logs.entry(key).or_insert_with(|| {
                self.order.push_back(key);
                Waiting {
                    log: group.log.clone(),
                    batches: VecDeque::new(),
                }
            });
            match waiting.batches.back_mut() {
                Some(batch) if batch.has_room_for(&group) => batch.add(group),
                _ => {
                    let mut batch = Growing::default();
                    batch.add(group);
                    waiting.batches.push_back(batch);
                }
            }
        }
        true
    }

    /// Up to a full batch's worth of work; the rest is another worker's.
    fn give_out(&mut self, core: &Core, own_logs_only: bool) -> Vec<Assignment> {
        let mut assignments = Vec::new();
        let mut bytes = 0;
        // Each log once a round: one that has much does not keep the others from their turn.
        for _ in 0..self.order.len() {
            if bytes >= BATCH_TARGET_RAW_BYTES {
                break;
            }
            let Some(key) = self.order.pop_front() else {
                break;
            };
            let Some(mut waiting) = self.logs.remove(&key) else {
                continue;
            };
            if own_logs_only && !waiting.log.name.is_reserved() {
                self.order.push_back(key);
                self.logs.insert(key, waiting);
                continue;
            }
            while bytes < BATCH_TARGET_RAW_BYTES
                && let Some(batch) = waiting.batches.pop_front()
            {
                // What stands before another is full: it did not take that one's first group.
                let is_full = batch.bytes >= BATCH_TARGET_RAW_BYTES || !waiting.batches.is_empty();
                match ticket(core, &waiting.log, is_full) {
                    Ok(Some(ticket)) => {
                        bytes += batch.bytes;
                        self.groups -= batch.groups.len();
                        assignments.push(Assignment {
                            log: waiting.log.clone(),
                            ticket,
                            groups: batch.groups,
                        });
                    }
                    Ok(None) => {
                        waiting.batches.push_front(batch);
                        break;
                    }
                    // The log takes nothing now; nothing of these was written.
                    Err(error) => {
                        self.groups -= batch.groups.len();
                        batch
                            .groups
                            .into_iter()
                            .for_each(|group| group.answer(Err(error.clone())));
                    }
                }
            }
            if !waiting.batches.is_empty() {
                self.order.push_back(key);
                self.logs.insert(key, waiting);
            }
        }
        assignments
    }
}

impl Growing {
    /// An empty batch takes any group: this is only asked of one that has some.
    fn has_room_for(&self, group: &Group) -> bool {
        self.bytes + group.entries.byte_len() <= BATCH_TARGET_RAW_BYTES
            && self.entries + group.entries.len() <= MAX_BATCH_ENTRIES
    }

    /// Groups stay in the order of the queue, and so do their entries.
    fn add(&mut self, group: Group) {
        self.bytes += group.entries.byte_len();
        self.entries += group.entries.len();
        self.groups.push(group);
    }
}

/// A ticket for a batch; none while it has to wait for its turn.
fn ticket(core: &Core, log: &Log, is_full: bool) -> Result<Option<Ticket>, super::IngestError> {
    let fresh = |number| SegmentKeys {
        number,
        dek: Dek::from_bytes(Zeroizing::new(random::bytes(&*core.random))),
        created_at: core.clock.now(),
    };
    log.ticket(core.oldest_active(), is_full, fresh)
}
