//! What workers, committers, the notary and recovery share.
//!
//! One `Core` for each server, behind an `Arc`. No lock goes over all of it: each part names its
//! own, and none is held where somebody else's hold of a log's `commit` is waited for.

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};

use tokio::sync::mpsc;

use super::haul::Drain;
use super::log::{Log, Phase, lock};
use super::notary::{Notice, TreeHead};
use super::queue::{Lane, LaneOptions};
use super::tags::{BetaCache, TagBacklog};
use super::{Devices, IngestError, Options, recovery};
use crate::ids::LogName;
use crate::keyring::Keyring;
use crate::limits::BATCH_TARGET_RAW_BYTES;
use crate::random::Random;
use crate::state::State;
use crate::store::Storage;
use crate::time::{Clock, Timestamp};

/// Shared by every thread of the engine. `stopping` closes the way in; `stopped` ends the threads,
/// once nothing more can come.
pub(super) struct Core {
    pub(super) options: Options,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) random: Arc<dyn Random>,
    pub(super) storage: Arc<dyn Storage>,
    pub(super) keyring: Arc<Keyring>,
    pub(super) state: State,
    pub(super) catalog: crate::catalog::Catalog,
    pub(super) runtime: tokio::runtime::Handle,
    /// The server's own logs have a lane of their own: auditing goes on when ingest is full.
    pub(super) access: Lane,
    pub(super) entries: Lane,
    pub(super) logs: RwLock<BTreeMap<LogName, Arc<Log>>>,
    /// Held while groups are taken and get their tickets: that is what keeps requests in their
    /// order.
    pub(super) drain: Mutex<Drain>,
    /// Groups in the drain that wait for their log's turn.
    pub(super) waiting_groups: AtomicUsize,
    /// How often a committer was done with a log: whatever waits may have its turn now.
    pub(super) rounds: AtomicU64,
    pub(super) wakeup: Wakeup,
    pub(super) ready: Ready,
    pub(super) tags: TagBacklog,
    pub(super) betas: BetaCache,
    pub(super) stopping: AtomicBool,
    pub(super) stopped: AtomicBool,
    /// 0 enough, 1 the reserve only, 2 spent: written by the tick, read by each request.
    space: AtomicU8,
    /// Bytes by which indexes have grown since the budget was last looked at.
    pub(super) index_growth: AtomicUsize,
    pub(super) counters: Counters,
    /// To the notary. Unbounded: a newer notice says all that an older one of its log does, and few
    /// are on their way.
    notices: mpsc::UnboundedSender<Notice>,
    last_trouble: Mutex<Option<String>>,
}

/// What has happened since the start.
#[derive(Debug, Default)]
pub struct Counters {
    /// Entries acknowledged or queued.
    pub entries: AtomicU64,
    /// Requests taken.
    pub requests: AtomicU64,
    /// Requests refused since the queue was full.
    pub busy: AtomicU64,
    /// Failed writes and syncs.
    pub failed_writes: AtomicU64,
    /// Entries that could not be read and were kept all the same.
    pub quarantined: AtomicU64,
    /// The largest step by which the clock stood behind what was committed, in microseconds.
    pub clock_back_micros: AtomicU64,
}

/// How much disk space there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// Enough.
    Enough,
    /// Only the reserve: ingest stops, audited reads go on.
    ReserveOnly,
    /// Not even that.
    Spent,
}

impl Core {
    pub(super) fn new(
        options: Options,
        devices: Devices,
        notices: mpsc::UnboundedSender<Notice>,
    ) -> Self {
        let lane = |groups, entries, bytes| {
            Lane::new(LaneOptions {
                groups,
                entries,
                bytes,
                wait: options.queue_wait,
            })
        };
        // Auditing is few and small requests: the reserve of bytes bounds it first.
        let access = lane(1024, options.queue_entries, options.access_queue_bytes);
        let entries = lane(
            options.queue_groups,
            options.queue_entries,
            options.queue_bytes,
        );
        let cache = NonZeroUsize::new(options.vrf_cache_subjects).unwrap_or(NonZeroUsize::MIN);
        Self {
            options,
            clock: devices.clock,
            random: devices.random,
            storage: devices.storage,
            keyring: devices.keyring,
            state: devices.state,
            catalog: devices.catalog,
            runtime: tokio::runtime::Handle::current(),
            access,
            entries,
            logs: RwLock::default(),
            drain: Mutex::default(),
            waiting_groups: AtomicUsize::new(0),
            rounds: AtomicU64::new(0),
            wakeup: Wakeup::default(),
            ready: Ready::default(),
            tags: TagBacklog::default(),
            betas: BetaCache::new(cache),
            stopping: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            space: AtomicU8::new(0),
            index_growth: AtomicUsize::new(0),
            counters: Counters::default(),
            notices,
            last_trouble: Mutex::new(None),
        }
    }

    /// Whether a worker has something to do that has last looked at `rounds`.
    pub(super) fn has_work(&self, rounds: u64) -> bool {
        self.has_queued()
            || self.tags.subjects() > 0
            || self.stopped.load(Ordering::Acquire)
            || (self.waiting_groups.load(Ordering::Acquire) > 0
                && self.rounds.load(Ordering::Acquire) != rounds)
    }

    /// Says that a log is free: whatever waits for that may have its turn.
    pub(super) fn next_turn(&self) {
        self.rounds.fetch_add(1, Ordering::AcqRel);
        if self.has_small() {
            self.call_sealer();
        }
    }

    /// Whether something is queued, or waits for its log's turn.
    pub(super) fn has_small(&self) -> bool {
        self.has_queued() || self.waiting_groups.load(Ordering::Acquire) > 0
    }

    /// Whether something is in the queue itself.
    pub(super) fn has_queued(&self) -> bool {
        !self.entries.is_empty() || !self.access.is_empty()
    }

    /// Whether what is on the way is less than a batch, so that a committer seals it itself: a
    /// thread that commits what it has just sealed need not be woken for it.
    pub(super) fn is_quiet(&self) -> bool {
        self.entries.fill().0 < BATCH_TARGET_RAW_BYTES
    }

    /// Wakes whoever seals what was just put into a log's lane. While a batch of the log is on its
    /// way a little more waits for its turn, without waking anybody: the committer looks at the
    /// lanes after it has said that the log is free, and whoever still saw it busy had put his
    /// group in before.
    pub(super) fn wake_for(&self, log: &Log) {
        if !self.is_quiet() || !log.is_busy() {
            self.call_sealer();
        }
    }

    /// Wakes one thread that seals: a committer that waits, while there is little to do, else a
    /// worker.
    fn call_sealer(&self) {
        if !(self.is_quiet() && self.ready.call()) {
            self.wakeup.wake_one();
        }
    }

    /// A copy of the list: whoever goes through it holds up no new log.
    pub(super) fn all_logs(&self) -> Vec<Arc<Log>> {
        self.logs
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .values()
            .cloned()
            .collect()
    }

    /// A log, if there is one of this name.
    pub(super) fn log(&self, name: &LogName) -> Option<Arc<Log>> {
        self.logs
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(name)
            .cloned()
    }

    /// Tells the notary something; it never blocks, so that a committer may.
    pub(super) fn notify(&self, notice: Notice) {
        // The notary lives as long as the core; after it nobody reads checkpoints.
        let _ = self.notices.send(notice);
    }

    /// Notes a trouble that needs a person, for the log and the overview.
    pub(super) fn trouble(&self, what: String) {
        tracing::error!("{what}");
        *lock(&self.last_trouble) = Some(what);
    }

    /// What `trouble` was last told.
    pub(super) fn last_trouble(&self) -> Option<String> {
        lock(&self.last_trouble).clone()
    }

    /// Gives up what is on the way in a log after a failed write, and has it repaired.
    pub(super) fn fail(self: &Arc<Self>, log: &Arc<Log>, error: IngestError) {
        self.counters.failed_writes.fetch_add(1, Ordering::Relaxed);
        self.trouble(format!("{}: {error}", log.name));
        // In this order: first nobody gets a new ticket, then those who wait are answered and
        // others get their turn, then the repair begins.
        let why = match &error {
            IngestError::Disk(why) => why.clone(),
            other => other.to_string(),
        };
        log.give_up(Phase::Repairing(why), &error);
        self.next_turn();
        recovery::repair(self.clone(), log.clone());
    }

    /// Rolls a log whose active segment has reached a bound.
    pub(super) fn roll_if_full(&self, log: &Arc<Log>, segment: u64, length: u64) {
        let index = log.with_active(segment, |index| {
            index.postings() >= self.options.roll_postings
                || index.subjects() >= self.options.roll_subjects
        });
        // What a dropped index would hold is not known: its segment rolls early.
        let full = length >= self.options.roll_bytes
            || index.unwrap_or(length >= self.options.roll_bytes / 4);
        if full {
            self.roll_segment(log, segment);
        }
    }

    /// Rolls a segment, unless its close has a ticket already.
    pub(super) fn roll_segment(&self, log: &Arc<Log>, segment: u64) {
        if log.active_segment() == Some(segment) && log.roll(None) == Some(true) {
            self.ready.push(log.clone());
        }
    }

    /// As the last tick found it, 100 ms ago at most.
    pub(super) fn space(&self) -> Space {
        match self.space.load(Ordering::Relaxed) {
            0 => Space::Enough,
            1 => Space::ReserveOnly,
            _ => Space::Spent,
        }
    }

    /// Looks how much disk space there is. Where it cannot be read, ingest goes on: a write that
    /// finds no room is refused all the same.
    pub(super) fn look_at_space(&self) {
        let reserve = self.options.disk_reserve_bytes;
        let space = match self.storage.free_bytes() {
            Ok(free) if free > reserve => 0,
            Ok(free) if free > reserve / 16 => 1,
            Ok(_) => 2,
            Err(error) => {
                self.trouble(format!("the free disk space cannot be read: {error}"));
                0
            }
        };
        self.space.store(space, Ordering::Relaxed);
    }

    /// When the oldest active segment may have begun.
    pub(super) fn oldest_active(&self) -> Timestamp {
        self.clock.now().plus_micros(-self.options.roll_age_micros)
    }

    /// Rolls segments that are too old.
    pub(super) fn roll_old(&self) {
        let before = self.oldest_active();
        for log in self.all_logs() {
            if log.roll_if_older(before) == Some(true) {
                self.ready.push(log);
            }
        }
    }

    /// Has the notary sign for every log that has grown.
    pub(super) fn sign_grown(&self) {
        for log in self.all_logs() {
            let head = log.head();
            let signed = log
                .checkpoint()
                .borrow()
                .as_ref()
                .map_or(0, |checkpoint| checkpoint.size);
            if head.links > signed && log.phase() == Phase::Open {
                let head = TreeHead::of(&head.tree, head.closed_entries());
                self.notify(Notice::Grown { log, head });
            }
        }
    }
}

/// Where idle workers sleep. Producers pay one atomic load while nobody sleeps.
#[derive(Default)]
pub(super) struct Wakeup {
    sleepers: AtomicUsize,
    lock: Mutex<()>,
    condition: Condvar,
}

impl Wakeup {
    /// Sleeps until woken, unless there is work. A worker counts itself before it looks, a
    /// producer looks for sleepers after it has put something in: one of them sees the other.
    pub(super) fn park(&self, has_work: impl Fn() -> bool) {
        let guard = lock(&self.lock);
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        if !has_work() {
            drop(
                self.condition
                    .wait(guard)
                    .unwrap_or_else(PoisonError::into_inner),
            );
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    /// The fence stands between what was put in and the look at the sleepers, as the count stands
    /// before the look at the work in `park`.
    pub(super) fn wake_one(&self) {
        std::sync::atomic::fence(Ordering::SeqCst);
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            let _guard = lock(&self.lock);
            self.condition.notify_one();
        }
    }

    /// For changes that concern every worker: a start, a repair, the end.
    pub(super) fn wake_all(&self) {
        let _guard = lock(&self.lock);
        self.condition.notify_all();
    }
}

/// What committers wait for: logs that have something to commit, and calls to seal what is small.
#[derive(Default)]
pub(super) struct Ready {
    state: Mutex<ReadyState>,
    condition: Condvar,
}

/// One call is enough: whoever comes once finds all that was put in before.
#[derive(Default)]
struct ReadyState {
    logs: VecDeque<Arc<Log>>,
    /// Committers that wait.
    idle: usize,
    /// Whether a waiting committer was called and has not come yet.
    called: bool,
    closed: bool,
}

/// What a committer does next.
pub(super) enum Duty {
    /// Commit what a log has.
    Commit(Arc<Log>),
    /// Look whether something small is to be sealed.
    Seal,
    /// Nothing ever again.
    End,
}

impl Ready {
    /// Puts a log behind those that are ready; `State::schedule` says when, so that it comes once.
    pub(super) fn push(&self, log: Arc<Log>) {
        let mut state = lock(&self.state);
        state.logs.push_back(log);
        if state.idle > 0 {
            self.condition.notify_one();
        }
    }

    /// Calls a committer that waits to look for something to seal; `false` if none does. One that
    /// was called and has not come yet will find this too.
    pub(super) fn call(&self) -> bool {
        let mut state = lock(&self.state);
        // Logs that are ready take committers first.
        if state.logs.len() >= state.idle {
            return false;
        }
        if !state.called {
            state.called = true;
            self.condition.notify_one();
        }
        true
    }

    /// What to do next, once there is something.
    pub(super) fn wait(&self) -> Duty {
        let mut state = lock(&self.state);
        state.idle += 1;
        let duty = loop {
            if let Some(log) = state.logs.pop_front() {
                break Duty::Commit(log);
            }
            if state.called {
                state.called = false;
                break Duty::Seal;
            }
            if state.closed {
                break Duty::End;
            }
            state = self
                .condition
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        };
        state.idle -= 1;
        duty
    }

    /// Puts a log at the end, and takes the first: the same one, if no other waits.
    pub(super) fn swap(&self, log: Arc<Log>) -> Option<Arc<Log>> {
        let logs = &mut lock(&self.state).logs;
        logs.push_back(log);
        logs.pop_front()
    }

    /// The first log, if there is one.
    pub(super) fn pop(&self) -> Option<Arc<Log>> {
        lock(&self.state).logs.pop_front()
    }

    /// What is here is still done; then everybody ends.
    pub(super) fn close(&self) {
        lock(&self.state).closed = true;
        self.condition.notify_all();
    }
}
