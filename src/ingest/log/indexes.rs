//! What memory knows of a log's segments: the active one, and closed ones that the catalog does
//! not know yet.
//!
//! A segment is in memory, or in the catalog, or in both for a moment, and in neither only while
//! `RecentHits` says so. So whoever looks asks memory first and the catalog then: a segment that
//! moves in between is seen twice, never not at all.

use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};

use super::{Log, lock};
use crate::catalog::{BatchPlace, RequestRow};
use crate::digest::Digest;
use crate::ids::SegmentNumber;
use crate::ingest::index::{SegmentIndex, SubjectKey};
use crate::postings::Posting;
use crate::vrf::Tag;

/// Behind one lock, so that a segment that closes is seen as active or as closed.
#[derive(Default)]
pub(super) struct Indexes {
    /// Of the segment that is being written.
    active: Active,
    /// Whether the active segment's close has its turn and waits for tags.
    closing: bool,
    /// Closed segments that the catalog does not know yet, ascending.
    closed: Vec<ClosedSegment>,
}

/// The active segment's index. Which of the three it is, only the holder of `commit`
/// and recovery change; but for `drop_active`, which may come at any time.
#[derive(Default)]
enum Active {
    /// There is no active segment.
    #[default]
    None,
    /// It is in memory.
    Here(SegmentNumber, Box<SegmentIndex>),
    /// It was dropped for the memory budget, and is rebuilt when needed.
    Dropped(SegmentNumber),
}

/// A closed segment that the catalog does not know yet.
#[derive(Clone)]
pub struct ClosedSegment {
    /// The segment.
    pub number: SegmentNumber,
    /// Its index, if it is still in memory.
    pub index: Option<Arc<SegmentIndex>>,
}

/// Where a subject's entries are that the catalog does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recent {
    /// The segment.
    pub segment: SegmentNumber,
    /// Entries and their event times, ascending.
    pub entries: Vec<Posting>,
}

/// What a look into memory gives.
pub struct RecentHits {
    /// By segment.
    pub hits: Vec<Recent>,
    /// Closed segments that neither memory nor the catalog may know yet.
    pub unknown: Vec<SegmentNumber>,
    /// The active segment's index was dropped and must be rebuilt first.
    pub dropped: bool,
    /// Entries acknowledged when it was made: it is complete up to them.
    pub entries: u64,
}

impl Log {
    /// Changes the active index, if it is in memory; begins one where there is none.
    pub(in crate::ingest) fn with_active<T>(
        &self,
        number: SegmentNumber,
        change: impl FnOnce(&mut SegmentIndex) -> T,
    ) -> Option<T> {
        let mut indexes = self.indexes();
        if matches!(indexes.active, Active::None) {
            indexes.active = Active::Here(number, Box::default());
        }
        match &mut indexes.active {
            Active::Here(here, index) if *here == number => {
                let done = change(index);
                self.index_bytes.store(index.bytes(), Ordering::Relaxed);
                Some(done)
            }
            _ => None,
        }
    }

    /// Puts an index in place that was rebuilt.
    pub(in crate::ingest) fn install_active(&self, number: SegmentNumber, index: SegmentIndex) {
        self.index_bytes.store(index.bytes(), Ordering::Relaxed);
        self.indexes().active = Active::Here(number, Box::new(index));
    }

    /// Drops the active index, unless its segment is about to close.
    pub(in crate::ingest) fn drop_active(&self) {
        let mut indexes = self.indexes();
        if let Active::Here(number, _) = indexes.active
            && !indexes.closing
        {
            // A close needs every tag; to drop them just then would only mean to compute them
            // again.
            indexes.active = Active::Dropped(number);
            self.index_bytes.store(0, Ordering::Relaxed);
        }
    }

    /// The segment whose index is in memory and still grows.
    pub(in crate::ingest) fn active_index(&self) -> Option<SegmentNumber> {
        match self.indexes().active {
            Active::Here(number, _) => Some(number),
            _ => None,
        }
    }

    /// The segment whose index was dropped, if so.
    pub(in crate::ingest) fn dropped(&self) -> Option<SegmentNumber> {
        match self.indexes().active {
            Active::Dropped(number) => Some(number),
            _ => None,
        }
    }

    /// Notes tags of the active segment.
    pub(in crate::ingest) fn set_tags(&self, number: SegmentNumber, tags: &[(SubjectKey, Tag)]) {
        let mut indexes = self.indexes();
        if let Active::Here(here, index) = &mut indexes.active
            && *here == number
        {
            tags.iter().for_each(|(key, tag)| index.set_tag(key, *tag));
        }
    }

    /// Whether a close waits for tags that are all there now, so that a committer must be called.
    pub(in crate::ingest) fn is_ready_to_close(&self) -> bool {
        let ready = {
            let indexes = self.indexes();
            indexes.closing
                && matches!(&indexes.active, Active::Here(_, index) if index.is_tagged())
        };
        ready && self.state().schedule()
    }

    /// Whether the active index has all tags. If not, the close waits, and is remembered.
    pub(super) fn may_close(&self) -> bool {
        let mut indexes = self.indexes();
        indexes.closing = true;
        match &indexes.active {
            Active::Here(_, index) => index.is_tagged(),
            // The committer rebuilds it first.
            Active::Dropped(_) | Active::None => true,
        }
    }

    /// Moves the active index to the closed segments, if all its tags are there.
    pub(in crate::ingest) fn begin_close(&self) -> Option<Arc<SegmentIndex>> {
        let mut indexes = self.indexes();
        match std::mem::take(&mut indexes.active) {
            Active::Here(number, index) if index.is_tagged() => {
                self.index_bytes.store(0, Ordering::Relaxed);
                let index = Arc::<SegmentIndex>::from(index);
                indexes.closing = false;
                indexes.closed.push(ClosedSegment {
                    number,
                    index: Some(index.clone()),
                });
                Some(index)
            }
            other => {
                indexes.active = other;
                None
            }
        }
    }

    /// Whether a close waits for tags.
    pub(in crate::ingest) fn is_closing(&self) -> bool {
        self.indexes().closing
    }

    /// Notes a closed segment that the catalog does not know, and whose index only its file has.
    pub(in crate::ingest) fn keep_unindexed(&self, number: SegmentNumber) {
        self.indexes().closed.push(ClosedSegment {
            number,
            index: None,
        });
    }

    /// Forgets what memory knows of segments: recovery finds it anew.
    pub(in crate::ingest) fn forget_indexes(&self) {
        let mut indexes = self.indexes();
        indexes.closing = false;
        indexes.active = Active::None;
        indexes.closed.clear();
        self.index_bytes.store(0, Ordering::Relaxed);
    }

    /// Lets closed segments' indexes go from memory; their files have them.
    pub(in crate::ingest) fn drop_closed(&self) {
        self.indexes()
            .closed
            .iter_mut()
            .for_each(|segment| segment.index = None);
    }

    /// Notes that the catalog knows a segment: memory may forget it.
    pub(in crate::ingest) fn set_indexed(&self, number: SegmentNumber) {
        self.indexes()
            .closed
            // The catalog takes a log's segments in their order: what is before this one it has
            // too.
            .retain(|segment| segment.number > number);
        self.indexed.send_replace(Some(number));
    }

    /// The entries of a subject that only memory knows.
    pub fn recent(&self, key: &SubjectKey) -> RecentHits {
        // Read before the index: what is committed in between is found and not counted, never
        // counted and not found.
        let entries = self.head().entries;
        let indexes = self.indexes();
        let mut found = RecentHits {
            hits: Vec::new(),
            unknown: Vec::new(),
            dropped: false,
            entries,
        };
        for segment in &indexes.closed {
            match &segment.index {
                Some(index) => found.add(segment.number, index.find(key)),
                None => found.unknown.push(segment.number),
            }
        }
        match &indexes.active {
            Active::None => {}
            Active::Here(number, index) => found.add(*number, index.find(key)),
            Active::Dropped(_) => found.dropped = true,
        }
        found
    }

    /// Where the batch of a recent entry stands: segment, and its place.
    pub fn recent_batch(&self, entry: u64) -> Option<(SegmentNumber, BatchPlace)> {
        let indexes = self.indexes();
        if let Active::Here(number, index) = &indexes.active
            && index
                .batches
                .first()
                .is_some_and(|first| first.first_entry <= entry)
        {
            return Some((*number, index.batch_of(entry)?));
        }
        let segments = indexes.closed.iter().rev();
        segments
            .filter_map(|segment| Some((segment.number, segment.index.as_ref()?)))
            .find_map(|(number, index)| {
                let first = index.batches.first()?;
                (first.first_entry <= entry).then(|| Some((number, index.batch_of(entry)?)))?
            })
    }

    /// The request that came with a key, if memory knows it. `Err` if its index was dropped. The
    /// inner `None` is the active segment, which is rebuilt; a number is a closed one, for which
    /// one waits until the catalog has it. Only `Ok(None)` lets the catalog decide.
    pub(in crate::ingest) fn recent_request(
        &self,
        key_hash: &Digest,
    ) -> Result<Option<RequestRow>, Option<SegmentNumber>> {
        let indexes = self.indexes();
        let active = match &indexes.active {
            Active::None => None,
            Active::Here(_, index) => index.requests.get(key_hash),
            Active::Dropped(_) => return Err(None),
        };
        if let Some(row) = active {
            return Ok(Some(*row));
        }
        for segment in &indexes.closed {
            match &segment.index {
                None => return Err(Some(segment.number)),
                Some(index) => {
                    if let Some(row) = index.requests.get(key_hash) {
                        return Ok(Some(*row));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Last in the order of locks: nobody waits for anything while holding it.
    pub(super) fn indexes(&self) -> MutexGuard<'_, Indexes> {
        lock(&self.indexes)
    }
}

impl RecentHits {
    /// A segment that does not name the subject adds nothing.
    fn add(&mut self, segment: SegmentNumber, entries: Vec<Posting>) {
        if !entries.is_empty() {
            self.hits.push(Recent { segment, entries });
        }
    }
}
