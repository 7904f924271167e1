//! `state.db`: what cannot be rebuilt. SQLite in WAL mode, synchronous FULL.
//!
//! Trusted with: who may do what, and the newest checkpoint of each log. Whoever edits it can
//! let themselves in, or make the server forget a checkpoint (which witnesses and anybody with
//! an older copy still see); they cannot read a sealed entry, nor make an altered log verify.
//! Knows no subject: questions of exports, and cases, are sealed.
//!
//! What must not come apart is one statement or one transaction, so that a crash leaves no half of
//! a change. Secrets rest as hashes, keys wrapped, questions and reasons sealed; names of accounts,
//! logs and times are in the clear, and are what a backup of this file gives away.

mod cases;
mod checkpoints;
mod checks;
mod jobs;
mod links;
mod people;
mod reveals;
mod sessions;
mod settings;
mod tokens;

use std::path::Path;
use std::time::Duration;

use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};

use crate::store::make_private;

pub use cases::{CaseHead, CaseRow};
pub use checkpoints::{CheckpointQuery, Kept, StoredCheckpoint, Swap};
pub use checks::{CheckedRange, Finished, LogCheck, VerificationQuery, VerificationRow};
pub use jobs::{ExportRow, JobStatus};
pub use links::LinkRow;
pub use people::PersonRow;
pub use reveals::RevealRow;
pub use settings::LogSettings;
pub use tokens::{NewToken, NoRole, Role, TokenRow};

/// The open database.
/// A clone is the same database; any thread may ask.
#[derive(Clone)]
pub struct State {
    pool: SqlitePool,
}

/// A failure of the database.
/// No caller can mend it; of a statement or transaction that failed nothing stays.
#[derive(Debug, thiserror::Error)]
#[error("state.db: {0}")]
pub struct StateError(String);

impl From<sqlx::Error> for StateError {
    fn from(error: sqlx::Error) -> Self {
        Self(error.to_string())
    }
}

impl State {
    /// Opens the database, makes it if it is not there (for its owner alone), and brings it up
    /// to date.
    /// Migrations run here, before anybody else can ask.
    pub async fn open(path: &Path) -> Result<Self, StateError> {
        make_private(path).map_err(|error| StateError(error.to_string()))?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // What was said to be revoked, signed or decided must be so after a crash.
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(10))
            .foreign_keys(true);
        let pool = SqlitePoolOptions::new()
            .max_connections(4)
            .connect_with(options)
            .await?;
        sqlx::migrate!("migrations/state")
            .run(&pool)
            .await
            .map_err(|error| StateError(error.to_string()))?;
        Ok(Self { pool })
    }

    /// Closes the database, its write-ahead log merged.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// A blob of fixed length, as read.
fn array<const N: usize>(bytes: Vec<u8>, column: &str) -> Result<[u8; N], StateError> {
    bytes
        .try_into()
        .map_err(|_| StateError(format!("column {column} has a wrong length")))
}
