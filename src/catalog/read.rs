//! Asking the catalog.
//!
//! Nothing here says who may ask, and nothing is proof of anything. Numbers are kept as SQLite's
//! signed 64 bits; all stay below 2^53.

use std::collections::HashMap;

use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::{Catalog, CatalogError, SegmentRow, array, digests};
use crate::chain::{BatchBody, Link};
use crate::digest::Digest;
use crate::event::View;
use crate::format::payload::{Batch, Content, KeyedRequest};
use crate::ids::{LogName, SegmentNumber};
use crate::postings::{self, Posting};
use crate::time::Timestamp;

/// A segment's row id.
/// It means nothing outside this file, and changes when a log is indexed anew.
pub type SegmentId = i64;

/// Pairs of one query for postings.
/// Two variables each, far below SQLite's 32,766.
const PAIRS_PER_QUERY: usize = 500;

/// Where a batch stands.
/// Where to look; the frame found there says what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchPlace {
    /// Its first entry.
    pub first_entry: u64,
    /// Its link.
    pub link: u64,
    /// Offset of its frame in the segment file.
    pub place: u64,
}

/// A request that came with an idempotency key, and the answer it got.
/// What is needed to give the first answer again, word for word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestRow {
    /// `H(token id ‖ key)`.
    /// Under the token's id, so that a key of one sender is not another's.
    pub key_hash: Digest,
    /// `H(body)`.
    /// A repeat with another body is refused, not answered.
    pub body_hash: Digest,
    /// Its first entry.
    pub first_entry: u64,
    /// Number of its entries.
    pub entry_count: u32,
    /// The link of its batch.
    pub link: u64,
    /// That link's leaf hash.
    pub link_hash: Digest,
    /// When it was received.
    pub received_at: Timestamp,
}

/// The answers that a batch's keyed requests got.
/// Made of what is sealed, so that they survive the loss of the catalog.
pub fn keyed_requests(
    link: &Link,
    link_bytes: &[u8],
    body: &BatchBody,
    batch: &Batch,
) -> Vec<RequestRow> {
    let link_hash = Digest::leaf(&[link_bytes]);
    let received_at = |position: u32| match batch.get(position as usize) {
        Some(Content::Kept(_, entry)) => {
            let view = View::read(entry).ok()?;
            Timestamp::parse_canonical(view.received_at.as_deref()?.as_bytes())
        }
        _ => None,
    };
    let row = |keyed: &KeyedRequest| RequestRow {
        key_hash: keyed.key_hash,
        body_hash: keyed.body_hash,
        first_entry: body.first_entry + u64::from(keyed.first),
        entry_count: keyed.count,
        link: link.head.number,
        link_hash,
        // An erased entry says nothing of when it came.
        received_at: received_at(keyed.first).unwrap_or(link.head.committed_at),
    };
    batch.requests.iter().map(row).collect()
}

/// Sums over a log's closed segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LogTotals {
    /// Closed segments.
    pub segments: u64,
    /// Bytes of their files.
    pub bytes: u64,
}

impl Catalog {
    /// The last segment of a log that lies within the first `size` links.
    /// With a checkpoint's size: the furthest place to go on from that a root can vouch for.
    pub async fn last_segment_within(
        &self,
        log: &LogName,
        size: u64,
    ) -> Result<Option<SegmentRow>, CatalogError> {
        let row = sqlx::query(
            "SELECT * FROM segments WHERE log = ? AND close_link < ? ORDER BY number DESC LIMIT 1",
        )
        .bind(log.as_str())
        .bind(i64::try_from(size).unwrap_or(i64::MAX))
        .fetch_optional(&self.readers)
        .await?;
        row.as_ref().map(read_segment).transpose()
    }

    /// One segment.
    pub async fn segment(
        &self,
        log: &LogName,
        number: SegmentNumber,
    ) -> Result<Option<(SegmentId, SegmentRow)>, CatalogError> {
        let row = sqlx::query("SELECT * FROM segments WHERE log = ? AND number = ?")
            .bind(log.as_str())
            .bind(number as i64)
            .fetch_optional(&self.readers)
            .await?;
        row.as_ref().map(with_id).transpose()
    }

    /// Segments of a log from a number on, ascending, at most `limit`.
    pub async fn segments_from(
        &self,
        log: &LogName,
        number: SegmentNumber,
        limit: u32,
    ) -> Result<Vec<(SegmentId, SegmentRow)>, CatalogError> {
        let always = (None, None);
        self.segments_within(log, number, always, limit).await
    }

    /// The same; if times are given, of those segments alone with an entry whose event time may
    /// lie in `from ≤ time < to`.
    pub async fn segments_within(
        &self,
        log: &LogName,
        number: SegmentNumber,
        (from, to): (Option<Timestamp>, Option<Timestamp>),
        limit: u32,
    ) -> Result<Vec<(SegmentId, SegmentRow)>, CatalogError> {
        let rows = sqlx::query(
            "SELECT * FROM segments WHERE log = ?1 AND number >= ?2
             AND (?3 IS NULL OR (entry_count > 0 AND latest >= ?3))
             AND (?4 IS NULL OR (entry_count > 0 AND earliest < ?4)) ORDER BY number LIMIT ?5",
        )
        .bind(log.as_str())
        .bind(i64::try_from(number).unwrap_or(i64::MAX))
        .bind(from.map(|from| from.0))
        .bind(to.map(|to| to.0))
        .bind(limit)
        .fetch_all(&self.readers)
        .await?;
        rows.iter().map(with_id).collect()
    }

    /// Ids and numbers of a log's segments with an entry whose event time may lie in
    /// `from ≤ time < to`, ascending.
    /// By the segment's own bounds; an entry of it may still lie outside the range.
    pub async fn segments_in_range(
        &self,
        log: &LogName,
        from: Option<Timestamp>,
        to: Option<Timestamp>,
    ) -> Result<Vec<(SegmentId, SegmentNumber)>, CatalogError> {
        let rows = sqlx::query(
            "SELECT id, number FROM segments WHERE log = ? AND entry_count > 0
             AND latest >= ? AND (? IS NULL OR earliest < ?) ORDER BY number",
        )
        .bind(log.as_str())
        .bind(from.map_or(i64::MIN, |from| from.0))
        .bind(to.map(|to| to.0))
        .bind(to.map(|to| to.0))
        .fetch_all(&self.readers)
        .await?;
        rows.iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get::<i64, _>(1)? as u64)))
            .collect()
    }

    /// The lists of those (segment, tag) pairs that there are.
    ///
    /// In no order of the pairs. That a list lacks proves nothing: an export asks the sealed index.
    pub async fn lists(
        &self,
        pairs: &[(SegmentId, [u8; 16])],
    ) -> Result<Vec<(SegmentId, Vec<Posting>)>, CatalogError> {
        let mut found = Vec::new();
        for chunk in pairs.chunks(PAIRS_PER_QUERY) {
            let mut query = QueryBuilder::<Sqlite>::new(
                "SELECT segment, list FROM postings WHERE (segment, tag) IN (",
            );
            query.push_values(chunk, |mut values, (segment, tag)| {
                values.push_bind(*segment).push_bind(tag.to_vec());
            });
            let rows = query.push(")").build().fetch_all(&self.readers).await?;
            for row in rows {
                let list = postings::read(row.try_get(1)?)
                    .ok_or_else(|| CatalogError::damaged("a list of postings is none"))?;
                found.push((row.try_get(0)?, list));
            }
        }
        Ok(found)
    }

    /// Whether any of these (segment, tag) pairs has a list.
    /// For counting without reading.
    pub async fn any_list(&self, pairs: &[(SegmentId, [u8; 16])]) -> Result<bool, CatalogError> {
        for chunk in pairs.chunks(PAIRS_PER_QUERY) {
            let mut query =
                QueryBuilder::<Sqlite>::new("SELECT 1 FROM postings WHERE (segment, tag) IN (");
            query.push_values(chunk, |mut values, (segment, tag)| {
                values.push_bind(*segment).push_bind(tag.to_vec());
            });
            let query = query.push(") LIMIT 1").build();
            if query.fetch_optional(&self.readers).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The batch of a segment in which an entry stands.
    /// The last that begins at or before it; that the entry is in it shows when it is opened.
    pub async fn batch_of(
        &self,
        segment: SegmentId,
        entry: u64,
    ) -> Result<Option<BatchPlace>, CatalogError> {
        let row = sqlx::query(
            "SELECT first_entry, link, place FROM batches WHERE segment = ? AND first_entry <= ?
             ORDER BY first_entry DESC LIMIT 1",
        )
        .bind(segment)
        .bind(entry as i64)
        .fetch_optional(&self.readers)
        .await?;
        row.as_ref().map(read_batch).transpose()
    }

    /// The batches in which entries stand, each given with its segment; pairs without a batch are
    /// left out.
    ///
    /// The join goes through `wanted` first, so that each pair is one seek; left to itself SQLite
    /// may go through all batches.
    pub async fn batches_of(
        &self,
        entries: &[(SegmentId, u64)],
    ) -> Result<Vec<(SegmentId, u64, BatchPlace)>, CatalogError> {
        let mut found = Vec::with_capacity(entries.len());
        for chunk in entries.chunks(PAIRS_PER_QUERY) {
            let mut query = QueryBuilder::<Sqlite>::new("WITH wanted (segment, entry) AS (");
            query.push_values(chunk, |mut values, (segment, entry)| {
                values.push_bind(*segment).push_bind(*entry as i64);
            });
            query.push(
                ") SELECT batches.first_entry, link, place, wanted.segment, wanted.entry
                 FROM wanted CROSS JOIN batches ON batches.segment = wanted.segment
                 AND batches.first_entry = (SELECT max(first_entry) FROM batches
                 WHERE segment = wanted.segment AND first_entry <= wanted.entry)",
            );
            for row in query.build().fetch_all(&self.readers).await? {
                let entry = row.try_get::<i64, _>(4)? as u64;
                found.push((row.try_get(3)?, entry, read_batch(&row)?));
            }
        }
        Ok(found)
    }

    /// The batches of a segment, ascending.
    pub async fn batches(&self, segment: SegmentId) -> Result<Vec<BatchPlace>, CatalogError> {
        let rows = sqlx::query(
            "SELECT first_entry, link, place FROM batches WHERE segment = ? ORDER BY first_entry",
        )
        .bind(segment)
        .fetch_all(&self.readers)
        .await?;
        rows.iter().map(read_batch).collect()
    }

    /// The batches of a segment that begin below an entry, the last first, at most `limit`.
    /// For reading backwards, the newest first.
    pub async fn batches_below(
        &self,
        segment: SegmentId,
        entry: u64,
        limit: u32,
    ) -> Result<Vec<BatchPlace>, CatalogError> {
        let rows = sqlx::query(
            "SELECT first_entry, link, place FROM batches WHERE segment = ? AND first_entry < ?
             ORDER BY first_entry DESC LIMIT ?",
        )
        .bind(segment)
        .bind(i64::try_from(entry).unwrap_or(i64::MAX))
        .bind(limit)
        .fetch_all(&self.readers)
        .await?;
        rows.iter().map(read_batch).collect()
    }

    /// The batches of a segment from a link on, ascending, at most `limit`.
    /// The close link has no batch, and so no row here.
    pub async fn links_from(
        &self,
        segment: SegmentId,
        link: u64,
        limit: u32,
    ) -> Result<Vec<BatchPlace>, CatalogError> {
        let rows = sqlx::query(
            "SELECT first_entry, link, place FROM batches WHERE segment = ? AND link >= ?
             ORDER BY first_entry LIMIT ?",
        )
        .bind(segment)
        .bind(i64::try_from(link).unwrap_or(i64::MAX))
        .bind(limit)
        .fetch_all(&self.readers)
        .await?;
        rows.iter().map(read_batch).collect()
    }

    /// The segment in which an entry stands.
    /// `None` for an entry of the active segment too.
    pub async fn segment_of_entry(
        &self,
        log: &LogName,
        entry: u64,
    ) -> Result<Option<(SegmentId, SegmentRow)>, CatalogError> {
        let row = sqlx::query(
            "SELECT * FROM segments WHERE log = ? AND first_entry <= ? AND first_entry + entry_count > ?
             ORDER BY number DESC LIMIT 1",
        )
        .bind(log.as_str())
        .bind(entry as i64)
        .bind(entry as i64)
        .fetch_optional(&self.readers)
        .await?;
        row.as_ref().map(with_id).transpose()
    }

    /// The request that came with a key.
    /// Perhaps older than a day: they are swept when the next segment is taken in.
    pub async fn request(
        &self,
        log: &LogName,
        key_hash: &Digest,
    ) -> Result<Option<RequestRow>, CatalogError> {
        let row = sqlx::query("SELECT * FROM requests WHERE log = ? AND key_hash = ?")
            .bind(log.as_str())
            .bind(key_hash.0.as_slice())
            .fetch_optional(&self.readers)
            .await?;
        row.as_ref().map(read_request).transpose()
    }

    /// Sums over the closed segments of these logs; those without any are not among them.
    pub async fn totals_of(
        &self,
        logs: &[LogName],
    ) -> Result<HashMap<LogName, LogTotals>, CatalogError> {
        let mut query = QueryBuilder::<Sqlite>::new(
            "SELECT log, count(*), sum(file_bytes) FROM segments WHERE log IN (",
        );
        let mut names = query.separated(", ");
        for log in logs {
            names.push_bind(log.as_str());
        }
        let rows = query.push(") GROUP BY log").build();
        let rows = rows.fetch_all(&self.readers).await?;
        let read = |row: &SqliteRow| {
            let log: String = row.try_get(0)?;
            let totals = LogTotals {
                segments: row.try_get::<i64, _>(1)? as u64,
                bytes: row.try_get::<i64, _>(2)? as u64,
            };
            let log = LogName::new(&log).map_err(|error| CatalogError(error.to_string()))?;
            Ok((log, totals))
        };
        rows.iter().map(read).collect()
    }

    /// The hashes of a tile, as many as there are.
    /// Fewer than 256 for the tile at the tree's right edge.
    pub async fn tile(
        &self,
        log: &LogName,
        level: u8,
        number: u64,
    ) -> Result<Vec<Digest>, CatalogError> {
        let row =
            sqlx::query("SELECT hashes FROM tiles WHERE log = ? AND level = ? AND number = ?")
                .bind(log.as_str())
                .bind(level)
                .bind(number as i64)
                .fetch_optional(&self.readers)
                .await?;
        row.map_or(Ok(Vec::new()), |row| digests(row.try_get(0)?))
    }
}

fn with_id(row: &SqliteRow) -> Result<(SegmentId, SegmentRow), CatalogError> {
    Ok((row.try_get("id")?, read_segment(row)?))
}

/// By the columns' names: the table may get more of them.
fn read_segment(row: &SqliteRow) -> Result<SegmentRow, CatalogError> {
    let number =
        |column: &str| -> Result<u64, CatalogError> { Ok(row.try_get::<i64, _>(column)? as u64) };
    let log: String = row.try_get("log")?;
    Ok(SegmentRow {
        log: LogName::new(&log).map_err(|error| CatalogError(error.to_string()))?,
        number: number("number")?,
        first_link: number("first_link")?,
        close_link: number("close_link")?,
        first_entry: number("first_entry")?,
        entry_count: number("entry_count")?,
        earliest: Timestamp(row.try_get("earliest")?),
        latest: Timestamp(row.try_get("latest")?),
        subject_count: number("subject_count")? as u32,
        unnamed: number("unnamed")?,
        quarantined: row
            .try_get::<Option<i64>, _>("quarantined")?
            .map(|count| count as u64),
        closed: (
            Timestamp(row.try_get("closed_at")?),
            number("closed_pos")? as u32,
        ),
        close_place: number("close_place")?,
        file_bytes: number("file_bytes")?,
        head: Digest(array(row.try_get("head")?, "head")?),
        edge: digests(row.try_get("edge")?)?,
        index_key: array(row.try_get("index_key")?, "index_key")?,
    })
}

/// By the columns' order, which each query above keeps.
fn read_batch(row: &SqliteRow) -> Result<BatchPlace, CatalogError> {
    Ok(BatchPlace {
        first_entry: row.try_get::<i64, _>(0)? as u64,
        link: row.try_get::<i64, _>(1)? as u64,
        place: row.try_get::<i64, _>(2)? as u64,
    })
}

fn read_request(row: &SqliteRow) -> Result<RequestRow, CatalogError> {
    Ok(RequestRow {
        key_hash: Digest(array(row.try_get("key_hash")?, "key_hash")?),
        body_hash: Digest(array(row.try_get("body_hash")?, "body_hash")?),
        first_entry: row.try_get::<i64, _>("first_entry")? as u64,
        entry_count: row.try_get::<i64, _>("entry_count")? as u32,
        link: row.try_get::<i64, _>("link")? as u64,
        link_hash: Digest(array(row.try_get("link_hash")?, "link_hash")?),
        received_at: Timestamp(row.try_get("received_at")?),
    })
}
