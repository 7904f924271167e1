//! Bearer tokens: who may do what. Only the hash of a secret rests here.
//!
//! A secret is 32 random bytes, so one round of a hash is enough: there is nothing to guess, and a
//! look-up by the hash tells nothing by its time.

use std::fmt;
use std::str::FromStr;

use sqlx::SqliteExecutor;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::{State, StateError, array};
use crate::digest::Digest;
use crate::ids::{LogName, TokenId};
use crate::time::Timestamp;

/// What a token may do.
/// Each may do what stands there and nothing of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Append to logs.
    Writer,
    /// Search, export and verify logs.
    Auditor,
    /// Download exports shared with it.
    Regulator,
    /// Manage tokens and log settings; reads no entry.
    /// It can make a token that reads; that is an entry of `_access`.
    Admin,
    /// Read health and metrics.
    Operator,
}

/// A token to be made.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Its public id.
    pub id: TokenId,
    /// Hash of its secret.
    /// The secret itself is shown once, when the token is made.
    pub secret_hash: Digest,
    /// What people call it.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// On which logs; `None`: on all.
    /// An empty list covers none.
    pub logs: Option<Vec<LogName>>,
    /// When it is made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

/// A token as it rests.
#[derive(Debug, Clone)]
pub struct TokenRow {
    /// Its public id.
    pub id: TokenId,
    /// What people call it.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// On which logs; `None`: on all.
    pub logs: Option<Vec<LogName>>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    /// For ever: the row stays, since entries name its id.
    pub revoked_at: Option<Timestamp>,
}

impl State {
    /// Keeps a new token.
    pub async fn add_token(&self, token: &NewToken) -> Result<(), StateError> {
        Self::insert_token(&self.pool, token).await
    }

    /// Also inside a person's transaction.
    pub(super) async fn insert_token(
        to: impl SqliteExecutor<'_>,
        token: &NewToken,
    ) -> Result<(), StateError> {
        let logs = token
            .logs
            .as_ref()
            .map(|logs| serde_json::Value::from_iter(logs.iter().map(LogName::as_str)).to_string());
        sqlx::query(
            "INSERT INTO tokens (id, secret, name, role, logs, created_at, expires_at)
             VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(token.id.0.as_slice())
        .bind(token.secret_hash.0.as_slice())
        .bind(&token.name)
        .bind(token.role.to_string())
        .bind(logs)
        .bind(token.created_at.0)
        .bind(token.expires_at.map(|at| at.0))
        .execute(to)
        .await?;
        Ok(())
    }

    /// Whether anybody was ever let in: a token or a person.
    /// Revoked ones count: a folder is new only once.
    pub async fn has_accounts(&self) -> Result<bool, StateError> {
        let row = sqlx::query("SELECT 1 FROM tokens LIMIT 1")
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.is_some())
    }

    /// How many accounts that can read were made since a moment, and when the last of them.
    pub async fn new_readers(
        &self,
        roles: &[Role],
        since: Timestamp,
    ) -> Result<(u64, Option<Timestamp>), StateError> {
        let mut query = QueryBuilder::<Sqlite>::new(
            "SELECT count(*), max(created_at) FROM tokens WHERE revoked_at IS NULL AND created_at >= ",
        );
        query.push_bind(since.0).push(" AND role IN (");
        let mut words = query.separated(", ");
        for role in roles {
            words.push_bind(role.to_string());
        }
        let row = query.push(")").build().fetch_one(&self.pool).await?;
        let last: Option<i64> = row.try_get(1)?;
        Ok((row.try_get::<i64, _>(0)? as u64, last.map(Timestamp)))
    }

    /// The token whose secret has this hash.
    /// Ended and revoked ones too; see `is_valid`.
    pub async fn token_by_secret(
        &self,
        secret_hash: &Digest,
    ) -> Result<Option<TokenRow>, StateError> {
        let row = sqlx::query(SELECT_BY_SECRET)
            .bind(secret_hash.0.as_slice())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(read_token).transpose()
    }

    /// The token, or the person's account, of an id.
    pub async fn token(&self, id: TokenId) -> Result<Option<TokenRow>, StateError> {
        let row = sqlx::query(SELECT_BY_ID)
            .bind(id.0.as_slice())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(read_token).transpose()
    }

    /// All tokens, the newest first; people are not among them.
    pub async fn tokens(&self) -> Result<Vec<TokenRow>, StateError> {
        let rows = sqlx::query(SELECT_ALL).fetch_all(&self.pool).await?;
        rows.iter().map(read_token).collect()
    }

    /// Ends a token; whether there was one that had not ended.
    /// People are ended by `remove_person`, which does more.
    pub async fn revoke_token(&self, id: TokenId, now: Timestamp) -> Result<bool, StateError> {
        let done =
            sqlx::query("UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL AND id NOT IN (SELECT id FROM people)")
                .bind(now.0)
                .bind(id.0.as_slice())
                .execute(&self.pool)
                .await?;
        Ok(done.rows_affected() == 1)
    }
}

impl TokenRow {
    /// Whether it still holds at `now`.
    /// `expires_at` itself is past the end.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }

    /// Whether it covers a log.
    pub fn covers(&self, log: &LogName) -> bool {
        self.logs.as_ref().is_none_or(|logs| logs.contains(log))
    }
}

impl Role {
    /// Every role, in the order of the README's table.
    pub const ALL: [Self; 5] = [
        Self::Writer,
        Self::Auditor,
        Self::Regulator,
        Self::Admin,
        Self::Operator,
    ];

    fn word(self) -> &'static str {
        match self {
            Self::Writer => "writer",
            Self::Auditor => "auditor",
            Self::Regulator => "regulator",
            Self::Admin => "admin",
            Self::Operator => "operator",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A word that is no role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a role is one of writer, auditor, regulator, admin, operator")]
pub struct NoRole;

impl FromStr for Role {
    type Err = NoRole;

    fn from_str(word: &str) -> Result<Self, NoRole> {
        Self::ALL
            .into_iter()
            .find(|role| role.word() == word)
            .ok_or(NoRole)
    }
}

/// A word that is no role is an error: a token must not fall back to any.
pub(super) fn read_token(row: &SqliteRow) -> Result<TokenRow, StateError> {
    let role: String = row.try_get("role")?;
    let logs: Option<String> = row.try_get("logs")?;
    Ok(TokenRow {
        id: TokenId(array(row.try_get("id")?, "id")?),
        name: row.try_get("name")?,
        role: role
            .parse()
            .map_err(|_| StateError("a token has an unknown role".into()))?,
        logs: logs.map(|names| read_logs(&names)).transpose()?,
        created_at: Timestamp(row.try_get("created_at")?),
        expires_at: row.try_get::<Option<i64>, _>("expires_at")?.map(Timestamp),
        revoked_at: row.try_get::<Option<i64>, _>("revoked_at")?.map(Timestamp),
    })
}

fn read_logs(names: &str) -> Result<Vec<LogName>, StateError> {
    let names: Vec<String> =
        serde_json::from_str(names).map_err(|error| StateError(error.to_string()))?;
    let logs: Result<_, _> = names.iter().map(|name| LogName::new(name)).collect();
    logs.map_err(|_| StateError("a token names a log that cannot be".into()))
}

const SELECT_BY_SECRET: &str =
    "SELECT id, name, role, logs, created_at, expires_at, revoked_at FROM tokens WHERE secret = ?";
const SELECT_BY_ID: &str =
    "SELECT id, name, role, logs, created_at, expires_at, revoked_at FROM tokens WHERE id = ?";
const SELECT_ALL: &str = "SELECT id, name, role, logs, created_at, expires_at, revoked_at
    FROM tokens WHERE id NOT IN (SELECT id FROM people) ORDER BY created_at DESC, id";
