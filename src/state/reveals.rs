//! Names behind pseudonyms: asked for by one person, allowed by another, shown once.
//!
//! Four eyes: the audit's own log has pseudonyms, and a name behind one is shown to whoever asked,
//! after somebody else has allowed it, and once. That the two are not the same is the caller's to
//! hold; that each step happens once is held here, by conditions in the statements.

use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::{State, StateError, array};
use crate::ids::{JobId, TokenId};
use crate::time::Timestamp;

/// A request for a name as it rests.
#[derive(Debug, Clone)]
pub struct RevealRow {
    /// The request.
    pub id: JobId,
    /// Whose name.
    pub account: TokenId,
    /// The entry of `_access` by which it was asked for.
    pub entry: u64,
    /// Who asks.
    pub requester: TokenId,
    /// When.
    pub created_at: Timestamp,
    /// The request's DEK, wrapped.
    pub key: Vec<u8>,
    /// What for, sealed.
    pub reason: Vec<u8>,
    /// Who decided, how, and when.
    /// Who, whether it was allowed, and when; never changed.
    pub decision: Option<(TokenId, bool, Timestamp)>,
    /// When the name was shown.
    pub shown_at: Option<Timestamp>,
}

impl State {
    /// Keeps a new request.
    pub async fn add_reveal(&self, row: &RevealRow) -> Result<(), StateError> {
        sqlx::query(
            "INSERT INTO reveals (id, account, entry, requester, created_at, key, reason)
             VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(row.id.0.as_slice())
        .bind(row.account.0.as_slice())
        .bind(row.entry as i64)
        .bind(row.requester.0.as_slice())
        .bind(row.created_at.0)
        .bind(&row.key)
        .bind(&row.reason)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// A request.
    pub async fn reveal(&self, id: JobId) -> Result<Option<RevealRow>, StateError> {
        let row = sqlx::query("SELECT * FROM reveals WHERE id = ?")
            .bind(id.0.as_slice())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(read_reveal).transpose()
    }

    /// Requests, the newest first, at most `limit`.
    pub async fn reveals(&self, limit: u32) -> Result<Vec<RevealRow>, StateError> {
        let rows = sqlx::query("SELECT * FROM reveals ORDER BY created_at DESC, id LIMIT ?")
            .bind(limit)
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(read_reveal).collect()
    }

    /// How many requests since a moment wait for a decision.
    pub async fn waiting_reveals(&self, since: Timestamp) -> Result<u64, StateError> {
        let row =
            sqlx::query("SELECT count(*) FROM reveals WHERE decided_at IS NULL AND created_at > ?")
                .bind(since.0)
                .fetch_one(&self.pool)
                .await?;
        Ok(row.try_get::<i64, _>(0)? as u64)
    }

    /// Decides a request; whether nobody had.
    /// Of two who decide at once, the first has.
    pub async fn decide_reveal(
        &self,
        id: JobId,
        decider: TokenId,
        approved: bool,
        now: Timestamp,
    ) -> Result<bool, StateError> {
        let done = sqlx::query(
            "UPDATE reveals SET decider = ?, approved = ?, decided_at = ?
             WHERE id = ? AND decided_at IS NULL",
        )
        .bind(decider.0.as_slice())
        .bind(approved)
        .bind(now.0)
        .bind(id.0.as_slice())
        .execute(&self.pool)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Notes that a name is shown; whether it was not shown before.
    /// Noted before it is shown: what cannot be noted is not shown.
    pub async fn show_reveal(&self, id: JobId, now: Timestamp) -> Result<bool, StateError> {
        let done = sqlx::query(
            "UPDATE reveals SET shown_at = ? WHERE id = ? AND approved AND shown_at IS NULL",
        )
        .bind(now.0)
        .bind(id.0.as_slice())
        .execute(&self.pool)
        .await?;
        Ok(done.rows_affected() == 1)
    }
}

fn read_reveal(row: &SqliteRow) -> Result<RevealRow, StateError> {
    let decider: Option<Vec<u8>> = row.try_get("decider")?;
    let decision = match decider {
        Some(decider) => Some((
            TokenId(array(decider, "decider")?),
            row.try_get("approved")?,
            Timestamp(row.try_get("decided_at")?),
        )),
        None => None,
    };
    Ok(RevealRow {
        id: JobId(array(row.try_get("id")?, "id")?),
        account: TokenId(array(row.try_get("account")?, "account")?),
        entry: row.try_get::<i64, _>("entry")? as u64,
        requester: TokenId(array(row.try_get("requester")?, "requester")?),
        created_at: Timestamp(row.try_get("created_at")?),
        key: row.try_get("key")?,
        reason: row.try_get("reason")?,
        decision,
        shown_at: row.try_get::<Option<i64>, _>("shown_at")?.map(Timestamp),
    })
}
