//! Cases. What one is about rests sealed; to remove the row is to forget its key.

use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::{State, StateError, array};
use crate::ids::{CaseId, TokenId};
use crate::time::Timestamp;

/// A case as it rests.
#[derive(Debug, Clone)]
pub struct CaseRow {
    /// The case.
    pub id: CaseId,
    /// Who made it.
    /// It alone may remove the case.
    pub token: TokenId,
    /// When.
    pub created_at: Timestamp,
    /// Its DEK, wrapped.
    /// Without it `content` is noise, also in an old backup of other files.
    pub key: Vec<u8>,
    /// Its content, sealed.
    pub content: Vec<u8>,
    /// Version of the content.
    /// Grows by one with each change.
    pub version: u64,
}

/// What can be known of a case without its key.
#[derive(Debug, Clone)]
pub struct CaseHead {
    /// The case.
    pub id: CaseId,
    /// Who made it.
    pub token: TokenId,
    /// When.
    pub created_at: Timestamp,
    /// When that account was ended, or ends.
    pub account_end: Option<Timestamp>,
}

impl State {
    /// Keeps a new case.
    pub async fn add_case(&self, row: &CaseRow) -> Result<(), StateError> {
        sqlx::query(
            "INSERT INTO cases (id, token, created_at, key, content, version) VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(row.id.0.as_slice())
        .bind(row.token.0.as_slice())
        .bind(row.created_at.0)
        .bind(&row.key)
        .bind(&row.content)
        .bind(row.version as i64)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// A case.
    pub async fn case(&self, id: CaseId) -> Result<Option<CaseRow>, StateError> {
        let row = sqlx::query("SELECT * FROM cases WHERE id = ?")
            .bind(id.0.as_slice())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(read_case).transpose()
    }

    /// An account's cases, the newest first, at most `limit`.
    pub async fn cases_of(&self, token: TokenId, limit: u32) -> Result<Vec<CaseRow>, StateError> {
        let rows =
            sqlx::query("SELECT * FROM cases WHERE token = ? ORDER BY created_at DESC, id LIMIT ?")
                .bind(token.0.as_slice())
                .bind(limit)
                .fetch_all(&self.pool)
                .await?;
        rows.iter().map(read_case).collect()
    }

    /// Replaces a case's content, if it is still of the version that the row names; whether it
    /// was.
    /// Two tabs of one person may change a case at once: the second is told, and nothing is lost.
    pub async fn change_case(&self, row: &CaseRow) -> Result<bool, StateError> {
        let done = sqlx::query(
            "UPDATE cases SET content = ?, version = version + 1 WHERE id = ? AND version = ?",
        )
        .bind(&row.content)
        .bind(row.id.0.as_slice())
        .bind(row.version as i64)
        .execute(&self.pool)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Removes a case that an account made; whether there was one.
    /// Somebody else's case looks as if it were not there.
    pub async fn remove_case(&self, id: CaseId, token: TokenId) -> Result<bool, StateError> {
        let done = sqlx::query("DELETE FROM cases WHERE id = ? AND token = ?")
            .bind(id.0.as_slice())
            .bind(token.0.as_slice())
            .execute(&self.pool)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Open cases of all accounts, the newest first, at most `limit`: what can be known of them
    /// without their keys.
    pub async fn open_cases(
        &self,
        before: Option<(Timestamp, CaseId)>,
        limit: u32,
    ) -> Result<Vec<CaseHead>, StateError> {
        let (at, id) = before.unwrap_or((Timestamp(i64::MAX), CaseId([0; 16])));
        let rows = sqlx::query(
            "SELECT cases.id, cases.token, cases.created_at, revoked_at, expires_at
             FROM cases LEFT JOIN tokens ON tokens.id = cases.token
             WHERE (cases.created_at, cases.id) < (?, ?)
             ORDER BY cases.created_at DESC, cases.id DESC LIMIT ?",
        )
        .bind(at.0)
        .bind(id.0.as_slice())
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        let read = |row: &SqliteRow| {
            let ends: [Option<i64>; 2] = [row.try_get(3)?, row.try_get(4)?];
            Ok(CaseHead {
                id: CaseId(array(row.try_get(0)?, "id")?),
                token: TokenId(array(row.try_get(1)?, "token")?),
                created_at: Timestamp(row.try_get(2)?),
                account_end: ends.into_iter().flatten().min().map(Timestamp),
            })
        };
        rows.iter().map(read).collect()
    }
}

fn read_case(row: &SqliteRow) -> Result<CaseRow, StateError> {
    Ok(CaseRow {
        id: CaseId(array(row.try_get("id")?, "id")?),
        token: TokenId(array(row.try_get("token")?, "token")?),
        created_at: Timestamp(row.try_get("created_at")?),
        key: row.try_get("key")?,
        content: row.try_get("content")?,
        version: row.try_get::<i64, _>("version")? as u64,
    })
}
