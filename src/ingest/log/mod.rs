//! One log inside the engine: its tickets, its place in the chain, its indexes.
//!
//! A batch takes a **ticket** and the active segment's key before it is sealed, and is committed
//! in ticket order. A roll takes a ticket too: everything with an earlier ticket belongs to the
//! old segment, everything with a later one is already sealed under the next segment's key and
//! waits, so that no worker ever waits for a roll.
//!
//! Locks, in the order in which they may nest: `commit`, then `state`, then `indexes`.

mod indexes;
mod items;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicI64, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{oneshot, watch};

use indexes::Indexes;
pub use indexes::{Recent, RecentHits};
pub(super) use items::{CloseItem, Item, OpenSegment, Pending, SealedItem, Ticket};

use super::IngestError;
use super::activity::Activity;
use crate::digest::{Digest, log_id};
use crate::envelope::Dek;
use crate::ids::{LogId, LogName, Origin, SegmentNumber};
use crate::merkle::Frontier;
use crate::sequencer::Sequencer;
use crate::state::StoredCheckpoint;
use crate::time::Timestamp;

/// A log.
pub struct Log {
    /// Its name.
    pub name: LogName,
    /// Its origin.
    pub origin: Origin,
    /// Its id.
    pub log_id: LogId,
    pub(super) commit: Mutex<Commit>,
    /// Keys of requests on their way (`keyed`). Nests in none of the locks above, and none in it.
    pub(super) in_flight: Mutex<HashMap<Digest, InFlight>>,
    /// Held for a few instructions, never across a read or a write of a file.
    state: Mutex<State>,
    indexes: Mutex<Indexes>,
    /// Sent by recovery first and then by the notary, in the order of `state.db`; as is `closed`.
    checkpoint: watch::Sender<Option<StoredCheckpoint>>,
    closed: watch::Sender<Option<ClosedHead>>,
    indexed: watch::Sender<Option<SegmentNumber>>,
    /// When its index was last used, for the memory budget.
    pub(super) used_at: AtomicI64,
    /// Memory of its active index, as last counted.
    pub(super) index_bytes: AtomicUsize,
    pub(super) activity: Activity,
}

/// Whether a log takes entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// It is being read after a start.
    Recovering,
    /// It takes entries.
    Open,
    /// A write failed; it is being repaired.
    Repairing(String),
    /// It does not fit its checkpoint or its own chain: an operator decides.
    Refused(String),
}

/// Where a log stands, all of it on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Number of links.
    pub links: u64,
    /// Number of entries.
    pub entries: u64,
    /// Leaf hash of the last link.
    pub head: Digest,
    /// The tree over all links.
    pub tree: Frontier,
    /// Commit time of the last link.
    pub committed_at: Option<Timestamp>,
    /// Whether every link is in a closed segment.
    pub closed: bool,
}

/// A checkpoint that covers closed segments and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedHead {
    /// Entries that it covers.
    pub entries: u64,
    /// The checkpoint.
    pub checkpoint: StoredCheckpoint,
}

/// The key under which a segment's batches are sealed.
pub struct SegmentKeys {
    /// The segment.
    pub number: SegmentNumber,
    /// Its DEK.
    pub dek: Dek,
    /// When it was begun.
    pub created_at: Timestamp,
}

/// The committer's side of a log: owned by whoever holds the lock.
pub(super) struct Commit {
    pub(super) sequencer: Sequencer,
    pub(super) open: Option<OpenSegment>,
}

/// A keyed request on its way.
pub(super) struct InFlight {
    pub(super) body_hash: Digest,
    pub(super) done: watch::Receiver<()>,
}

/// Tickets `next_to_commit .. next_ticket` are on their way; `items` has those of them that have
/// arrived. `plan` is the segment of the next ticket, `Commit::open` that of the last link: between
/// them lie closes that are still to come.
struct State {
    phase: Phase,
    /// Grows when everything on the way is given up.
    epoch: u64,
    next_ticket: u64,
    next_to_commit: u64,
    items: BTreeMap<u64, Item>,
    plan: Option<Arc<SegmentKeys>>,
    next_segment: SegmentNumber,
    /// Whether a committer has the log, or will have it.
    scheduled: bool,
    head: Head,
    rolled_on_request_at: Option<Timestamp>,
}

/// A round of the committer's work: batches share one segment, one write and one sync.
pub(super) enum Round {
    Batches(Vec<SealedItem>),
    Close(CloseItem),
    Nothing,
}

impl Log {
    /// A log that is yet to be read.
    pub(super) fn new(name: LogName, origin: Origin) -> Self {
        let log_id = log_id(&origin);
        let sequencer = Sequencer::new(log_id);
        let head = Head::of(&sequencer);
        Self {
            name,
            origin,
            log_id,
            commit: Mutex::new(Commit {
                sequencer,
                open: None,
            }),
            in_flight: Mutex::default(),
            state: Mutex::new(State {
                phase: Phase::Recovering,
                epoch: 0,
                next_ticket: 0,
                next_to_commit: 0,
                items: BTreeMap::new(),
                plan: None,
                next_segment: 0,
                scheduled: false,
                head,
                rolled_on_request_at: None,
            }),
            indexes: Mutex::default(),
            checkpoint: watch::Sender::new(None),
            closed: watch::Sender::new(None),
            indexed: watch::Sender::new(None),
            used_at: AtomicI64::new(0),
            index_bytes: AtomicUsize::new(0),
            activity: Activity::default(),
        }
    }

    /// Whether it takes entries.
    pub fn phase(&self) -> Phase {
        self.state().phase.clone()
    }

    /// Where it stands.
    pub fn head(&self) -> Head {
        self.state().head.clone()
    }

    /// The active segment, if there is one.
    pub fn active_segment(&self) -> Option<SegmentNumber> {
        self.state().plan.as_ref().map(|plan| plan.number)
    }

    /// The newest checkpoint, as it changes.
    pub fn checkpoint(&self) -> watch::Receiver<Option<StoredCheckpoint>> {
        self.checkpoint.subscribe()
    }

    /// The newest checkpoint that covers closed segments and nothing else, as it changes.
    pub fn closed_head(&self) -> watch::Receiver<Option<ClosedHead>> {
        self.closed.subscribe()
    }

    /// The last segment that the catalog knows, as it changes.
    pub fn indexed(&self) -> watch::Receiver<Option<SegmentNumber>> {
        self.indexed.subscribe()
    }

    pub(super) fn start_from(
        &self,
        checkpoint: Option<StoredCheckpoint>,
        closed_entries: Option<u64>,
        indexed: Option<SegmentNumber>,
    ) {
        if let Some(checkpoint) = checkpoint {
            self.set_checkpoint(checkpoint, closed_entries);
        }
        self.indexed.send_replace(indexed);
    }

    /// Notes the newest checkpoint, and whether it covers only closed segments.
    pub(super) fn set_checkpoint(&self, checkpoint: StoredCheckpoint, closed_entries: Option<u64>) {
        if let Some(entries) = closed_entries {
            self.closed.send_replace(Some(ClosedHead {
                entries,
                checkpoint: checkpoint.clone(),
            }));
        }
        self.checkpoint.send_replace(Some(checkpoint));
    }

    // ── Tickets ─────────────────────────────────────────────────────────────────────────

    /// Takes a ticket for a batch; `fresh` makes a new segment's key when one is begun. An active
    /// segment that began before `oldest` is closed first. Unless `many` may be on their way, there
    /// is none while another is.
    pub(super) fn ticket(
        &self,
        oldest: Timestamp,
        many: bool,
        fresh: impl FnOnce(SegmentNumber) -> SegmentKeys,
    ) -> Result<Option<Ticket>, IngestError> {
        let mut state = self.state();
        state.phase.check()?;
        if !many && state.is_busy() {
            return Ok(None);
        }
        if state
            .plan
            .as_ref()
            .is_some_and(|plan| plan.created_at < oldest)
        {
            // Whoever brings the batch of this ticket calls a committer for both.
            state.close_plan(None);
        }
        let keys = match state.plan.clone() {
            Some(keys) => keys,
            None => {
                let keys = Arc::new(fresh(state.next_segment));
                state.next_segment += 1;
                state.plan = Some(keys.clone());
                keys
            }
        };
        let number = state.take_number();
        Ok(Some(Ticket {
            epoch: state.epoch,
            number,
            keys,
        }))
    }

    /// Hands over what was made for a ticket. Gives it back if the ticket was given up
    /// meanwhile; else whether a committer must be called.
    pub(super) fn arrive(&self, ticket: &Ticket, item: Item) -> Result<bool, Item> {
        let mut state = self.state();
        if ticket.epoch != state.epoch {
            return Err(item);
        }
        // Of an older epoch's tickets nobody waits any more: their numbers count as committed.
        state.items.insert(ticket.number, item);
        Ok(state.schedule())
    }

    /// Closes the active segment behind everything that has a ticket. `None` if there is no
    /// active segment; else whether a committer must be called.
    pub(super) fn roll(
        &self,
        waiter: Option<oneshot::Sender<Result<u64, IngestError>>>,
    ) -> Option<bool> {
        let mut state = self.state();
        state.close_plan(waiter)?;
        Some(state.schedule())
    }

    /// Rolls if the active segment began before `before`.
    pub(super) fn roll_if_older(&self, before: Timestamp) -> Option<bool> {
        let old = self
            .state()
            .plan
            .as_ref()
            .is_some_and(|plan| plan.created_at < before);
        if old { self.roll(None) } else { None }
    }

    /// How many microseconds an asked-for roll must still wait; 0 takes the turn. The clock is the
    /// wall's: one that was set back makes the wait longer by as much.
    pub(super) fn roll_wait(&self, now: Timestamp, interval_micros: i64) -> i64 {
        let mut state = self.state();
        let next = state
            .rolled_on_request_at
            .map(|last| last.plus_micros(interval_micros));
        match next {
            // Never longer than that: the clock may have been set back.
            Some(next) if now < next => (next.0 - now.0).min(interval_micros),
            _ => {
                state.rolled_on_request_at = Some(now);
                0
            }
        }
    }

    /// Takes what can be committed next: batches of one segment, or a close whose tags are all
    /// there. `Nothing` gives the log back; it is scheduled again when something arrives.
    pub(super) fn next_round(&self, max_bytes: usize) -> Round {
        let mut state = self.state();
        let mut batches = Vec::new();
        let mut bytes = 0;
        loop {
            let at = state.next_to_commit;
            match state.items.get(&at) {
                Some(Item::Batch(_)) if bytes < max_bytes => {}
                Some(Item::Close(_)) if batches.is_empty() => {
                    if !self.may_close() {
                        break;
                    }
                }
                _ => break,
            }
            state.next_to_commit += 1;
            match state.items.remove(&at) {
                Some(Item::Batch(batch)) => {
                    bytes += batch.sealed.payload.len();
                    batches.push(*batch);
                }
                Some(Item::Close(close)) => return Round::Close(close),
                None => {}
            }
        }
        if batches.is_empty() {
            state.scheduled = false;
            return Round::Nothing;
        }
        Round::Batches(batches)
    }

    /// Puts a close back that must wait for tags.
    pub(super) fn postpone_close(&self, close: CloseItem) {
        let mut state = self.state();
        state.next_to_commit -= 1;
        let at = state.next_to_commit;
        state.items.insert(at, Item::Close(close));
        state.scheduled = false;
    }

    /// Gives up everything on the way: what has arrived, and what still will.
    pub(super) fn give_up(&self, phase: Phase, error: &IngestError) {
        let items = {
            let mut state = self.state();
            state.phase = phase;
            // Tickets of the old epoch come back through `arrive`, which gives them back.
            state.epoch += 1;
            state.plan = None;
            state.scheduled = false;
            state.next_to_commit = state.next_ticket;
            std::mem::take(&mut state.items)
        };
        items.into_values().for_each(|item| item.fail(error));
    }

    /// Opens the log, as recovery has found it; an active segment is closed before anything
    /// else is committed. Whether a committer must be called.
    pub(super) fn open(&self, commit: Commit, next_segment: SegmentNumber) -> bool {
        let head = Head::of(&commit.sequencer);
        let active = commit.open.as_ref().map(|open| open.keys.clone());
        *lock(&self.commit) = commit;
        let mut state = self.state();
        state.head = head;
        state.next_segment = next_segment;
        state.phase = Phase::Open;
        let Some(keys) = active else { return false };
        let at = state.take_number();
        state.items.insert(
            at,
            Item::Close(CloseItem {
                keys,
                waiters: Vec::new(),
            }),
        );
        state.schedule()
    }

    /// Whether a small batch would wait for its turn.
    pub(super) fn is_busy(&self) -> bool {
        self.state().is_busy()
    }

    pub(super) fn refuse(&self, why: String) {
        self.state().phase = Phase::Refused(why);
    }

    /// Behind the sync, before the answers: whoever was answered finds a head that covers them.
    pub(super) fn set_head(&self, sequencer: &Sequencer) {
        self.state().head = Head::of(sequencer);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl State {
    /// Whether a batch is on its way, or being committed.
    fn is_busy(&self) -> bool {
        self.scheduled || self.next_to_commit < self.next_ticket
    }

    /// The next place in the order of commits.
    fn take_number(&mut self) -> u64 {
        let number = self.next_ticket;
        self.next_ticket += 1;
        number
    }

    /// Puts the close of the active segment behind everything that has a ticket; `None` if there
    /// is no active segment.
    fn close_plan(
        &mut self,
        waiter: Option<oneshot::Sender<Result<u64, IngestError>>>,
    ) -> Option<()> {
        let keys = self.plan.take()?;
        let waiters = waiter.into_iter().collect();
        let number = self.take_number();
        self.items
            .insert(number, Item::Close(CloseItem { keys, waiters }));
        Some(())
    }

    /// Marks the log as a committer's if its next item is there; whether that is news.
    fn schedule(&mut self) -> bool {
        let ready = !self.scheduled && self.items.contains_key(&self.next_to_commit);
        self.scheduled |= ready;
        ready
    }
}

impl Phase {
    pub(super) fn check(&self) -> Result<(), IngestError> {
        match self {
            Self::Open => Ok(()),
            Self::Recovering => Err(IngestError::Recovering),
            Self::Repairing(why) => Err(IngestError::Disk(why.clone())),
            Self::Refused(why) => Err(IngestError::Refused(why.clone())),
        }
    }
}

impl Head {
    /// The number of entries, if all of them are in closed segments.
    pub(super) fn closed_entries(&self) -> Option<u64> {
        self.closed.then_some(self.entries)
    }

    /// The sequencer has advanced only as far as a sync reached, so all of it is on disk.
    fn of(sequencer: &Sequencer) -> Self {
        let chain = &sequencer.chain;
        Self {
            links: chain.next_link,
            entries: chain.next_entry,
            head: chain.head,
            tree: sequencer.tree.clone(),
            committed_at: chain.last_sync.map(|(at, _)| at),
            closed: chain.sums.first_link == chain.next_link,
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
