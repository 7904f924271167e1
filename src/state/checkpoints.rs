//! The newest checkpoint of each log.
//!
//! The one place where the promise of one history is kept: a checkpoint that was not the newest
//! here is shown to nobody. Put back together with older segments, an older copy of this file lets
//! the server sign a second history from there on, which only witnesses, or a checkpoint already
//! given out, show.

use sqlx::Row as _;

use super::{State, StateError, array};
use crate::digest::Digest;
use crate::ids::LogName;
use crate::time::Timestamp;

/// A checkpoint as it was signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCheckpoint {
    /// Number of links it covers.
    /// Only ever grows.
    pub size: u64,
    /// Root over them.
    pub root: Digest,
    /// The signed note.
    /// Kept as it was signed, so that copies are equal byte for byte.
    pub note: String,
    /// When it was signed.
    pub signed_at: Timestamp,
}

/// What came of a swap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swap {
    /// It is the newest now.
    Done,
    /// A newer one, or another one of the same size, is there already.
    /// The caller tells which: an older one is no trouble, another root of one size is a second
    /// history.
    Refused,
}

impl State {
    /// The newest checkpoint of a log.
    pub async fn checkpoint(&self, log: &LogName) -> Result<Option<StoredCheckpoint>, StateError> {
        let row = sqlx::query("SELECT size, root, note, signed_at FROM checkpoints WHERE log = ?")
            .bind(log.as_str())
            .fetch_optional(&self.pool)
            .await?;
        row.map(|row| {
            Ok(StoredCheckpoint {
                size: row.try_get::<i64, _>(0)? as u64,
                root: Digest(array(row.try_get(1)?, "root")?),
                note: row.try_get(2)?,
                signed_at: Timestamp(row.try_get(3)?),
            })
        })
        .transpose()
    }

    /// The logs that have a checkpoint.
    pub async fn checkpointed_logs(&self) -> Result<Vec<LogName>, StateError> {
        let rows = sqlx::query("SELECT log FROM checkpoints")
            .fetch_all(&self.pool)
            .await?;
        rows.iter()
            .map(|row| LogName::new(row.try_get(0)?).map_err(|error| StateError(error.to_string())))
            .collect()
    }

    /// Makes `new` a log's newest checkpoint if it covers more than the one there.
    ///
    /// One statement, so that no other writer comes between the comparison and the write. A size of
    /// the same number is refused whatever its root.
    pub async fn swap_checkpoint(
        &self,
        log: &LogName,
        new: &StoredCheckpoint,
    ) -> Result<Swap, StateError> {
        let done = sqlx::query(
            "INSERT INTO checkpoints (log, size, root, note, signed_at) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (log) DO UPDATE SET size = excluded.size, root = excluded.root,
             note = excluded.note, signed_at = excluded.signed_at WHERE excluded.size > size",
        )
        .bind(log.as_str())
        .bind(new.size as i64)
        .bind(new.root.0.as_slice())
        .bind(&new.note)
        .bind(new.signed_at.0)
        .execute(&self.pool)
        .await?;
        Ok(if done.rows_affected() == 1 {
            Swap::Done
        } else {
            Swap::Refused
        })
    }
}
