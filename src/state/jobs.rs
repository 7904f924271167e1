//! Export jobs.
//!
//! An export is a disclosure of personal data, so its row outlives its files: who asked, when, and
//! the bundle's hash stay, while key, question and outcome are forgotten.

use std::fmt;

use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::{State, StateError, array};
use crate::digest::Digest;
use crate::ids::{JobId, TokenId};
use crate::time::Timestamp;

/// How far a job is.
/// A job that a stop has cut off still says that it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobStatus {
    /// Waits for its turn.
    Queued,
    /// Is being done.
    Running,
    /// Is done.
    Done,
    /// Could not be done.
    Failed,
}

/// An export job as it rests.
#[derive(Debug, Clone)]
pub struct ExportRow {
    /// The job.
    pub id: JobId,
    /// Who asked.
    pub token: TokenId,
    /// How far it is.
    pub status: JobStatus,
    /// When it was asked.
    pub created_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// When its files go.
    pub expires_at: Timestamp,
    /// The job's DEK, wrapped.
    pub key: Vec<u8>,
    /// The question, sealed.
    /// Under the job's DEK, as the files are.
    pub question: Vec<u8>,
    /// What came of it, sealed.
    pub outcome: Option<Vec<u8>>,
    /// Hash of its bundle.
    /// It stays, so that a bundle shown years later can be told to be this one.
    pub digest: Option<Digest>,
    /// Why it failed.
    /// In the clear: an error of the product, with nothing from the question.
    pub failure: Option<String>,
}

impl State {
    /// Keeps a new export job.
    pub async fn add_export(&self, row: &ExportRow) -> Result<(), StateError> {
        sqlx::query(
            "INSERT INTO exports (id, token, status, created_at, expires_at, key, question)
             VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(row.id.0.as_slice())
        .bind(row.token.0.as_slice())
        .bind(row.status.word())
        .bind(row.created_at.0)
        .bind(row.expires_at.0)
        .bind(&row.key)
        .bind(&row.question)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// An export job.
    pub async fn export(&self, id: JobId) -> Result<Option<ExportRow>, StateError> {
        let row = sqlx::query("SELECT * FROM exports WHERE id = ?")
            .bind(id.0.as_slice())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(read_export).transpose()
    }

    /// Export jobs, the newest first, at most `limit`; of one token, or of all.
    pub async fn exports(
        &self,
        token: Option<TokenId>,
        limit: u32,
    ) -> Result<Vec<ExportRow>, StateError> {
        let rows = sqlx::query(
            "SELECT * FROM exports WHERE ?1 IS NULL OR token = ?1 ORDER BY created_at DESC, id LIMIT ?2",
        )
        .bind(token.map(|token| token.0.to_vec()))
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(read_export).collect()
    }

    /// Export jobs that are not finished, the oldest first.
    /// What a start takes up again.
    pub async fn unfinished_exports(&self) -> Result<Vec<JobId>, StateError> {
        let rows = sqlx::query(
            "SELECT id FROM exports WHERE status IN ('queued', 'running') ORDER BY created_at, id",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| Ok(JobId(array(row.try_get(0)?, "id")?)))
            .collect()
    }

    /// Export jobs whose time is over at `now`.
    /// Those whose key was not forgotten yet. A job that still runs is let finish.
    pub async fn expired_exports(&self, now: Timestamp) -> Result<Vec<JobId>, StateError> {
        let rows = sqlx::query("SELECT id FROM exports WHERE expires_at <= ? AND status IN ('done', 'failed') AND key <> x''")
            .bind(now.0)
            .fetch_all(&self.pool)
            .await?;
        rows.iter()
            .map(|row| Ok(JobId(array(row.try_get(0)?, "id")?)))
            .collect()
    }

    /// Notes that a job runs.
    /// Before anything is made.
    pub async fn start_export(&self, id: JobId) -> Result<(), StateError> {
        sqlx::query("UPDATE exports SET status = 'running' WHERE id = ?")
            .bind(id.0.as_slice())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Notes what came of a job: its sealed outcome and its bundle's hash, or why it failed.
    /// The caller has synced its files before.
    pub async fn finish_export(
        &self,
        id: JobId,
        now: Timestamp,
        outcome: Result<(Vec<u8>, Digest), String>,
    ) -> Result<(), StateError> {
        let status = if outcome.is_ok() {
            JobStatus::Done
        } else {
            JobStatus::Failed
        };
        let (done, failure) = match outcome {
            Ok(done) => (Some(done), None),
            Err(failure) => (None, Some(failure)),
        };
        let (outcome, digest) = done
            .map(|(outcome, digest)| (outcome, digest.0.to_vec()))
            .unzip();
        sqlx::query(
            "UPDATE exports SET status = ?, finished_at = ?, outcome = ?, digest = ?, failure = ?
             WHERE id = ?",
        )
        .bind(status.word())
        .bind(now.0)
        .bind(outcome)
        .bind(digest)
        .bind(failure)
        .bind(id.0.as_slice())
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Forgets a job's key and question: whatever is left of its files cannot be opened.
    /// The last step of its end: without the key the row is not looked at again.
    pub async fn forget_export(&self, id: JobId) -> Result<(), StateError> {
        sqlx::query("UPDATE exports SET key = x'', question = x'', outcome = NULL WHERE id = ?")
            .bind(id.0.as_slice())
            .execute(&self.pool)
            .await?;
        Ok(())
    }
}

impl JobStatus {
    /// The word of the API.
    pub fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }

    pub(super) fn read(word: &str) -> Result<Self, StateError> {
        [Self::Queued, Self::Running, Self::Done, Self::Failed]
            .into_iter()
            .find(|status| status.word() == word)
            .ok_or_else(|| StateError("a job has an unknown status".into()))
    }
}

impl fmt::Display for JobStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

fn read_export(row: &SqliteRow) -> Result<ExportRow, StateError> {
    Ok(ExportRow {
        id: JobId(array(row.try_get("id")?, "id")?),
        token: TokenId(array(row.try_get("token")?, "token")?),
        status: JobStatus::read(row.try_get("status")?)?,
        created_at: Timestamp(row.try_get("created_at")?),
        finished_at: row.try_get::<Option<i64>, _>("finished_at")?.map(Timestamp),
        expires_at: Timestamp(row.try_get("expires_at")?),
        key: row.try_get("key")?,
        question: row.try_get("question")?,
        outcome: row.try_get("outcome")?,
        digest: row
            .try_get::<Option<Vec<u8>>, _>("digest")?
            .map(|bytes| array(bytes, "digest").map(Digest))
            .transpose()?,
        failure: row.try_get("failure")?,
    })
}
