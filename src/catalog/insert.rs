//! Putting a verified segment into the catalog, in one transaction.
//!
//! A half of a segment would be found by some searches and not by others; so it goes in whole or
//! not at all.

use futures_util::future::join;
use sqlx::{QueryBuilder, Row as _, Sqlite, SqliteConnection};

use super::{
    BatchPlace, Catalog, CatalogError, RequestRow, SegmentRow, VerifiedSegment, concat, digests,
};
use crate::digest::Digest;
use crate::ids::LogName;
use crate::postings::PostingList;
use crate::time::Timestamp;

/// Rows of one INSERT: SQLite takes 32,766 variables, and beyond a thousand rows nothing is won.
const ROWS_PER_INSERT: usize = 1000;
/// Hashes of a tile (C2SP tlog-tiles).
const TILE_HASHES: usize = 256;

impl Catalog {
    /// Inserts a segment with its batches, its postings (ascending by tag) and its idempotency
    /// keys, and extends the tree's tiles; all of it or nothing.
    ///
    /// Postings ascend, so that the b-tree is written from left to right, each page once. An error
    /// leaves nothing of the segment.
    pub async fn insert_segment(
        &self,
        segment: &VerifiedSegment,
        postings: impl Iterator<Item = ([u8; 16], PostingList)>,
    ) -> Result<(), CatalogError> {
        let mut transaction = self.writer.begin().await?;
        let id = insert_row(&mut transaction, &segment.row).await?;
        insert_batches(&mut transaction, id, &segment.batches).await?;
        insert_postings(&mut transaction, id, postings).await?;
        insert_requests(&mut transaction, &segment.row, &segment.requests).await?;
        let first = segment.row.first_link;
        extend_tiles(
            &mut transaction,
            &segment.row.log,
            first,
            &segment.link_leaves,
        )
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Forgets everything about a log, so that it is indexed anew.
    /// The segments are what is true; the indexer reads them again.
    pub async fn forget_log(&self, log: &LogName) -> Result<(), CatalogError> {
        let mut transaction = self.writer.begin().await?;
        for statement in [
            "DELETE FROM batches WHERE segment IN (SELECT id FROM segments WHERE log = ?)",
            "DELETE FROM postings WHERE segment IN (SELECT id FROM segments WHERE log = ?)",
            "DELETE FROM requests WHERE log = ?",
            "DELETE FROM tiles WHERE log = ?",
            "DELETE FROM segments WHERE log = ?",
        ] {
            sqlx::query(statement)
                .bind(log.as_str())
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Forgets idempotency keys of segments closed before `oldest`.
    ///
    /// By the time of closing, which is later than that of any request in it: none is forgotten too
    /// soon.
    pub async fn sweep_requests(&self, oldest: Timestamp) -> Result<(), CatalogError> {
        sqlx::query("DELETE FROM requests WHERE closed_at < ?")
            .bind(oldest.0)
            .execute(&self.writer)
            .await?;
        Ok(())
    }
}

/// A segment that is there already is an error of the database.
async fn insert_row(
    connection: &mut SqliteConnection,
    row: &SegmentRow,
) -> Result<i64, CatalogError> {
    let done = sqlx::query(
        "INSERT INTO segments (log, number, first_link, close_link, first_entry, entry_count,
         earliest, latest, subject_count, closed_at, closed_pos, unnamed, quarantined, close_place, file_bytes, head, edge, index_key)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(row.log.as_str())
    .bind(row.number as i64)
    .bind(row.first_link as i64)
    .bind(row.close_link as i64)
    .bind(row.first_entry as i64)
    .bind(row.entry_count as i64)
    .bind(row.earliest.0)
    .bind(row.latest.0)
    .bind(row.subject_count)
    .bind(row.closed.0.0)
    .bind(row.closed.1)
    .bind(row.unnamed as i64)
    .bind(row.quarantined.map(|count| count as i64))
    .bind(row.close_place as i64)
    .bind(row.file_bytes as i64)
    .bind(row.head.0.as_slice())
    .bind(concat(&row.edge))
    .bind(row.index_key.as_slice())
    .execute(connection)
    .await?;
    Ok(done.last_insert_rowid())
}

async fn insert_batches(
    connection: &mut SqliteConnection,
    segment: i64,
    batches: &[BatchPlace],
) -> Result<(), CatalogError> {
    for rows in batches.chunks(ROWS_PER_INSERT) {
        let mut insert =
            QueryBuilder::<Sqlite>::new("INSERT INTO batches (segment, first_entry, link, place) ");
        insert.push_values(rows, |mut values, row| {
            values
                .push_bind(segment)
                .push_bind(row.first_entry as i64)
                .push_bind(row.link as i64)
                .push_bind(row.place as i64);
        });
        insert.build().execute(&mut *connection).await?;
    }
    Ok(())
}

/// While SQLite takes the rows of one statement, those of the next are put together.
async fn insert_postings(
    connection: &mut SqliteConnection,
    segment: i64,
    postings: impl Iterator<Item = ([u8; 16], PostingList)>,
) -> Result<(), CatalogError> {
    let mut postings = postings.peekable();
    let mut next_insert = || {
        postings.peek()?;
        let mut insert = QueryBuilder::<Sqlite>::new("INSERT INTO postings (segment, tag, list) ");
        insert.push_values(
            postings.by_ref().take(ROWS_PER_INSERT),
            |mut values, (tag, list)| {
                values
                    .push_bind(segment)
                    .push_bind(tag.to_vec())
                    .push_bind(list.into_bytes());
            },
        );
        Some(insert)
    };
    let mut insert = next_insert();
    while let Some(mut rows) = insert {
        let execute = rows.build().execute(&mut *connection);
        let (done, following) = join(execute, async { next_insert() }).await;
        done?;
        insert = following;
    }
    Ok(())
}

/// A key used again after its day replaces the earlier one.
async fn insert_requests(
    connection: &mut SqliteConnection,
    segment: &SegmentRow,
    requests: &[RequestRow],
) -> Result<(), CatalogError> {
    for rows in requests.chunks(ROWS_PER_INSERT) {
        let mut insert = QueryBuilder::<Sqlite>::new(
            "INSERT OR REPLACE INTO requests (log, key_hash, body_hash, first_entry, entry_count,
             link, link_hash, received_at, closed_at) ",
        );
        insert.push_values(rows, |mut values, row| {
            values
                .push_bind(segment.log.as_str())
                .push_bind(row.key_hash.0.to_vec())
                .push_bind(row.body_hash.0.to_vec())
                .push_bind(row.first_entry as i64)
                .push_bind(i64::from(row.entry_count))
                .push_bind(row.link as i64)
                .push_bind(row.link_hash.0.to_vec())
                .push_bind(row.received_at.0)
                .push_bind(segment.closed.0.0);
        });
        insert.build().execute(&mut *connection).await?;
    }
    Ok(())
}

/// Appends leaf hashes to the tiles of level 0, and to each level above the roots of the tiles
/// that this completes. `first` is the index of the first hash at its level.
async fn extend_tiles(
    connection: &mut SqliteConnection,
    log: &LogName,
    first: u64,
    leaves: &[Digest],
) -> Result<(), CatalogError> {
    let (mut level, mut first, mut hashes) = (0_i64, first, leaves.to_vec());
    while !hashes.is_empty() {
        let number = first / TILE_HASHES as u64;
        let mut tile = load_tile(connection, log, level, number).await?;
        let kept = (first % TILE_HASHES as u64) as usize;
        // Then segments were left out, and hashes would stand at wrong places.
        if tile.len() < kept {
            return Err(CatalogError(
                "a tile is shorter than the log before it".into(),
            ));
        }
        // It is longer only if somebody has edited it; proofs are held against the root anyway.
        tile.truncate(kept);
        tile.append(&mut hashes);
        for (offset, chunk) in tile.chunks(TILE_HASHES).enumerate() {
            store_tile(connection, log, level, number + offset as u64, chunk).await?;
        }
        hashes = tile
            .as_chunks::<TILE_HASHES>()
            .0
            .iter()
            .map(|full| crate::merkle::root(full))
            .collect();
        first = number;
        level += 1;
    }
    Ok(())
}

/// Empty if it is not there.
async fn load_tile(
    connection: &mut SqliteConnection,
    log: &LogName,
    level: i64,
    number: u64,
) -> Result<Vec<Digest>, CatalogError> {
    let row = sqlx::query("SELECT hashes FROM tiles WHERE log = ? AND level = ? AND number = ?")
        .bind(log.as_str())
        .bind(level)
        .bind(number as i64)
        .fetch_optional(connection)
        .await?;
    row.map_or(Ok(Vec::new()), |row| digests(row.try_get(0)?))
}

async fn store_tile(
    connection: &mut SqliteConnection,
    log: &LogName,
    level: i64,
    number: u64,
    hashes: &[Digest],
) -> Result<(), CatalogError> {
    sqlx::query("INSERT OR REPLACE INTO tiles (log, level, number, hashes) VALUES (?, ?, ?, ?)")
        .bind(log.as_str())
        .bind(level)
        .bind(number as i64)
        .bind(concat(hashes))
        .execute(connection)
        .await?;
    Ok(())
}
