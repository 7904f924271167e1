//! Rolls and checkpoints on request.
//!
//! An export needs closed segments, for only they have a sealed index. Whoever could ask for a roll
//! at will could make one segment a request; so a log is rolled on request once an interval at
//! most, and those who ask together share one.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;

use super::log::{Log, Phase};
use super::notary::{Notice, TreeHead};
use super::{Ingest, IngestError};
use crate::state::StoredCheckpoint;

impl Ingest {
    /// Closes a log's active segment, so that everything acknowledged before this call is in closed
    /// segments; gives a checkpoint that covers them and nothing else. It returns when the
    /// checkpoint is in `state.db`, or when the log takes nothing any more; a busy interval makes
    /// it wait, not fail.
    pub async fn roll(&self, log: &Arc<Log>) -> Result<StoredCheckpoint, IngestError> {
        self.wait_until_open(log).await?;
        let wanted = log.head().entries;
        let mut closed = log.closed_head();
        loop {
            if let Some(head) = closed
                .borrow_and_update()
                .as_ref()
                .filter(|head| head.entries >= wanted)
            {
                return Ok(head.checkpoint.clone());
            }
            let head = log.head();
            if head.closed {
                let head = TreeHead::of(&head.tree, head.closed_entries());
                self.core.notify(Notice::Grown {
                    log: log.clone(),
                    head,
                });
            }
            if head.closed || log.active_segment().is_none() {
                // The notary is at it, or a close is.
                let _ = tokio::time::timeout(Duration::from_secs(1), closed.changed()).await;
                // A close needs no room that ingest may have: the disk reserve is for it.
                self.check_running(log)?;
                continue;
            }
            let wait = log.roll_wait(
                self.core.clock.now(),
                self.core.options.roll_interval_micros,
            );
            if wait > 0 {
                let wait = Duration::from_micros(wait.unsigned_abs());
                let _ = tokio::time::timeout(wait, closed.changed()).await;
                continue;
            }
            self.close_active(log).await?;
        }
    }

    /// Has a checkpoint signed that covers everything acknowledged before this call, if the notary
    /// comes to it soon.
    pub async fn sign(&self, log: &Arc<Log>) {
        const PATIENCE: Duration = Duration::from_secs(5);
        let head = log.head();
        let links = head.links;
        if links == 0 || log.phase() != Phase::Open {
            return;
        }
        let head = TreeHead::of(&head.tree, head.closed_entries());
        self.core.notify(Notice::Grown {
            log: log.clone(),
            head,
        });
        let mut signed = log.checkpoint();
        let covers = signed.wait_for(|checkpoint| {
            checkpoint
                .as_ref()
                .is_some_and(|newest| newest.size >= links)
        });
        // Without one, the check says up to where it reaches.
        let _ = tokio::time::timeout(PATIENCE, covers).await;
    }

    /// Waits until the close link is synced. Somebody else may have closed it first: that is as
    /// good.
    async fn close_active(&self, log: &Arc<Log>) -> Result<(), IngestError> {
        let (done, closed) = oneshot::channel();
        match log.roll(Some(done)) {
            None => return Ok(()),
            Some(true) => self.core.ready.push(log.clone()),
            Some(false) => {}
        }
        closed
            .await
            .unwrap_or(Err(IngestError::Stopping))
            .map(|_| ())
    }
}
