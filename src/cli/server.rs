//! Putting a server together: devices, engine, use cases; and taking it apart.
//!
//! The order of `start` is that of trust: the lock before anything is read, keys before what they
//! open, devices before the engine. `stop` goes the other way round, and closes the databases last.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::mpsc;

use crate::audit::{AccountRequest, Audit, Caller, Parts, new_token};
use crate::catalog::Catalog;
use crate::config::Config;
use crate::ids::{LogName, TokenId};
use crate::indexer::Indexer;
use crate::ingest::{Devices, Ingest, Phase};
use crate::keyring::Keyring;
use crate::state::State;
use crate::store::{DataFolder, FileStorage, FolderLock, Storage, SystemClock, SystemRandom};
use crate::time::Clock as _;

use super::Failure;

/// How long the admin token of the first start lasts, and others of this machine's own use.
const FIRST_TOKEN_MICROS: i64 = 24 * 3600 * 1_000_000;

/// A server's parts, running.
pub struct Server {
    /// The use cases.
    pub audit: Arc<Audit>,
    /// The admin token of the first start.
    pub first_token: Option<String>,
    /// Whether the KEK rests beside the data.
    pub kek_beside_data: bool,
    /// Clones of what the parts have, to be closed in the end.
    state: State,
    catalog: Catalog,
    indexer: JoinHandle<()>,
    /// Held as long as the server: two on one folder would fork its logs.
    _lock: FolderLock,
}

impl Server {
    /// Takes the data folder and starts everything but the listener.
    pub async fn start(config: &Config) -> Result<Self, Failure> {
        let folder = DataFolder::new(&config.data);
        // Before the keys: two first starts must not make two of them.
        let lock = folder.lock()?;
        let random = Arc::new(SystemRandom);
        let clock = Arc::new(SystemClock);
        let keyring = Arc::new(Keyring::open_or_make(&folder, &config.keyring, &*random)?);
        let kek_beside_data = keyring.kek_beside_data;
        let state = State::open(&folder.state_db()).await?;
        let catalog = open_catalog(&folder).await?;
        let open_files = NonZeroUsize::new(config.open_files).unwrap_or(NonZeroUsize::MIN);
        let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(folder.clone(), open_files));
        let (to_index, work) = mpsc::unbounded_channel();
        let indexer = Indexer {
            storage: storage.clone(),
            keyring: keyring.clone(),
            catalog: catalog.clone(),
            clock: clock.clone(),
        };
        let indexer = indexer.spawn(work)?;
        let devices = Devices {
            clock: clock.clone(),
            random: random.clone(),
            storage: storage.clone(),
            keyring: keyring.clone(),
            state: state.clone(),
            catalog: catalog.clone(),
        };
        let ingest = Ingest::start(config.ingest.clone(), devices, to_index).await?;
        let parts = Parts {
            ingest,
            storage,
            folder,
            keyring,
            state: state.clone(),
            catalog: catalog.clone(),
            clock,
            random,
        };
        let audit = Audit::start(parts, config.audit.clone())?;
        // Last: a start that fails must not use up the one token that is printed.
        let first_token = first_token(&state).await?;
        Ok(Self {
            audit,
            first_token,
            kek_beside_data,
            state,
            catalog,
            indexer,
            _lock: lock,
        })
    }

    /// A token that lasts a day, for this machine's own use.
    pub async fn token(&self, name: &str, role: &str) -> Result<String, Failure> {
        Ok(make_token(&self.state, name, role).await?.1)
    }

    /// A caller for a command that works on the folder itself; end it afterwards.
    pub async fn local_auditor(&self, name: &str) -> Result<(Caller, TokenId), Failure> {
        let (id, secret) = make_token(&self.state, name, "auditor").await?;
        Ok((self.audit.authenticate(&secret).await?, id))
    }

    /// Ends a caller of [`local_auditor`](Self::local_auditor).
    pub async fn end_local_auditor(&self, id: TokenId) -> Result<(), Failure> {
        self.state.revoke_token(id, SystemClock.now()).await?;
        Ok(())
    }

    /// Waits until the catalog knows the first `links` links of a log; a close link is the last.
    pub async fn wait_until_indexed(&self, log: &LogName, links: u64) -> Result<(), Failure> {
        loop {
            let row = self.catalog.last_segment_within(log, u64::MAX).await?;
            if row.map_or(0, |row| row.close_link + 1) >= links {
                return Ok(());
            }
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
    }

    /// How many closed segments of a log the catalog knows.
    pub async fn segments(&self, log: &LogName) -> Result<u64, Failure> {
        let row = self.catalog.last_segment_within(log, u64::MAX).await?;
        Ok(row.map_or(0, |row| row.number + 1))
    }

    /// Waits until no log is being recovered.
    pub async fn wait_until_recovered(&self) {
        let recovering = || {
            self.audit
                .ingest()
                .logs()
                .iter()
                .any(|log| log.phase() == Phase::Recovering)
        };
        while recovering() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    /// Finishes what was taken, closes all segments, and stops.
    pub async fn stop(self, config: &Config) -> Result<(), Failure> {
        let stopped = self.audit.ingest().shutdown(config.shutdown).await;
        drop(self.audit);
        let indexer = self.indexer;
        let ended = tokio::task::spawn_blocking(move || indexer.join());
        // The catalog catches up at the next start.
        let _ = tokio::time::timeout(config.shutdown, ended).await;
        self.catalog.close().await;
        self.state.close().await;
        stopped.map_err(|_| Failure::new("not everything could be closed in time; the next start goes on from what is on disk"))
    }
}

/// A catalog that cannot be opened is rebuilt: nothing lives in it alone.
async fn open_catalog(folder: &DataFolder) -> Result<Catalog, Failure> {
    let path = folder.catalog_db();
    match Catalog::open(&path).await {
        Ok(catalog) => Ok(catalog),
        Err(error) => {
            tracing::warn!("{error}; it is rebuilt from the segments");
            for suffix in ["", "-wal", "-shm"] {
                let mut name = path.clone().into_os_string();
                name.push(suffix);
                let _ = std::fs::remove_file(name);
            }
            Ok(Catalog::open(&path).await?)
        }
    }
}

/// An admin's token for a folder in which nobody can sign in yet; it is shown once and never again.
async fn first_token(state: &State) -> Result<Option<String>, Failure> {
    if state.has_accounts().await? {
        return Ok(None);
    }
    Ok(Some(make_token(state, "first start", "admin").await?.1))
}

/// Makes and keeps a token that lasts a day.
async fn make_token(state: &State, name: &str, role: &str) -> Result<(TokenId, String), Failure> {
    let now = SystemClock.now();
    let request = AccountRequest {
        name: name.into(),
        role: role.into(),
        logs: None,
        expires: Some(now.plus_micros(FIRST_TOKEN_MICROS).to_string()),
    };
    let (token, secret) = new_token(&request, now, &SystemRandom)?;
    state.add_token(&token).await?;
    Ok((token.id, secret))
}
