//! An engine on a temporary folder, without HTTP.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use estreat::catalog::Catalog;
use estreat::event::{self, Entries};
use estreat::ids::{LogName, TokenId};
use estreat::indexer::Indexer;
use estreat::ingest::{
    Acknowledgement, Append, Devices, Durability, Ingest, IngestError, Options, Outcome,
};
use estreat::keyring::{self, Keyring};
use estreat::state::State;
use estreat::store::{
    DataFolder, FileStorage, FolderError, FolderLock, Storage, SystemClock, SystemRandom,
};
use estreat::time::{Clock, Timestamp};
use tokio::sync::mpsc;

/// A running engine with all its devices.
pub struct Engine {
    pub ingest: Ingest,
    pub storage: Arc<dyn Storage>,
    pub keyring: Arc<Keyring>,
    pub state: State,
    pub catalog: Catalog,
    indexer: std::thread::JoinHandle<()>,
    _lock: FolderLock,
}

impl Engine {
    /// Starts on a folder; exports may roll at any time.
    pub async fn start(root: &Path) -> Self {
        let options = Options {
            roll_interval_micros: 0,
            ..Options::default()
        };
        Self::start_with(root, options, |storage| storage).await
    }

    /// Starts with options, and with the storage wrapped.
    pub async fn start_with(
        root: &Path,
        options: Options,
        wrap: impl FnOnce(Arc<dyn Storage>) -> Arc<dyn Storage>,
    ) -> Self {
        Self::start_at(root, options, Arc::new(SystemClock), wrap).await
    }

    /// Starts with a clock of its own.
    pub async fn start_at(
        root: &Path,
        options: Options,
        clock: Arc<dyn Clock>,
        wrap: impl FnOnce(Arc<dyn Storage>) -> Arc<dyn Storage>,
    ) -> Self {
        let folder = DataFolder::new(root);
        let lock = lock(&folder);
        let random = Arc::new(SystemRandom);
        let keyring = Keyring::open_or_make(&folder, &keyring::Options::default(), &*random);
        let keyring = Arc::new(keyring.expect("keys"));
        let state = State::open(&folder.state_db()).await.expect("state.db");
        let catalog = Catalog::open(&folder.catalog_db())
            .await
            .expect("catalog.db");
        let open_files = NonZeroUsize::new(64).expect("not zero");
        let storage = wrap(Arc::new(FileStorage::new(folder, open_files)));
        let devices = Devices {
            clock: clock.clone(),
            random,
            storage: storage.clone(),
            keyring: keyring.clone(),
            state: state.clone(),
            catalog: catalog.clone(),
        };
        let (sender, work) = mpsc::unbounded_channel();
        let indexer = Indexer {
            storage: storage.clone(),
            keyring: keyring.clone(),
            catalog: catalog.clone(),
            clock: clock.clone(),
        };
        let indexer = indexer.spawn(work).expect("a thread");
        let ingest = Ingest::start(options, devices, sender)
            .await
            .expect("the engine starts");
        Self {
            ingest,
            storage,
            keyring,
            state,
            catalog,
            indexer,
            _lock: lock,
        }
    }

    /// Appends events, and waits until they are durable.
    pub async fn append(&self, log: &str, body: &str) -> Result<Acknowledgement, IngestError> {
        let name = LogName::new(log).expect("a log name");
        let log = self.ingest.log_or_new(&name)?;
        let append = Append {
            entries: entries(body),
            key: None,
            received_at: Timestamp(1),
            quarantined: 0,
        };
        match self.ingest.append(&log, append, Durability::Synced).await? {
            Outcome::Acknowledged(acknowledgement) => Ok(acknowledgement),
            other => panic!("not acknowledged: {other:?}"),
        }
    }

    /// Stops as the server does.
    pub async fn stop(self) {
        self.ingest
            .shutdown(Duration::from_secs(60))
            .await
            .expect("a clean stop");
        tokio::task::spawn_blocking(|| self.indexer.join().expect("the indexer ends"))
            .await
            .expect("a thread");
        self.catalog.close().await;
        self.state.close().await;
    }
}

/// Events as entries.
pub fn entries(body: &str) -> Entries {
    let context = event::Context {
        received_at: Timestamp(1_777_887_012_123_456),
        submitted_by: TokenId([7; 16]),
        limits: event::Limits::default(),
    };
    event::read_body(body.as_bytes(), &context, event::OnInvalid::Refuse)
        .expect("good events")
        .entries
}

/// The folder's lock. Another test's child process may hold it a moment longer than its engine:
/// between fork and exec it has all files of this process.
fn lock(folder: &DataFolder) -> FolderLock {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        match folder.lock() {
            Err(FolderError::InUse(_)) if Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(5));
            }
            taken => return taken.expect("the folder is free"),
        }
    }
}
