//! The engine: entries in, durable and chained; acknowledged only then.
//!
//! ```text
//! append ─► queue ─► workers: ticket, seal ─► committer: link, append, sync ─► answer
//!                       └─ tags ◄──────────── index ◄─────┘        └─ close ─► notary ─► indexer
//! ```
//!
//! Nothing here knows HTTP, tokens' rights, or what an entry says beyond its time and subjects.
//!
//! What counts is decided in one place, the committer: whoever waits is told that a request is on
//! disk when the sync of its link has returned, and is told an error otherwise. An answer that does
//! not come says nothing: a client that must know sends an idempotency key.

mod activity;
mod budget;
mod committer;
mod core;
mod error;
mod haul;
mod index;
mod keyed;
mod log;
mod notary;
mod options;
mod queue;
mod rebuild;
mod recovery;
mod roll;
mod stop;
mod tags;
mod worker;

use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

pub use self::core::{Counters, Space};
pub use activity::HOURS;
pub use error::IngestError;
pub use index::{SegmentIndex, SubjectKey, subject_key};
pub use log::{ClosedHead, Head, Log, Phase, Recent, RecentHits};
pub use options::Options;
pub use queue::Acknowledgement;

use self::core::Core;
use crate::catalog::{Catalog, RequestRow, ToIndex};
use crate::digest::Digest;
use crate::event::Entries;
use crate::ids::LogName;
use crate::keyring::Keyring;
use crate::random::Random;
use crate::sealer::Sealer;
use crate::sequencer::Sequencer;
use crate::state::State;
use crate::store::Storage;
use crate::time::{Clock, Timestamp};
use log::{Commit, lock};
use queue::Group;

/// What the engine works with.
pub struct Devices {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
    /// Segments.
    pub storage: Arc<dyn Storage>,
    /// Keys.
    pub keyring: Arc<Keyring>,
    /// Checkpoints.
    pub state: State,
    /// What is known of closed segments.
    pub catalog: Catalog,
}

/// When a request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// When every entry is on disk and chained.
    Synced,
    /// When it is queued.
    Queued,
}

/// A request's entries, ready to append.
pub struct Append {
    /// The entries, at least one.
    pub entries: Entries,
    /// `H(token id ‖ key)` and `H(body)`, if an idempotency key came with them.
    pub key: Option<(Digest, Digest)>,
    /// When the request was received.
    pub received_at: Timestamp,
    /// How many of the entries are quarantined.
    pub quarantined: u32,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Its entries are on disk and chained.
    Acknowledged(Acknowledgement),
    /// The same request was acknowledged before.
    Repeated(Acknowledgement),
    /// Its entries are queued.
    Queued,
}

/// The engine, running.
pub struct Ingest {
    /// Its threads hold it too: it goes when they have ended.
    core: Arc<Core>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Ingest {
    /// Starts the engine, and the recovery of every log that there is. Closed segments are sent
    /// to `indexer`. Must be called within a tokio runtime.
    pub async fn start(
        options: Options,
        devices: Devices,
        indexer: mpsc::UnboundedSender<ToIndex>,
    ) -> io::Result<Self> {
        let (notices, receiver) = mpsc::unbounded_channel();
        let core = Arc::new(Core::new(options, devices, notices));
        core.look_at_space();
        let mut names = core.storage.logs()?;
        let signed = core
            .state
            .checkpointed_logs()
            .await
            .map_err(io::Error::other)?;
        // A log that was signed and whose folder is gone is there, and recovery says that it is
        // `TRUNCATED`.
        names.extend(signed);
        names.sort();
        names.dedup();
        for name in &names {
            insert_log(&core, name);
        }
        let threads = spawn_threads(&core)?;
        tokio::spawn(notary::run(core.clone(), receiver, indexer));
        tokio::spawn(tick(core.clone()));
        recover_all(&core);
        Ok(Self {
            core,
            threads: Mutex::new(threads),
        })
    }

    /// A log, if there is one of this name.
    pub fn log(&self, name: &LogName) -> Option<Arc<Log>> {
        self.core.log(name)
    }

    /// All logs, by name.
    pub fn logs(&self) -> Vec<Arc<Log>> {
        self.core.all_logs()
    }

    /// A log, made if there is none. Its folder is made with its first entry.
    pub fn log_or_new(&self, name: &LogName) -> Result<Arc<Log>, IngestError> {
        if let Some(log) = self.core.log(name) {
            return Ok(log);
        }
        let mut logs = self
            .core
            .logs
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(log) = logs.get(name) {
            return Ok(log.clone());
        }
        if logs.len() >= self.core.options.max_logs && !name.is_reserved() {
            return Err(IngestError::TooManyLogs);
        }
        let log = Arc::new(Log::new(
            name.clone(),
            self.core.keyring.origin.of_log(name),
        ));
        let sequencer = Sequencer::new(log.log_id);
        log.open(
            Commit {
                sequencer,
                open: None,
            },
            0,
        );
        logs.insert(name.clone(), log.clone());
        Ok(log)
    }

    /// Appends a request's entries to a log, all or nothing.
    pub async fn append(
        &self,
        log: &Arc<Log>,
        append: Append,
        durability: Durability,
    ) -> Result<Outcome, IngestError> {
        self.check(log)?;
        match append.key {
            None => self.enqueue(log, append, durability).await?.outcome().await,
            Some((key_hash, body_hash)) => {
                self.append_keyed(log, append, durability, key_hash, body_hash)
                    .await
            }
        }
    }

    /// Appends without waiting for room, and without an answer later: for measuring the queue.
    pub fn try_append(&self, log: &Arc<Log>, append: Append) -> Result<(), Box<Append>> {
        let Some(room) = self.core.entries.try_room(&append.entries) else {
            return Err(Box::new(append));
        };
        self.push(log, append, room, None);
        Ok(())
    }

    /// Where the entries of a subject are that the catalog may not know yet.
    pub async fn recent(
        &self,
        log: &Arc<Log>,
        key: &SubjectKey,
    ) -> Result<RecentHits, IngestError> {
        self.wait_until_open(log).await?;
        loop {
            let hits = log.recent(key);
            if !hits.dropped {
                return Ok(hits);
            }
            self.rebuild(log).await?;
        }
    }

    /// Whether the engine takes nothing more.
    pub fn is_stopping(&self) -> bool {
        self.core.stopping.load(Ordering::Acquire)
    }

    /// Counters since the start.
    pub fn counters(&self) -> &Counters {
        &self.core.counters
    }

    /// Bytes on the way, and bytes that may be.
    pub fn queue_fill(&self) -> (usize, usize) {
        self.core.entries.fill()
    }

    /// Data subjects of active segments whose tags are still to be computed.
    pub fn untagged_subjects(&self) -> usize {
        self.core.tags.subjects()
    }

    /// How much disk space there is.
    pub fn space(&self) -> Space {
        self.core.space()
    }

    /// The last trouble that needs a person.
    pub fn last_trouble(&self) -> Option<String> {
        self.core.last_trouble()
    }

    /// Whether requests may come in: the engine runs and the log is open.
    fn check_running(&self, log: &Log) -> Result<(), IngestError> {
        match self.is_stopping() {
            true => Err(IngestError::Stopping),
            false => log.phase().check(),
        }
    }

    /// The reserve of disk space is for what must not stop: reads that are audited, and closes.
    fn check(&self, log: &Log) -> Result<(), IngestError> {
        self.check_running(log)?;
        match (self.core.space(), log.name.is_reserved()) {
            (Space::Spent, _) | (Space::ReserveOnly, false) => Err(IngestError::NoSpace),
            _ => Ok(()),
        }
    }

    /// Waits for room in the log's lane. Cancelled while it waits, nothing was taken; after that
    /// nothing awaits, so that a group is either in the queue or not there.
    async fn enqueue(
        &self,
        log: &Arc<Log>,
        append: Append,
        durability: Durability,
    ) -> Result<Waiting, IngestError> {
        let lane = if log.name.is_reserved() {
            &self.core.access
        } else {
            &self.core.entries
        };
        let room = lane.room(&append.entries).await.inspect_err(|_| {
            self.core.counters.busy.fetch_add(1, Ordering::Relaxed);
        })?;
        let (reply, answer) = match durability {
            Durability::Synced => {
                let (reply, answer) = oneshot::channel();
                (Some(reply), Some(answer))
            }
            Durability::Queued => (None, None),
        };
        self.push(log, append, room, reply);
        Ok(Waiting(answer))
    }

    /// Puts a group into its lane, whose place `room` is, and wakes whoever seals.
    fn push(
        &self,
        log: &Arc<Log>,
        append: Append,
        room: queue::Room,
        reply: Option<oneshot::Sender<queue::Answer>>,
    ) {
        let counters = &self.core.counters;
        counters
            .entries
            .fetch_add(append.entries.len() as u64, Ordering::Relaxed);
        counters.requests.fetch_add(1, Ordering::Relaxed);
        let Append {
            entries,
            key,
            received_at,
            quarantined,
        } = append;
        let group = Group {
            log: log.clone(),
            entries,
            key,
            received_at,
            quarantined,
            reply,
            room,
        };
        let lane = if log.name.is_reserved() {
            &self.core.access
        } else {
            &self.core.entries
        };
        match lane.push(Box::new(group)) {
            Ok(()) => self.core.wake_for(log),
            Err(group) => group.answer(Err(IngestError::Busy)),
        }
    }

    /// Reads the active segment again, on a blocking thread and under `commit`, so that no batch is
    /// added meanwhile and missed. Two that ask at once rebuild once: the second finds it done.
    async fn rebuild(&self, log: &Arc<Log>) -> Result<(), IngestError> {
        let (core, log) = (self.core.clone(), log.clone());
        let rebuilt = tokio::task::spawn_blocking(move || {
            let commit = lock(&log.commit);
            if let Some(number) = log.dropped() {
                let fresh = rebuild::rebuild_active(&core, &log, &commit)?;
                core.tags.push(&log, number, fresh, false);
                core.wakeup.wake_all();
            }
            Ok(())
        });
        rebuilt.await.unwrap_or(Err(IngestError::Stopping))
    }

    /// A start may still be reading the log; a repair is not waited for, since it may never end.
    async fn wait_until_open(&self, log: &Log) -> Result<(), IngestError> {
        const PATIENCE: Duration = Duration::from_secs(30);
        let until = Instant::now() + PATIENCE;
        while log.phase() == Phase::Recovering && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        log.phase().check()
    }
}

/// A request on its way to the disk.
struct Waiting(Option<oneshot::Receiver<queue::Answer>>);

impl Waiting {
    /// Waits for the answer. One that was dropped means that the engine has ended.
    async fn outcome(self) -> Result<Outcome, IngestError> {
        match self.0 {
            None => Ok(Outcome::Queued),
            Some(answer) => answer
                .await
                .unwrap_or(Err(IngestError::Stopping))
                .map(Outcome::Acknowledged),
        }
    }
}

impl Acknowledgement {
    fn of(row: &RequestRow) -> Self {
        Self {
            first_entry: row.first_entry,
            count: row.entry_count,
            link: row.link,
            link_hash: row.link_hash,
            received_at: row.received_at,
        }
    }
}

/// A log that is yet to be recovered.
fn insert_log(core: &Core, name: &LogName) -> Arc<Log> {
    let log = Arc::new(Log::new(name.clone(), core.keyring.origin.of_log(name)));
    core.logs
        .write()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(name.clone(), log.clone());
    log
}

/// Workers and committers, each with a compressor of its own; joined by `shutdown`.
fn spawn_threads(core: &Arc<Core>) -> io::Result<Vec<JoinHandle<()>>> {
    let mut threads = Vec::new();
    let level = core.options.compression_level;
    for number in 0..core.options.workers.max(1) {
        let (core, sealer) = (core.clone(), Sealer::new(level)?);
        let name = format!("worker-{number}");
        threads.push(
            std::thread::Builder::new()
                .name(name)
                .spawn(move || worker::run(&core, sealer))?,
        );
    }
    for number in 0..core.options.committers.max(1) {
        let (core, sealer) = (core.clone(), Sealer::new(level)?);
        let name = format!("committer-{number}");
        threads.push(
            std::thread::Builder::new()
                .name(name)
                .spawn(move || committer::run(&core, sealer))?,
        );
    }
    Ok(threads)
}

/// Recovers all logs in the background, as many at once as there are cores.
fn recover_all(core: &Arc<Core>) {
    let logs = Arc::new(Mutex::new(core.all_logs()));
    for _ in 0..core.options.workers.max(1) {
        let (core, logs) = (core.clone(), logs.clone());
        core.runtime.clone().spawn_blocking(move || {
            while let Some(log) = { lock(&logs).pop() } {
                recovery::start(&core, &log);
            }
        });
    }
}

/// What must be done every now and then.
async fn tick(core: Arc<Core>) {
    let mut ticks = tokio::time::interval(Duration::from_millis(100));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut signed_at = Instant::now();
    let mut rolled_at = Instant::now();
    loop {
        ticks.tick().await;
        if core.stopped.load(Ordering::Acquire) {
            return;
        }
        core.look_at_space();
        if rolled_at.elapsed() >= Duration::from_secs(1) {
            core.roll_old();
            rolled_at = Instant::now();
        }
        if signed_at.elapsed() >= core.options.checkpoint_interval {
            core.sign_grown();
            signed_at = Instant::now();
        }
    }
}
