//! Portal sessions: a cookie that stands for a token or a person.
//!
//! A cookie holds a random secret; here is its hash alone, so that a copy of this file opens no
//! session.

use sqlx::Row as _;

use super::{State, StateError, array};
use crate::digest::Digest;
use crate::ids::TokenId;
use crate::time::Timestamp;

impl State {
    /// Keeps a session under the hash of its cookie.
    pub async fn add_session(
        &self,
        secret_hash: &Digest,
        token: TokenId,
        now: Timestamp,
    ) -> Result<(), StateError> {
        sqlx::query(
            "INSERT INTO sessions (secret, token, created_at, last_seen_at) VALUES (?, ?, ?, ?)",
        )
        .bind(secret_hash.0.as_slice())
        .bind(token.0.as_slice())
        .bind(now.0)
        .bind(now.0)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The token of a session that began after `oldest` and was used after `idle_since`; its
    /// use is noted.
    /// One statement: a session that has ended meanwhile is not woken by its use.
    pub async fn use_session(
        &self,
        secret_hash: &Digest,
        now: Timestamp,
        oldest: Timestamp,
        idle_since: Timestamp,
    ) -> Result<Option<TokenId>, StateError> {
        let row = sqlx::query(
            "UPDATE sessions SET last_seen_at = ?
             WHERE secret = ? AND created_at > ? AND last_seen_at > ? RETURNING token",
        )
        .bind(now.0)
        .bind(secret_hash.0.as_slice())
        .bind(oldest.0)
        .bind(idle_since.0)
        .fetch_optional(&self.pool)
        .await?;
        row.map(|row| Ok(TokenId(array(row.try_get(0)?, "token")?)))
            .transpose()
    }

    /// Ends a session.
    pub async fn end_session(&self, secret_hash: &Digest) -> Result<(), StateError> {
        sqlx::query("DELETE FROM sessions WHERE secret = ?")
            .bind(secret_hash.0.as_slice())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Ends all sessions of a token or a person but this one.
    /// After a change of password.
    pub async fn end_other_sessions(
        &self,
        token: TokenId,
        secret_hash: &Digest,
    ) -> Result<(), StateError> {
        sqlx::query("DELETE FROM sessions WHERE token = ? AND secret <> ?")
            .bind(token.0.as_slice())
            .bind(secret_hash.0.as_slice())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Ends all sessions of a token or a person.
    pub async fn end_sessions_of(&self, token: TokenId) -> Result<(), StateError> {
        sqlx::query("DELETE FROM sessions WHERE token = ?")
            .bind(token.0.as_slice())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Forgets sessions that began before `oldest` or were last used before `idle_since`.
    /// Housekeeping: those sessions let nobody in already.
    pub async fn sweep_sessions(
        &self,
        oldest: Timestamp,
        idle_since: Timestamp,
    ) -> Result<(), StateError> {
        sqlx::query("DELETE FROM sessions WHERE created_at <= ? OR last_seen_at <= ?")
            .bind(oldest.0)
            .bind(idle_since.0)
            .execute(&self.pool)
            .await?;
        Ok(())
    }
}
