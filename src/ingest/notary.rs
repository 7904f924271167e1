//! The notary: signs checkpoints. The one place through which a checkpoint comes into being: it
//! is compared and swapped in `state.db` before anybody sees it.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use super::core::Core;
use super::log::Log;
use crate::catalog::{KnownSegment, ToIndex};
use crate::checkpoint::Checkpoint;
use crate::digest::Digest;
use crate::ids::SegmentNumber;
use crate::merkle::Frontier;
use crate::state::{StoredCheckpoint, Swap};

/// The size and root of a log's tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeHead {
    pub(super) size: u64,
    pub(super) root: Digest,
    /// Number of entries, if all of them are in closed segments.
    pub(super) closed_entries: Option<u64>,
}

/// What the notary is told.
pub(super) enum Notice {
    /// A segment was closed.
    Closed {
        log: Arc<Log>,
        segment: SegmentNumber,
        head: TreeHead,
        /// What only payloads say of it, if memory has it.
        known: Option<KnownSegment>,
    },
    /// A closed segment that the catalog does not know was found at the start.
    Unindexed {
        log: Arc<Log>,
        segment: SegmentNumber,
    },
    /// Nothing more comes: the indexer may end.
    Stop,
    /// A log has grown.
    Grown { log: Arc<Log>, head: TreeHead },
}

impl TreeHead {
    pub(super) fn of(tree: &Frontier, closed_entries: Option<u64>) -> Self {
        Self {
            size: tree.size(),
            root: tree.root(),
            closed_entries,
        }
    }
}

/// Signs until told to stop; tells the indexer of closed segments.
pub(super) async fn run(
    core: Arc<Core>,
    mut notices: mpsc::UnboundedReceiver<Notice>,
    indexer: mpsc::UnboundedSender<ToIndex>,
) {
    while let Some(notice) = notices.recv().await {
        match notice {
            Notice::Stop => return,
            Notice::Grown { log, head } => sign(&core, &log, head).await,
            Notice::Unindexed { log, segment } => hand_over(&log, segment, None, &indexer),
            Notice::Closed {
                log,
                segment,
                head,
                known,
            } => {
                sign(&core, &log, head).await;
                hand_over(&log, segment, known, &indexer);
            }
        }
    }
}

/// Signs a tree head, and keeps the checkpoint if it is newer than the one kept: the comparison and
/// the write are one transaction, so that two of them never say different things of one size.
async fn sign(core: &Core, log: &Arc<Log>, head: TreeHead) {
    let checkpoint = Checkpoint {
        origin: log.origin.clone(),
        size: head.size,
        root: head.root,
    };
    let stored = StoredCheckpoint {
        size: head.size,
        root: head.root,
        note: checkpoint.sign(&core.keyring.signing),
        signed_at: core.clock.now(),
    };
    match core.state.swap_checkpoint(&log.name, &stored).await {
        Ok(Swap::Done) => publish(core, log, stored, head.closed_entries),
        Ok(Swap::Refused) => check_refusal(core, log, stored, head.closed_entries).await,
        Err(error) => {
            core.trouble(format!(
                "the checkpoint of {} could not be kept: {error}",
                log.name
            ));
        }
    }
}

/// The copy in the log's folder is for others to read; if it cannot be written, the checkpoint stands
/// all the same and the next one replaces it.
fn publish(core: &Core, log: &Log, stored: StoredCheckpoint, closed_entries: Option<u64>) {
    if let Err(error) = core
        .storage
        .publish(&log.name, "checkpoint.txt", stored.note.as_bytes())
    {
        core.trouble(format!(
            "checkpoint.txt of {} could not be written: {error}",
            log.name
        ));
    }
    log.set_checkpoint(stored, closed_entries);
}

/// A newer checkpoint is no trouble; another one of the same size is a second history.
async fn check_refusal(core: &Core, log: &Log, new: StoredCheckpoint, closed_entries: Option<u64>) {
    match core.state.checkpoint(&log.name).await {
        Ok(Some(old)) if old.size == new.size && old.root != new.root => {
            let why = format!(
                "state.db holds a checkpoint of {} links with root {}, the log has {}",
                old.size, old.root, new.root
            );
            core.trouble(format!("{}: {why}", log.name));
            log.refuse(why);
        }
        Ok(Some(old)) => {
            let same = old.size == new.size;
            log.set_checkpoint(old, closed_entries.filter(|_| same));
        }
        Ok(None) => {}
        Err(error) => core.trouble(error.to_string()),
    }
}

/// Has a closed segment indexed; memory forgets its index once the catalog has it. If the indexer has
/// ended, the next start finds the segment unindexed.
fn hand_over(
    log: &Arc<Log>,
    segment: SegmentNumber,
    known: Option<KnownSegment>,
    indexer: &mpsc::UnboundedSender<ToIndex>,
) {
    let (done, indexed) = oneshot::channel();
    let work = ToIndex {
        log: log.name.clone(),
        origin: log.origin.clone(),
        segment,
        known,
        done,
    };
    if indexer.send(work).is_err() {
        return;
    }
    let log = log.clone();
    tokio::spawn(async move {
        if indexed.await.is_ok() {
            log.set_indexed(segment);
        }
    });
}
