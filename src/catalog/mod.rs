//! `catalog.db`: an index over closed segments, derived from them. SQLite in WAL mode.
//!
//! Trusted with nothing: whoever edits it can hide an entry from a search, not from an export,
//! which reads the sealed index of every segment and proves it against the checkpoint. Deleting
//! it costs the time to rebuild it.
//!
//! It answers two questions fast: in which segments and batches do a person's entries lie, and what
//! hashes does a proof need. Both answers are checked by whoever uses them: batches against their
//! links, hashes against the checkpoint's root. Tags stand here as they do in the sealed indexes:
//! without the index key they name nobody.

mod insert;
mod read;

use std::path::Path;
use std::time::Duration;

use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use tokio::sync::oneshot;

pub use read::{BatchPlace, LogTotals, RequestRow, SegmentId, keyed_requests};

use crate::chain::{Chain, Sums};
use crate::digest::Digest;
use crate::ids::{LogId, LogName, Origin, SegmentNumber};
use crate::merkle::Frontier;
use crate::sequencer::Sequencer;
use crate::store::make_private;
use crate::time::Timestamp;

/// The open database: one connection writes, several read.
/// A clone is the same database.
#[derive(Clone)]
pub struct Catalog {
    /// One connection: SQLite has one writer at a time, and waiting for it here is cheaper than
    /// `SQLITE_BUSY`.
    writer: SqlitePool,
    /// They cannot write, whatever they are asked.
    readers: SqlitePool,
}

/// A failure of the database.
/// A row that cannot be read is one too: deleting the file mends it.
#[derive(Debug, thiserror::Error)]
#[error("catalog.db: {0}")]
pub struct CatalogError(String);

impl CatalogError {
    /// A row that cannot be read; with what mends it.
    fn damaged(what: impl std::fmt::Display) -> Self {
        Self(format!(
            "{what}; stop the server and delete the file: the next start makes it anew from the segments"
        ))
    }
}

impl From<sqlx::Error> for CatalogError {
    fn from(error: sqlx::Error) -> Self {
        Self(error.to_string())
    }
}

/// A closed segment as the catalog knows it.
///
/// Everything from which a log's state behind the segment can be made, so that a start need not
/// read closed segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentRow {
    /// The log.
    pub log: LogName,
    /// The segment's number.
    pub number: SegmentNumber,
    /// Its first link.
    pub first_link: u64,
    /// Its close link.
    pub close_link: u64,
    /// Its first entry.
    pub first_entry: u64,
    /// Number of its entries.
    pub entry_count: u64,
    /// Earliest event time.
    /// 0 if there is no entry, as in the close link.
    pub earliest: Timestamp,
    /// Latest event time.
    pub latest: Timestamp,
    /// Distinct subjects.
    pub subject_count: u32,
    /// Entries that name nobody.
    pub unnamed: u64,
    /// Quarantined entries among them, where that was known without opening every payload.
    pub quarantined: Option<u64>,
    /// When it was closed, and the close link's position in that sync.
    /// The rule for neighbours needs both for the next link.
    pub closed: (Timestamp, u32),
    /// Offset of the close link's frame.
    pub close_place: u64,
    /// Length of its file.
    pub file_bytes: u64,
    /// Leaf hash of its close link.
    pub head: Digest,
    /// Right edge of the log's tree behind its close link.
    /// As many hashes as bits are set in `close_link + 1`.
    pub edge: Vec<Digest>,
    /// Public key of the subject index.
    pub index_key: [u8; 32],
}

impl SegmentRow {
    /// The state of the log behind it; `None` if the row contradicts itself. Whoever goes on
    /// from it compares its root with a checkpoint.
    /// It is only as true as the row.
    pub fn behind(&self, log_id: LogId) -> Option<Sequencer> {
        let size = self.close_link.checked_add(1)?;
        let next_entry = self.first_entry.checked_add(self.entry_count)?;
        let chain = Chain {
            log_id,
            next_link: size,
            head: self.head,
            next_entry,
            segment: self.number.checked_add(1)?,
            last_sync: Some(self.closed),
            sums: Sums::from(size, next_entry),
            index_key: Some(self.index_key),
        };
        let tree = Frontier::from_parts(size, self.edge.clone())?;
        Some(Sequencer { chain, tree })
    }
}

/// A closed segment, verified, to be put into the catalog.
/// The indexer alone makes one.
#[derive(Debug)]
pub struct VerifiedSegment {
    /// The segment.
    pub row: SegmentRow,
    /// Its batches, ascending.
    pub batches: Vec<BatchPlace>,
    /// Leaf hashes of all its links.
    /// From `first_link` on, none left out.
    pub link_leaves: Vec<Digest>,
    /// Its idempotency keys.
    pub requests: Vec<RequestRow>,
}

/// What only a segment's payloads say.
///
/// Ingest has counted and kept them while the segment was active; after a restart they are not
/// known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownSegment {
    /// Its idempotency keys.
    pub requests: Vec<RequestRow>,
    /// How many of its entries are quarantined.
    pub quarantined: u64,
}

/// A closed segment that the catalog is to take in.
#[derive(Debug)]
pub struct ToIndex {
    /// The log.
    pub log: LogName,
    /// Its origin.
    pub origin: Origin,
    /// The segment.
    pub segment: SegmentNumber,
    /// What only its payloads say, where that is known without opening them.
    /// Spares the indexer the opening of every batch.
    pub known: Option<KnownSegment>,
    /// Told once the catalog has it; dropped if it cannot be taken in.
    /// Until then the segment's index stays in memory.
    pub done: oneshot::Sender<()>,
}

impl Catalog {
    /// Opens the database, makes it if it is not there, and brings it up to date.
    pub async fn open(path: &Path) -> Result<Self, CatalogError> {
        make_private(path).map_err(|error| CatalogError(error.to_string()))?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A crash may lose the last segments, never mix them: they are indexed again.
            .synchronous(SqliteSynchronous::Normal)
            .busy_timeout(Duration::from_secs(10))
            // Lists of entries are most of what is written: longer pages, fewer calls to write them.
            // A database that is there keeps its own.
            .page_size(16 << 10)
            .pragma("cache_size", "-4096");
        let writer = SqlitePoolOptions::new()
            .max_connections(1)
            .connect_with(options.clone())
            .await?;
        sqlx::migrate!("migrations/catalog")
            .run(&writer)
            .await
            .map_err(|error| CatalogError(error.to_string()))?;
        let readers = SqlitePoolOptions::new()
            .max_connections(4)
            .connect_with(options.read_only(true))
            .await?;
        Ok(Self { writer, readers })
    }

    /// Closes the database, its write-ahead log merged.
    /// For a stop; without it the next start merges.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// A blob of fixed length, as read.
/// A length that is not the column's is damage, not a reason to guess.
fn array<const N: usize>(bytes: Vec<u8>, column: &str) -> Result<[u8; N], CatalogError> {
    bytes
        .try_into()
        .map_err(|_| CatalogError::damaged(format!("column {column} has a wrong length")))
}

/// A row of hashes without anything between them.
fn digests(bytes: &[u8]) -> Result<Vec<Digest>, CatalogError> {
    match bytes.as_chunks::<32>() {
        (chunks, []) => Ok(chunks.iter().map(|chunk| Digest(*chunk)).collect()),
        _ => Err(CatalogError::damaged("hashes of a wrong length")),
    }
}

/// The inverse of `digests`.
fn concat(hashes: &[Digest]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| hash.0).collect()
}
