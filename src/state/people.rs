//! People: accounts that sign in with a name and a password, and the browsers they use.
//!
//! A person is an account like a token's, with the same id, role and logs; only the way in differs.
//! A removed person stays as an id and a name, since entries of `_access` name them by it.

use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::tokens::read_token;
use super::{NewToken, State, StateError, TokenRow};
use crate::digest::Digest;
use crate::ids::TokenId;
use crate::time::Timestamp;

/// A person as they rest.
#[derive(Clone)]
pub struct PersonRow {
    /// Their account: id, name, role, logs, end.
    /// Its token's secret is one that nobody has.
    pub account: TokenRow,
    /// The password's hash, a PHC string; empty once they are removed.
    pub password: String,
    /// When the password was last set.
    pub changed_at: Timestamp,
}

impl State {
    /// Keeps a new person, who signs in under `sign_in`; `false` if somebody has that name.
    /// Both rows or neither.
    pub async fn add_person(
        &self,
        account: &NewToken,
        sign_in: &str,
        password: &str,
    ) -> Result<bool, StateError> {
        let mut both = self.pool.begin().await?;
        Self::insert_token(&mut *both, account).await?;
        let added = sqlx::query(
            "INSERT INTO people (id, sign_in, password, changed_at) VALUES (?, ?, ?, ?)
             ON CONFLICT (sign_in) DO NOTHING",
        )
        .bind(account.id.0.as_slice())
        .bind(sign_in)
        .bind(password)
        .bind(account.created_at.0)
        .execute(&mut *both)
        .await?;
        if added.rows_affected() == 0 {
            return Ok(false);
        }
        both.commit().await?;
        Ok(true)
    }

    /// The person who signs in under a name.
    pub async fn person_by_name(&self, sign_in: &str) -> Result<Option<PersonRow>, StateError> {
        let row = sqlx::query(SELECT_BY_NAME)
            .bind(sign_in)
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(read_person).transpose()
    }

    /// The person of an id.
    pub async fn person(&self, id: TokenId) -> Result<Option<PersonRow>, StateError> {
        let row = sqlx::query(SELECT_BY_ID)
            .bind(id.0.as_slice())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(read_person).transpose()
    }

    /// All people, the newest first, the removed ones included.
    pub async fn people(&self) -> Result<Vec<PersonRow>, StateError> {
        let rows = sqlx::query(SELECT_ALL).fetch_all(&self.pool).await?;
        rows.iter().map(read_person).collect()
    }

    /// Replaces a password and forgets the person's browsers; whether there is such a person.
    /// Sessions are the caller's to end, since one of them may be the person's own.
    pub async fn set_password(
        &self,
        id: TokenId,
        password: &str,
        now: Timestamp,
    ) -> Result<bool, StateError> {
        let mut both = self.pool.begin().await?;
        let done = sqlx::query(
            "UPDATE people SET password = ?, changed_at = ? WHERE id = ? AND sign_in IS NOT NULL",
        )
        .bind(password)
        .bind(now.0)
        .bind(id.0.as_slice())
        .execute(&mut *both)
        .await?;
        sqlx::query("DELETE FROM devices WHERE person = ?")
            .bind(id.0.as_slice())
            .execute(&mut *both)
            .await?;
        both.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    /// Ends a person's account, sessions and browsers, and frees their name; whether there was
    /// one that had not ended.
    /// At once and for good: the account is not opened again, and a new one has a new id.
    pub async fn remove_person(&self, id: TokenId, now: Timestamp) -> Result<bool, StateError> {
        let mut all = self.pool.begin().await?;
        let done = sqlx::query(
            "UPDATE people SET sign_in = NULL, password = '' WHERE id = ? AND sign_in IS NOT NULL",
        )
        .bind(id.0.as_slice())
        .execute(&mut *all)
        .await?;
        if done.rows_affected() == 0 {
            return Ok(false);
        }
        sqlx::query("UPDATE tokens SET revoked_at = ? WHERE id = ?")
            .bind(now.0)
            .bind(id.0.as_slice())
            .execute(&mut *all)
            .await?;
        for statement in [
            "DELETE FROM devices WHERE person = ?",
            "DELETE FROM sessions WHERE token = ?",
        ] {
            sqlx::query(statement)
                .bind(id.0.as_slice())
                .execute(&mut *all)
                .await?;
        }
        all.commit().await?;
        Ok(true)
    }

    /// Remembers a browser under the hash of its cookie; of each person only the latest `most`.
    ///
    /// It only decides whether tries at this person's password from elsewhere slow them down; it
    /// lets nobody in.
    pub async fn add_device(
        &self,
        secret_hash: &Digest,
        person: TokenId,
        now: Timestamp,
        most: u32,
    ) -> Result<(), StateError> {
        let mut transaction = self.pool.begin().await?;
        sqlx::query("INSERT INTO devices (secret, person, seen_at) VALUES (?, ?, ?)")
            .bind(secret_hash.0.as_slice())
            .bind(person.0.as_slice())
            .bind(now.0)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "DELETE FROM devices WHERE person = ?1 AND secret NOT IN
             (SELECT secret FROM devices WHERE person = ?1 ORDER BY seen_at DESC LIMIT ?2)",
        )
        .bind(person.0.as_slice())
        .bind(most)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Whether a person has signed in in the browser of this cookie since `oldest`.
    pub async fn is_device_of(
        &self,
        secret_hash: &Digest,
        person: TokenId,
        oldest: Timestamp,
    ) -> Result<bool, StateError> {
        let row =
            sqlx::query("SELECT 1 FROM devices WHERE secret = ? AND person = ? AND seen_at > ?")
                .bind(secret_hash.0.as_slice())
                .bind(person.0.as_slice())
                .bind(oldest.0)
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.is_some())
    }

    /// Notes that a browser was used again.
    pub async fn see_device(&self, secret_hash: &Digest, now: Timestamp) -> Result<(), StateError> {
        sqlx::query("UPDATE devices SET seen_at = ? WHERE secret = ?")
            .bind(now.0)
            .bind(secret_hash.0.as_slice())
            .execute(&self.pool)
            .await?;
        Ok(())
    }
}

fn read_person(row: &SqliteRow) -> Result<PersonRow, StateError> {
    Ok(PersonRow {
        account: read_token(row)?,
        password: row.try_get("password")?,
        changed_at: Timestamp(row.try_get("changed_at")?),
    })
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, role, logs, created_at, expires_at, revoked_at, password, changed_at
             FROM people JOIN tokens USING (id) ",
            $rest
        )
    };
}

const SELECT_BY_NAME: &str = select!("WHERE sign_in = ?");
const SELECT_BY_ID: &str = select!("WHERE id = ?");
const SELECT_ALL: &str = select!("ORDER BY created_at DESC, id");
