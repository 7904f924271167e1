//! What has a ticket: batches and closes, with all that their answers need.

use std::sync::Arc;

use tokio::sync::oneshot;

use super::SegmentKeys;
use crate::format::payload::KeyedRequest;
use crate::ingest::IngestError;
use crate::ingest::index::BatchPostings;
use crate::ingest::queue::{Acknowledgement, Answer, Room};
use crate::sealer::SealedBatch;
use crate::time::Timestamp;

/// A ticket: a place in the order of commits.
pub(in crate::ingest) struct Ticket {
    pub(super) epoch: u64,
    pub(super) number: u64,
    pub(in crate::ingest) keys: Arc<SegmentKeys>,
}

/// What has arrived for a ticket.
pub(in crate::ingest) enum Item {
    Batch(Box<SealedItem>),
    Close(CloseItem),
}

/// A request to close the segment, and who waits for that.
pub(in crate::ingest) struct CloseItem {
    pub(in crate::ingest) keys: Arc<SegmentKeys>,
    pub(in crate::ingest) waiters: Vec<oneshot::Sender<Result<u64, IngestError>>>,
}

/// A sealed batch with all that its acknowledgement and its index need.
pub(in crate::ingest) struct SealedItem {
    pub(in crate::ingest) keys: Arc<SegmentKeys>,
    pub(in crate::ingest) sealed: SealedBatch,
    pub(in crate::ingest) times: Vec<Timestamp>,
    pub(in crate::ingest) postings: BatchPostings,
    pub(in crate::ingest) requests: Vec<Pending>,
}

/// A request whose entries are in a batch.
pub(in crate::ingest) struct Pending {
    pub(in crate::ingest) keyed: Option<KeyedRequest>,
    pub(in crate::ingest) count: u32,
    pub(in crate::ingest) received_at: Timestamp,
    pub(in crate::ingest) quarantined: u32,
    pub(in crate::ingest) reply: Option<oneshot::Sender<Answer>>,
    pub(in crate::ingest) _room: Room,
}

impl Item {
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
    pub(in crate::ingest) fn answer(self, answer: Result<Acknowledgement, IngestError>) {
        if let Some(reply) = self.reply {
            // Whoever asked may have gone; the entries stand all the same.
            let _ = reply.send(answer);
        }
    }
}
