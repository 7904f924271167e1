//! What people and services do with logs: append, search, export, verify, manage.
//!
//! Every function here takes a [`Caller`], asks whether it may, and, where it shows what an entry
//! says, first writes to the log `_access` and waits until that is on disk. Nothing here knows
//! HTTP or HTML.
//!
//! A use case keeps one order: the role, the logs of the account, what is asked, the entry in
//! `_access`, and only then the reading. A reading that fails behind its entry leaves an entry
//! about nothing; the other way round somebody could read unseen by stopping the server in between.

mod access;
mod access_log;
mod append;
mod caller;
mod cases;
mod check;
mod checkpoints;
mod coverage;
mod days;
mod entry;
mod error;
pub mod export;
mod find;
mod guard;
mod integrity;
mod logs;
mod metrics;
mod overview;
mod password;
mod people;
mod pieces;
mod reader;
mod refusals;
pub mod rights;
mod search;
mod session;
mod sign_ins;
mod tree;
mod window;

use std::io;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lru::LruCache;

pub use access::{Purpose, Reading, operation_key};
pub use access_log::{
    AccessAct, AccessPage, AccessRequest, DecisionRequest, NameRequest, NameView, ShownName,
};
pub use append::{AppendRequest, Intake, IntakeError, Receipt, ReceiptLink, ReceiptQuarantined};
pub use caller::{AccountRequest, Caller, MadeToken, TokenView, new_token};
use caller::{LINK_ACTOR, pseudonym};
pub use cases::{
    CaseExportRequest, CaseExportView, CaseFilter, CaseRequest, CaseSteps, CaseSummary, CaseView,
    OpenCasesPage,
};
pub use check::{CheckStep, CheckedPart, StepVerdict};
pub use checkpoints::{CheckpointCheck, CheckpointRequest, CheckpointsPage, KeptCheckpoint};
pub use days::{Bar, Days, Unit};
pub use entry::{EntryRequest, EntryView, LinkView, Proof};
pub use error::AuditError;
pub use integrity::{
    FindingView, SegmentLink, SegmentLinks, SegmentVerdict, VerificationOutcome,
    VerificationProgress, VerificationRequest, VerificationView, VerificationsFilter,
    VerificationsPage, VerificationsRequest,
};
pub use logs::{
    CheckpointView, Health, KeyView, LogRequest, LogView, RangeFilter, SegmentView, SegmentsPage,
};
pub use overview::{Attention, LastCheck, LogState, Overview, OverviewFilter};
pub use people::{MadePerson, PersonView, first_password, name_is_taken, new_person};
pub use pieces::Pieces;
pub use search::{Completeness, Filter, FoundEntry, SearchPage, SearchRequest};

pub use session::{SignIn, Whence};

use crate::catalog::Catalog;
use crate::digest::Digest;
use crate::event::Limits as EventLimits;
use crate::ingest::Ingest;
pub use crate::ingest::{Durability, IngestError};
use crate::keyring::Keyring;
use crate::random::Random;
pub use crate::state::Role;
use crate::state::{State, TokenRow};
use crate::store::{DataFolder, Storage};
use crate::time::{Clock, Timestamp};

/// Settings of the use cases.
#[derive(Debug, Clone)]
pub struct Options {
    /// Bounds of events.
    pub events: EventLimits,
    /// How long an export is kept.
    pub export_keep_micros: i64,
    /// How long a session lasts unused.
    pub session_idle_micros: i64,
    /// How long a session lasts at all.
    pub session_micros: i64,
    /// How long a token's validity is believed without asking `state.db`.
    pub token_cache: Duration,
    /// Unpacked bodies in flight.
    pub in_flight_bytes: usize,
    /// How often each log is checked for what is new; never, if absent.
    pub verify_micros: Option<i64>,
    /// Whether these checks open every payload.
    pub verify_deep: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            events: EventLimits::default(),
            export_keep_micros: crate::limits::EXPORT_KEEP_MICROS,
            session_idle_micros: crate::limits::SESSION_IDLE_MICROS,
            session_micros: crate::limits::SESSION_MICROS,
            token_cache: Duration::from_secs(2),
            in_flight_bytes: crate::limits::MAX_IN_FLIGHT_BYTES,
            verify_micros: None,
            verify_deep: false,
        }
    }
}

/// What the use cases work with.
pub struct Parts {
    /// The engine.
    pub ingest: Ingest,
    /// Segments.
    pub storage: Arc<dyn Storage>,
    /// The data folder, for exports' files.
    pub folder: DataFolder,
    /// Keys.
    pub keyring: Arc<Keyring>,
    /// Tokens, sessions, jobs.
    pub state: State,
    /// Closed segments.
    pub catalog: Catalog,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
}

/// The use cases.
pub struct Audit {
    parts: Parts,
    options: Options,
    /// Rows of tokens by the hash of their secret, and when they were read: believed for
    /// `Options::token_cache`, forgotten at once when this process revokes one. Held for a lookup
    /// only, never across an await.
    tokens: Mutex<LruCache<Digest, (Arc<TokenRow>, Timestamp)>>,
    /// One permit a byte of unpacked bodies (`append`).
    in_flight: tokio::sync::Semaphore,
    /// Exports, on a thread of their own.
    runner: export::Runner,
    /// The check that is being made.
    verifications: integrity::Verifications,
    /// Appends that were refused since the start, by reason: for the overview and the metrics.
    refusals: refusals::Refusals,
    /// Sign-ins that were refused.
    sign_ins: sign_ins::RefusedSignIns,
    started_at: Timestamp,
    /// Password hashing, bounded in memory.
    hasher: password::Hasher,
    /// Guesses so far: passwords' and pass phrases'.
    guard: guard::Guard,
}

/// Tokens whose rows are kept in memory. More than that cost a query each, not a refusal.
const CACHED_TOKENS: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();

impl Audit {
    /// The use cases over these parts; export jobs go on where they were. Must be called within
    /// a tokio runtime.
    pub fn start(parts: Parts, options: Options) -> io::Result<Arc<Self>> {
        let (runner, jobs) = export::Runner::new();
        let started_at = parts.clock.now();
        let in_flight = tokio::sync::Semaphore::new(options.in_flight_bytes);
        let audit = Arc::new(Self {
            parts,
            options,
            tokens: Mutex::new(LruCache::new(CACHED_TOKENS)),
            in_flight,
            runner,
            verifications: integrity::Verifications::default(),
            refusals: refusals::Refusals::default(),
            sign_ins: sign_ins::RefusedSignIns::default(),
            started_at,
            hasher: password::Hasher::new(),
            guard: guard::Guard::new(),
        });
        export::spawn(&audit, jobs)?;
        audit.spawn_verifications();
        Ok(audit)
    }

    /// The engine, for whoever stops it.
    pub fn ingest(&self) -> &Ingest {
        &self.parts.ingest
    }

    /// The current time.
    pub fn now(&self) -> Timestamp {
        self.parts.clock.now()
    }
}
