//! The indexer: a closed segment in, verified; its catalog rows out, in one transaction.
//!
//! It works beside ingest and behind it; segments of a log are taken in their order. What it
//! cannot verify it leaves out, and says so.
//!
//! The catalog is trusted with nothing, but searches rely on it to be complete; so a segment goes
//! in only after its chain, its payloads' digests and its sealed index were checked as any verifier
//! would. It follows ingest: the index of a segment that waits here stays in memory, if it was
//! there.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::runtime::Handle;
use tokio::sync::mpsc;

use crate::catalog::{
    BatchPlace, Catalog, CatalogError, KnownSegment, RequestRow, SegmentRow, ToIndex,
    VerifiedSegment, keyed_requests,
};
use crate::chain::{Body, CloseBody};
use crate::digest::{Digest, log_id};
use crate::envelope::Dek;
use crate::format::frame::Frame;
use crate::format::subject_index::{SubjectIndex, postings};
use crate::ids::LogName;
use crate::keyring::Keyring;
use crate::limits::IDEMPOTENCY_MICROS;
use crate::sequencer::Sequencer;
use crate::store::Storage;
use crate::time::{Clock, Timestamp};
use crate::verifier::{ScanEnd, check_header, open_batch, open_subjects, read_header, scan};

/// What the indexer works with.
/// One thread, for all logs: SQLite takes one writer anyway.
pub struct Indexer {
    /// Segments.
    pub storage: Arc<dyn Storage>,
    /// Keys.
    pub keyring: Arc<Keyring>,
    /// Where rows go.
    /// The only writer of its segments; recovery may make it forget a log.
    pub catalog: Catalog,
    /// The time.
    /// For the age of idempotency keys, and for how often progress is said.
    pub clock: Arc<dyn Clock>,
}

/// What is said of a catalog that catches up: at most a line every few seconds.
#[derive(Default)]
struct Progress {
    /// Segments since the start.
    taken: u64,
    /// None until it was said once.
    said_at: Option<Timestamp>,
}

impl Progress {
    const EVERY_MICROS: i64 = 5_000_000;

    /// A catalog that keeps up says nothing.
    fn taken(&mut self, waiting: usize, now: Timestamp) {
        self.taken += 1;
        let due = self
            .said_at
            .is_none_or(|at| now >= at.plus_micros(Self::EVERY_MICROS));
        if waiting > 0 && due {
            tracing::info!(
                "the catalog catches up: {} segments indexed, {waiting} wait",
                self.taken
            );
            self.said_at = Some(now);
        }
    }
}

/// Why a segment was not taken in.
/// Each is logged, and the segment left out; a restart tries again.
#[derive(Debug, thiserror::Error)]
enum IndexingError {
    /// Somebody must look; nothing here mends it.
    #[error("it does not verify: {0}")]
    Finding(String),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

impl Indexer {
    /// Takes segments in, on a thread of its own, until nobody sends more.
    /// The thread ends when the senders are gone, after what was sent.
    pub fn spawn(self, work: mpsc::UnboundedReceiver<ToIndex>) -> io::Result<JoinHandle<()>> {
        let runtime = Handle::current();
        let thread = std::thread::Builder::new().name("indexer".into());
        thread.spawn(move || runtime.block_on(self.run(work)))
    }

    /// Idempotency keys are swept here, since the catalog's writer is here.
    async fn run(self, mut work: mpsc::UnboundedReceiver<ToIndex>) {
        let indexer = Arc::new(self);
        let mut progress = Progress::default();
        while let Some(next) = work.recv().await {
            let (log, segment) = (next.log.clone(), next.segment);
            match indexer.clone().index(next).await {
                Ok(()) => progress.taken(work.len(), indexer.clock.now()),
                Err(error) => tracing::error!("{log}: segment {segment} is not indexed: {error}"),
            }
            let oldest = indexer.clock.now().plus_micros(-IDEMPOTENCY_MICROS);
            if let Err(error) = indexer.catalog.sweep_requests(oldest).await {
                tracing::error!("{error}");
            }
        }
    }

    /// A segment that is there already is no error: a restart hands over again what it is not sure
    /// of.
    async fn index(self: Arc<Self>, work: ToIndex) -> Result<(), IndexingError> {
        if self
            .catalog
            .segment(&work.log, work.segment)
            .await?
            .is_none()
        {
            let start = self.start(&work).await?;
            let this = self.clone();
            let (log, segment) = (work.log.clone(), work.segment);
            let known = work.known;
            // Reading and hashing would hold up the runtime's other tasks.
            let read = tokio::task::spawn_blocking(move || this.read(&log, segment, start, known));
            let (verified, subjects) = read.await.map_err(io::Error::other)??;
            let lists = subjects.rows().map(|row| {
                let list = postings(row.list).into_iter().flatten();
                (row.tag, list.collect())
            });
            self.catalog.insert_segment(&verified, lists).await?;
        }
        // Whoever waits may have gone.
        let _ = work.done.send(());
        Ok(())
    }

    /// The state of the log before the segment.
    ///
    /// By the catalog's own row of the segment before: if that was altered, this segment does not
    /// follow it, and is not taken in.
    async fn start(&self, work: &ToIndex) -> Result<Sequencer, IndexingError> {
        let log_id = log_id(&work.origin);
        let Some(before) = work.segment.checked_sub(1) else {
            return Ok(Sequencer::new(log_id));
        };
        let (_, row) = self
            .catalog
            .segment(&work.log, before)
            .await?
            .ok_or_else(|| {
                IndexingError::Finding(format!("segment {before} before it is not indexed"))
            })?;
        row.behind(log_id)
            .ok_or_else(|| IndexingError::Finding("the catalog's tree edge".into()))
    }

    /// Every payload is hashed; those of batches are opened only for idempotency keys that are
    /// still remembered and that nobody knows (after a restart).
    fn read(
        &self,
        log: &LogName,
        segment: u64,
        mut sequencer: Sequencer,
        known: Option<KnownSegment>,
    ) -> Result<(VerifiedSegment, SubjectIndex), IndexingError> {
        let finding = |what: &dyn std::fmt::Display| IndexingError::Finding(what.to_string());
        let file = self.storage.open(log, segment)?;
        let key_part = self.storage.key_part(log, segment)?;
        let header = read_header(&*file, key_part.as_deref())?.map_err(|error| finding(&error))?;
        check_header(&header, &sequencer.chain).map_err(|flaw| finding(&flaw.what))?;
        let dek = header
            .dek(&self.keyring.kek)
            .map_err(|error| finding(&error))?;
        // A segment of last year needs no batch opened at all.
        let young = self.clock.now().plus_micros(-IDEMPOTENCY_MICROS);
        let mut reading = SegmentReading {
            dek: &dek,
            young,
            count_payloads: known.is_none(),
            ..SegmentReading::new(&dek)
        };
        let mut failed = None;
        // The visitor cannot end a scan with a finding, so it keeps the first one and lets the rest
        // pass.
        let end = scan(&*file, &header, &mut sequencer, true, |frame, sequencer| {
            if failed.is_none() {
                failed = reading.take(&frame, sequencer.chain.head).err();
            }
            Ok(())
        })?;
        if let Some(failed) = failed {
            return Err(failed);
        }
        match (end, reading.close) {
            (ScanEnd::Closed { behind: 0, .. }, Some((close, subjects))) => {
                let quarantined = known.as_ref().map(|known| known.quarantined);
                let row = SegmentRow {
                    unnamed: unnamed(&close.body, &subjects),
                    quarantined,
                    ..close.row(log, &sequencer, file.length()?)
                };
                let verified = VerifiedSegment {
                    row,
                    batches: reading.batches,
                    link_leaves: reading.leaves,
                    requests: known.map_or(reading.found_requests, |known| known.requests),
                };
                Ok((verified, subjects))
            }
            // Ingest hands over closed segments alone, so any other end is somebody's doing.
            (end, _) => Err(finding(&format!("it ends with {end:?}"))),
        }
    }
}

/// What is gathered while a segment is read.
/// Goes into one transaction; some hundred bytes a batch.
struct SegmentReading<'a> {
    dek: &'a Dek,
    /// Keys of requests committed before this are not remembered.
    young: Timestamp,
    /// Whether payloads must be opened for what only they say.
    count_payloads: bool,
    found_requests: Vec<RequestRow>,
    batches: Vec<BatchPlace>,
    /// Of all links, for the tree's tiles.
    leaves: Vec<Digest>,
    /// Some once the close link was read, which is the last.
    close: Option<(Close, SubjectIndex)>,
}

/// What of the close link and its place goes into the row.
struct Close {
    body: CloseBody,
    link: u64,
    place: u64,
    closed: (Timestamp, u32),
}

impl<'a> SegmentReading<'a> {
    fn new(dek: &'a Dek) -> Self {
        Self {
            dek,
            young: Timestamp(i64::MIN),
            count_payloads: true,
            found_requests: Vec::new(),
            batches: Vec::new(),
            leaves: Vec::new(),
            close: None,
        }
    }

    /// `leaf` is the frame's own link's: the chain's head behind it.
    fn take(&mut self, frame: &Frame, leaf: Digest) -> Result<(), IndexingError> {
        self.leaves.push(leaf);
        let head = &frame.link.head;
        match &frame.link.body {
            Body::Batch(body) => {
                let place = BatchPlace {
                    first_entry: body.first_entry,
                    link: head.number,
                    place: frame.offset,
                };
                self.batches.push(place);
                if self.count_payloads && head.committed_at >= self.young {
                    let batch = open_batch(&frame.link, body, &frame.payload, self.dek).map_err(
                        |error| IndexingError::Finding(format!("link {}: {error}", head.number)),
                    )?;
                    let rows = keyed_requests(&frame.link, &frame.link_bytes, body, &batch);
                    self.found_requests.extend(rows);
                }
            }
            Body::Close(body) => {
                let subjects =
                    open_subjects(&frame.link, body, &frame.payload, self.dek).map_err(|what| {
                        IndexingError::Finding(format!("link {}: {what}", head.number))
                    })?;
                let close = Close {
                    body: *body,
                    link: head.number,
                    place: frame.offset,
                    closed: (head.committed_at, head.sync_position),
                };
                self.close = Some((close, subjects));
            }
            Body::Reserved { .. } => {}
        }
        Ok(())
    }
}

/// Entries of a segment that no list of its subject index names.
///
/// They are found by no search for a person, so the number is shown. One bit would do for each; a
/// byte is simpler.
fn unnamed(close: &CloseBody, subjects: &SubjectIndex) -> u64 {
    let mut named = vec![false; usize::try_from(close.entry_count).unwrap_or(0)];
    for (entry, _) in subjects
        .rows()
        .filter_map(|row| postings(row.list))
        .flatten()
    {
        let at = entry
            .checked_sub(close.first_entry)
            .and_then(|at| usize::try_from(at).ok());
        if let Some(slot) = at.and_then(|at| named.get_mut(at)) {
            *slot = true;
        }
    }
    named.iter().filter(|named| !**named).count() as u64
}

impl Close {
    /// `sequencer` stands behind the close link, so its segment is the next one.
    fn row(&self, log: &LogName, sequencer: &Sequencer, file_bytes: u64) -> SegmentRow {
        SegmentRow {
            log: log.clone(),
            number: sequencer.chain.segment - 1,
            first_link: self.body.first_link,
            close_link: self.link,
            first_entry: self.body.first_entry,
            entry_count: self.body.entry_count,
            earliest: self.body.earliest,
            latest: self.body.latest,
            subject_count: self.body.subject_count,
            unnamed: 0,
            quarantined: None,
            closed: self.closed,
            close_place: self.place,
            file_bytes,
            head: sequencer.chain.head,
            edge: sequencer.tree.edge().to_vec(),
            index_key: self.body.index_key,
        }
    }
}
