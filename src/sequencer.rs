//! The sequencer: sealed batches in, links out. The only sequential work of a log; a sync's
//! links are made on a copy, which takes the original's place once the sync has succeeded.
//!
//! It reads no clock and writes no file: the committer hands it a time, and writes and syncs the
//! bytes. One thread at a time has a log's sequencer; which one is the committer's rule.

use crate::chain::{BATCH_LINK_BYTES, Body, Chain, CloseBody, Flaw, Link};
use crate::digest::Digest;
use crate::format::frame::{FRAME_HEAD_BYTES, put_frame};
use crate::ids::{EntryIndex, LinkNumber, LogId};
use crate::merkle::Frontier;
use crate::sealer::SealedBatch;
use crate::time::Timestamp;

/// Where a log stands: its chain and its tree.
///
/// `chain.next_link` is `tree.size()`, and `chain.head` the leaf pushed last; only a verifier that
/// goes on after a finding lets go of that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequencer {
    /// What the next link must agree with.
    pub chain: Chain,
    /// The tree over all links.
    pub tree: Frontier,
}

/// The links of one sync, and the bytes to append. Nothing in it is true before these are
/// on disk.
/// Dropped, it has never been: the original stands where it stood, and its numbers are used again.
pub struct Sync {
    /// The copy, past the links made so far.
    next: Sequencer,
    /// Taken once, when the sync begins; later than the last sync's, whatever the clock says.
    committed_at: Timestamp,
    /// Of the next link among those of this sync.
    position: u32,
    /// Frames to append, in order.
    pub bytes: Vec<u8>,
}

/// A link that a sync has made.
/// What an acknowledgement holds. To be told to nobody before the sync has succeeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Linked {
    /// Its number.
    pub number: LinkNumber,
    /// Its leaf hash.
    pub hash: Digest,
    /// Index of its first entry.
    pub first_entry: EntryIndex,
    /// Where its frame begins, counted from the start of the sync's bytes.
    pub offset: u64,
}

/// A sealed subject index, with what the close link states of it.
/// It is sealed before it has a place, as batches are.
pub struct SealedIndex {
    /// The payload.
    pub payload: Vec<u8>,
    /// Distinct subjects.
    pub subject_count: u32,
    /// Root over the index.
    pub subjects_root: Digest,
    /// Public key of the index.
    pub index_key: [u8; 32],
    /// Hash of the fixed part of the segment's header.
    pub header_digest: Digest,
}

impl Sequencer {
    /// An empty log.
    pub fn new(log_id: LogId) -> Self {
        Self {
            chain: Chain::new(log_id),
            tree: Frontier::default(),
        }
    }

    /// Goes on past a link that is on disk.
    /// After a flaw neither chain nor tree has moved.
    pub fn accept(&mut self, link: &Link, bytes: &[u8]) -> Result<(), Flaw> {
        self.chain.accept(link, bytes)?;
        self.tree.push(self.chain.head);
        Ok(())
    }

    /// Begins a sync.
    /// The copy is small: a chain's fields and at most 53 hashes.
    pub fn begin(&self, now: Timestamp) -> Sync {
        let committed_at = self.chain.next_sync_at(now);
        Sync {
            next: self.clone(),
            committed_at,
            position: 0,
            bytes: Vec::new(),
        }
    }
}

impl Sync {
    /// Makes room for the frames of batches, so that none is copied when the next one comes.
    pub fn reserve<'b>(&mut self, batches: impl Iterator<Item = &'b SealedBatch>) {
        let frame = |batch: &SealedBatch| FRAME_HEAD_BYTES + BATCH_LINK_BYTES + batch.payload.len();
        self.bytes.reserve(batches.map(frame).sum());
    }

    /// Links a batch.
    pub fn batch(&mut self, batch: &SealedBatch) -> Result<Linked, Flaw> {
        let first_entry = self.next.chain.next_entry;
        self.link(Body::Batch(batch.body(first_entry)), &batch.payload)
    }

    /// Links the end of the segment.
    ///
    /// The sums are the chain's own, so that the close link cannot state others than the batches
    /// gave.
    pub fn close(&mut self, index: &SealedIndex) -> Result<Linked, Flaw> {
        let sums = self.next.chain.sums;
        let (earliest, latest) = sums.times.unwrap_or((Timestamp(0), Timestamp(0)));
        let body = CloseBody {
            first_link: sums.first_link,
            first_entry: sums.first_entry,
            entry_count: sums.entry_count,
            earliest,
            latest,
            subject_count: index.subject_count,
            subjects_root: index.subjects_root,
            index_key: index.index_key,
            payload_length: index.payload.len() as u32,
            payload_digest: Digest::of(&[&index.payload]),
            header_digest: index.header_digest,
        };
        self.link(Body::Close(body), &index.payload)
    }

    /// The log's state once the bytes are on disk.
    /// To be called once they are, by whoever has synced them.
    pub fn finish(self) -> Sequencer {
        self.next
    }

    /// When the sync's links say that they were committed.
    pub fn committed_at(&self) -> Timestamp {
        self.committed_at
    }

    /// It goes through the rules that every reader applies: a link which they would refuse is not
    /// written.
    fn link(&mut self, body: Body, payload: &[u8]) -> Result<Linked, Flaw> {
        let head = self.next.chain.next_head(self.committed_at, self.position);
        let first_entry = self.next.chain.next_entry;
        let link = Link { head, body };
        let bytes = link.encode();
        self.next.accept(&link, &bytes)?;
        let offset = self.bytes.len() as u64;
        put_frame(&mut self.bytes, &bytes, payload);
        self.position += 1;
        Ok(Linked {
            number: head.number,
            hash: self.next.chain.head,
            first_entry,
            offset,
        })
    }
}
