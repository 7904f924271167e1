//! What has a ticket: batches and closes, with all that their answers need; and the file that they
//! come into.

use std::sync::Arc;

use tokio::sync::oneshot;

use super::SegmentKeys;
use crate::digest::Digest;
use crate::format::payload::KeyedRequest;
use crate::ingest::IngestError;
use crate::ingest::index::BatchPostings;
use crate::ingest::queue::{Acknowledgement, Answer, Room};
use crate::sealer::SealedBatch;
use crate::time::Timestamp;

/// A ticket: a place in the order of commits.
pub(in crate::ingest) struct Ticket {
    /// Which life of the log it is of: after a failure older tickets are void.
    pub(super) epoch: u64,
    /// Its place; every number below is committed first.
    pub(super) number: u64,
    pub(in crate::ingest) keys: Arc<SegmentKeys>,
}

/// What has arrived for a ticket.
pub(in crate::ingest) enum Item {
    /// A sealed batch.
    Batch(Box<SealedItem>),
    /// A roll: the segment ends here.
    Close(CloseItem),
}

/// A request to close the segment, and who waits for that.
pub(in crate::ingest) struct CloseItem {
    pub(in crate::ingest) keys: Arc<SegmentKeys>,
    pub(in crate::ingest) waiters: Vec<oneshot::Sender<Result<u64, IngestError>>>,
}

/// A sealed batch with all that its acknowledgement and its index need. Sealed already, under the
/// key of its ticket: what is left is to link it, in its turn.
pub(in crate::ingest) struct SealedItem {
    pub(in crate::ingest) keys: Arc<SegmentKeys>,
    /// Its payload, and what its link will say.
    pub(in crate::ingest) sealed: SealedBatch,
    /// Each entry's event time, for the index.
    pub(in crate::ingest) times: Vec<Timestamp>,
    /// Which data subject is named by which entry.
    pub(in crate::ingest) postings: BatchPostings,
    /// Who sent the entries, in their order.
    pub(in crate::ingest) requests: Vec<Pending>,
}

/// A request whose entries are in a batch.
pub(in crate::ingest) struct Pending {
    /// Its idempotency key, if it came with one.
    pub(in crate::ingest) keyed: Option<KeyedRequest>,
    /// How many of the batch's entries are its own.
    pub(in crate::ingest) count: u32,
    /// Stands in its answer, also in the one that a repeat gets.
    pub(in crate::ingest) received_at: Timestamp,
    /// How many of those could not be read.
    pub(in crate::ingest) quarantined: u32,
    /// Who waits for the answer; nobody, if it was given when queued.
    pub(in crate::ingest) reply: Option<oneshot::Sender<Answer>>,
    /// Given back with the answer, and not before.
    pub(in crate::ingest) _room: Room,
}

/// The active segment's file.
pub(in crate::ingest) struct OpenSegment {
    pub(in crate::ingest) keys: Arc<SegmentKeys>,
    pub(in crate::ingest) header_digest: Digest,
    /// Its synced length: nothing behind was acknowledged.
    pub(in crate::ingest) length: u64,
}

impl Item {
    /// Answers everybody who waits for it with an error.
    pub(in crate::ingest) fn fail(self, error: &IngestError) {
        match self {
            Self::Batch(batch) => {
                batch
                    .requests
                    .into_iter()
                    .for_each(|request| request.answer(Err(error.clone())));
            }
            Self::Close(close) => {
                close.waiters.into_iter().for_each(|waiter| {
                    let _ = waiter.send(Err(error.clone()));
                });
            }
        }
    }
}

impl Pending {
    /// Answers the request, and gives its room back.
    pub(in crate::ingest) fn answer(self, answer: Result<Acknowledgement, IngestError>) {
        if let Some(reply) = self.reply {
            // Whoever asked may have gone; the entries stand all the same.
            let _ = reply.send(answer);
        }
    }
}
