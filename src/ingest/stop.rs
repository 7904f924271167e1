//! Stopping in order.
//!
//! The order: nobody gets in, then what is in is answered, then segments close and are signed, then
//! threads end. Each step may run out of time; what is left then is what a `kill -9` leaves, and
//! the next start goes on from there.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::log::{Log, Phase, lock};
use super::notary::Notice;
use super::{Ingest, IngestError};

impl Ingest {
    /// Takes nothing more, finishes what was taken, closes all segments, and stops; within
    /// `bound`, or says that it could not.
    pub async fn shutdown(&self, bound: Duration) -> Result<(), IngestError> {
        let until = Instant::now() + bound;
        self.core.stopping.store(true, Ordering::Release);
        let late = || Instant::now() >= until;
        let busy = || !self.core.entries.is_idle() || !self.core.access.is_idle();
        while busy() && !late() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        for log in self.core.all_logs() {
            if log.roll(None) == Some(true) {
                self.core.ready.push(log);
            }
        }
        self.core.wakeup.wake_all();
        let unfinished = || {
            self.core
                .all_logs()
                .into_iter()
                .any(|log| log.phase() == Phase::Open && !is_signed(&log))
        };
        while unfinished() && !late() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        self.core.stopped.store(true, Ordering::Release);
        self.core.ready.close();
        self.core.notify(Notice::Stop);
        self.core.wakeup.wake_all();
        let threads = std::mem::take(&mut *lock(&self.threads));
        let joined = tokio::task::spawn_blocking(move || {
            threads.into_iter().for_each(|thread| drop(thread.join()));
        });
        // A second at least: threads that are called now still end what they have.
        let left = until
            .saturating_duration_since(Instant::now())
            .max(Duration::from_secs(1));
        match tokio::time::timeout(left, joined).await {
            Ok(_) if !late() => Ok(()),
            _ => Err(IngestError::Stopping),
        }
    }
}

/// Whether everything of a log is closed and signed.
fn is_signed(log: &Log) -> bool {
    let head = log.head();
    head.links == 0
        || log
            .closed_head()
            .borrow()
            .as_ref()
            .is_some_and(|closed| closed.checkpoint.size >= head.links)
}
