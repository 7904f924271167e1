//! The newest checkpoint of each log, and some of those before it.
//!
//! The one place where the promise of one history is kept: a checkpoint that was not the newest
//! here is shown to nobody. Put back together with older segments, an older copy of this file lets
//! the server sign a second history from there on, which only witnesses, or a checkpoint already
//! given out, show. Those before the newest are kept to be shown and compared; nothing goes on
//! from them.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use super::{State, StateError, array};
use crate::digest::Digest;
use crate::ids::LogName;
use crate::limits::{CHECKPOINT_DAYS, CHECKPOINT_HOURS};
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

/// Why a checkpoint is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It is the newest.
    Newest,
    /// It was the last of an hour.
    Hour,
    /// It was the last of a day.
    Day,
    /// An export is proved against it: it is kept for ever.
    Export,
}

/// Which checkpoints of a log are asked for.
#[derive(Debug, Clone, Copy)]
pub struct CheckpointQuery {
    /// Signed at this moment or later.
    pub from: Timestamp,
    /// Signed before this moment.
    pub to: Timestamp,
    /// Of fewer links than this.
    pub below: u64,
    /// At most so many.
    pub limit: u32,
}

impl Kept {
    /// The word for it, in the API.
    pub fn word(self) -> &'static str {
        match self {
            Self::Newest => "newest",
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Export => "export",
        }
    }

    fn of(number: i64) -> Self {
        match number {
            HOUR => Self::Hour,
            DAY => Self::Day,
            EXPORT => Self::Export,
            _ => Self::Newest,
        }
    }
}

// How a past checkpoint is kept.
const HOUR: i64 = 0;
const DAY: i64 = 1;
const EXPORT: i64 = 2;

const HOUR_MICROS: i64 = 3_600_000_000;
const DAY_MICROS: i64 = 24 * HOUR_MICROS;

impl State {
    /// The newest checkpoint of a log.
    pub async fn checkpoint(&self, log: &LogName) -> Result<Option<StoredCheckpoint>, StateError> {
        let row = sqlx::query("SELECT size, root, note, signed_at FROM checkpoints WHERE log = ?")
            .bind(log.as_str())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(read_checkpoint).transpose()
    }

    /// Checkpoints of a log, the newest first.
    pub async fn checkpoints(
        &self,
        log: &LogName,
        query: CheckpointQuery,
    ) -> Result<Vec<(StoredCheckpoint, Kept)>, StateError> {
        let rows = sqlx::query(
            "SELECT size, root, note, signed_at, kept FROM (
                 SELECT size, root, note, signed_at, -1 AS kept FROM checkpoints WHERE log = ?1
                 UNION ALL
                 SELECT size, root, note, signed_at, kept FROM past_checkpoints WHERE log = ?1
                 AND size NOT IN (SELECT size FROM checkpoints WHERE log = ?1)
             ) WHERE size < ?2 AND signed_at >= ?3 AND signed_at < ?4 ORDER BY size DESC LIMIT ?5",
        )
        .bind(log.as_str())
        .bind(i64::try_from(query.below).unwrap_or(i64::MAX))
        .bind(query.from.0)
        .bind(query.to.0)
        .bind(query.limit)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| Ok((read_checkpoint(row)?, Kept::of(row.try_get(4)?))))
            .collect()
    }

    /// Keeps a checkpoint for ever, since an export is proved against it.
    pub async fn keep_for_export(
        &self,
        log: &LogName,
        checkpoint: &StoredCheckpoint,
    ) -> Result<(), StateError> {
        sqlx::query(
            "INSERT INTO past_checkpoints (log, size, root, note, signed_at, kept)
             VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (log, size) DO UPDATE SET kept = excluded.kept",
        )
        .bind(log.as_str())
        .bind(checkpoint.size as i64)
        .bind(checkpoint.root.0.as_slice())
        .bind(&checkpoint.note)
        .bind(checkpoint.signed_at.0)
        .bind(EXPORT)
        .execute(&self.pool)
        .await?;
        Ok(())
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

    /// Makes `new` a log's newest checkpoint if it covers more than the one there, which is kept
    /// if it was the last of its hour.
    ///
    /// The comparison and the write are one statement, so that no other writer comes between; the
    /// one before it, in the same transaction, writes once an hour. A size of the same number is
    /// refused whatever its root.
    pub async fn swap_checkpoint(
        &self,
        log: &LogName,
        new: &StoredCheckpoint,
    ) -> Result<Swap, StateError> {
        let mut both = self.pool.begin().await?;
        let past = sqlx::query(
            "INSERT INTO past_checkpoints (log, size, root, note, signed_at, kept)
             SELECT log, size, root, note, signed_at, signed_at / ?5 <> ?3 / ?5 FROM checkpoints
             WHERE log = ?1 AND size < ?2 AND signed_at / ?4 <> ?3 / ?4
             ON CONFLICT (log, size) DO NOTHING",
        )
        .bind(log.as_str())
        .bind(new.size as i64)
        .bind(new.signed_at.0)
        .bind(HOUR_MICROS)
        .bind(DAY_MICROS)
        .execute(&mut *both)
        .await?;
        if past.rows_affected() > 0 {
            thin(&mut both, log).await?;
        }
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
        .execute(&mut *both)
        .await?;
        both.commit().await?;
        Ok(if done.rows_affected() == 1 {
            Swap::Done
        } else {
            Swap::Refused
        })
    }
}

/// Forgets the oldest of those past checkpoints that are more than are kept. It counts rather than
/// looks at the time: a clock that ran ahead once makes it forget nothing.
async fn thin(connection: &mut SqliteConnection, log: &LogName) -> Result<(), StateError> {
    for (kept, most) in [(HOUR, CHECKPOINT_HOURS), (DAY, CHECKPOINT_DAYS)] {
        sqlx::query(
            "DELETE FROM past_checkpoints WHERE log = ?1 AND kept = ?2 AND size <=
             (SELECT size FROM past_checkpoints WHERE log = ?1 AND kept = ?2
              ORDER BY size DESC LIMIT 1 OFFSET ?3)",
        )
        .bind(log.as_str())
        .bind(kept)
        .bind(most)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

fn read_checkpoint(row: &SqliteRow) -> Result<StoredCheckpoint, StateError> {
    Ok(StoredCheckpoint {
        size: row.try_get::<i64, _>(0)? as u64,
        root: Digest(array(row.try_get(1)?, "root")?),
        note: row.try_get(2)?,
        signed_at: Timestamp(row.try_get(3)?),
    })
}
