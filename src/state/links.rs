//! Links that hand a finished export to somebody without an account. Only hashes of the URL's
//! token and of the pass phrase rest here; the recipient is sealed.

use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::{State, StateError, array};
use crate::digest::Digest;
use crate::ids::{JobId, LinkId, TokenId};
use crate::time::Timestamp;

/// A link as it rests.
#[derive(Debug, Clone)]
pub struct LinkRow {
    /// Its public id.
    pub id: LinkId,
    /// The export that it hands out.
    /// When that is forgotten, the link leads nowhere.
    pub export: JobId,
    /// Who made it.
    pub token: TokenId,
    /// For whom, sealed under the export's DEK.
    pub recipient: Vec<u8>,
    /// Hash of the pass phrase, if one is asked for.
    /// A plain hash is enough: the server makes the phrase, of 100 random bits.
    pub pass_phrase: Option<Digest>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// Downloads so far.
    /// For its maker to see whether it was used by more than one.
    pub downloads: u64,
    /// When it was last opened or downloaded from.
    pub last_used_at: Option<Timestamp>,
}

impl State {
    /// Keeps a new link under the hash of its URL's token.
    pub async fn add_link(&self, row: &LinkRow, secret_hash: &Digest) -> Result<(), StateError> {
        sqlx::query(
            "INSERT INTO links (id, secret, export, token, recipient, pass_phrase, created_at, expires_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(row.id.0.as_slice())
        .bind(secret_hash.0.as_slice())
        .bind(row.export.0.as_slice())
        .bind(row.token.0.as_slice())
        .bind(&row.recipient)
        .bind(row.pass_phrase.map(|hash| hash.0.to_vec()))
        .bind(row.created_at.0)
        .bind(row.expires_at.0)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The link whose URL's token has this hash.
    /// Ended and revoked ones too: the caller decides what to say of them.
    pub async fn link_by_secret(
        &self,
        secret_hash: &Digest,
    ) -> Result<Option<LinkRow>, StateError> {
        let row = sqlx::query("SELECT * FROM links WHERE secret = ?")
            .bind(secret_hash.0.as_slice())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(read_link).transpose()
    }

    /// An export's links, the newest first.
    pub async fn links_of(&self, export: JobId) -> Result<Vec<LinkRow>, StateError> {
        let rows = sqlx::query("SELECT * FROM links WHERE export = ? ORDER BY created_at DESC, id")
            .bind(export.0.as_slice())
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(read_link).collect()
    }

    /// Ends a link of an export; whether there was one that had not been revoked.
    /// Only together with its export, so that an id alone ends nobody else's link.
    pub async fn revoke_link(
        &self,
        export: JobId,
        id: LinkId,
        now: Timestamp,
    ) -> Result<bool, StateError> {
        let done = sqlx::query(
            "UPDATE links SET revoked_at = ? WHERE id = ? AND export = ? AND revoked_at IS NULL",
        )
        .bind(now.0)
        .bind(id.0.as_slice())
        .bind(export.0.as_slice())
        .execute(&self.pool)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Notes a use of a link, with the downloads that it was.
    pub async fn use_link(
        &self,
        id: LinkId,
        downloads: u32,
        now: Timestamp,
    ) -> Result<(), StateError> {
        sqlx::query("UPDATE links SET downloads = downloads + ?, last_used_at = ? WHERE id = ?")
            .bind(downloads)
            .bind(now.0)
            .bind(id.0.as_slice())
            .execute(&self.pool)
            .await?;
        Ok(())
    }
}

fn read_link(row: &SqliteRow) -> Result<LinkRow, StateError> {
    let moment = |column: &str| -> Result<Option<Timestamp>, StateError> {
        Ok(row.try_get::<Option<i64>, _>(column)?.map(Timestamp))
    };
    Ok(LinkRow {
        id: LinkId(array(row.try_get("id")?, "id")?),
        export: JobId(array(row.try_get("export")?, "export")?),
        token: TokenId(array(row.try_get("token")?, "token")?),
        recipient: row.try_get("recipient")?,
        pass_phrase: row
            .try_get::<Option<Vec<u8>>, _>("pass_phrase")?
            .map(|bytes| array(bytes, "pass_phrase").map(Digest))
            .transpose()?,
        created_at: Timestamp(row.try_get("created_at")?),
        expires_at: Timestamp(row.try_get("expires_at")?),
        revoked_at: moment("revoked_at")?,
        downloads: row.try_get::<i64, _>("downloads")? as u64,
        last_used_at: moment("last_used_at")?,
    })
}
