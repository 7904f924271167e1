//! Requests with an idempotency key: a repeat gets the first answer again.
//!
//! Whether a key was used before is known in three places, and they are asked in the order in which
//! a request passes them: on its way (`in_flight`), in memory, in the catalog. All three are made
//! of what is on disk, so a repeat is recognised across a crash too.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::log::{InFlight, Log, lock};
use super::{Acknowledgement, Append, Durability, Ingest, IngestError, Outcome};
use crate::catalog::RequestRow;
use crate::digest::Digest;

impl Ingest {
    /// With a key: at most one request of a key is on its way; what was acknowledged before is
    /// answered again.
    pub(super) async fn append_keyed(
        &self,
        log: &Arc<Log>,
        append: Append,
        durability: Durability,
        key_hash: Digest,
        body_hash: Digest,
    ) -> Result<Outcome, IngestError> {
        let finished = loop {
            let other = {
                let mut in_flight = lock(&log.in_flight);
                match in_flight.get(&key_hash) {
                    Some(other) if other.body_hash != body_hash => {
                        return Err(IngestError::KeyConflict);
                    }
                    Some(other) => other.done.clone(),
                    None => {
                        let (finished, done) = watch::channel(());
                        in_flight.insert(key_hash, InFlight { body_hash, done });
                        break finished;
                    }
                }
            };
            let mut other = other;
            // An error means that the other request is over.
            let _ = other.changed().await;
        };
        let claim = Claim {
            log: log.clone(),
            key_hash,
            _finished: finished,
        };
        if let Some(row) = self.acknowledged_before(log, &key_hash).await? {
            return match row.body_hash == body_hash {
                true => Ok(Outcome::Repeated(Acknowledgement::of(&row))),
                false => Err(IngestError::KeyConflict),
            };
        }
        let waiting = self.enqueue(log, append, Durability::Synced).await?;
        // The claim must outlive a client that goes away: it ends when the entries are answered.
        let outcome = tokio::spawn(async move {
            let outcome = waiting.outcome().await;
            drop(claim);
            outcome
        });
        match durability {
            Durability::Queued => Ok(Outcome::Queued),
            Durability::Synced => outcome.await.unwrap_or(Err(IngestError::Stopping)),
        }
    }

    /// The request that came with this key and was acknowledged, if any is known. `Recovering` asks
    /// the client to come again: sending the entries twice would be worse than a 503.
    async fn acknowledged_before(
        &self,
        log: &Arc<Log>,
        key_hash: &Digest,
    ) -> Result<Option<RequestRow>, IngestError> {
        /// The indexer needs some seconds for a segment where it catches up.
        const PATIENCE: Duration = Duration::from_secs(5);
        let mut indexed = log.indexed();
        loop {
            match log.recent_request(key_hash) {
                Ok(Some(row)) => return Ok(Some(row)),
                Ok(None) => break,
                Err(None) => self.rebuild(log).await?,
                // A closed segment whose keys only the catalog will know.
                Err(Some(number)) => {
                    let known = indexed.wait_for(|last| *last >= Some(number));
                    if !matches!(tokio::time::timeout(PATIENCE, known).await, Ok(Ok(_))) {
                        return Err(IngestError::Recovering);
                    }
                }
            }
        }
        let row = self.core.catalog.request(&log.name, key_hash).await;
        row.map_err(|error| IngestError::Disk(error.to_string()))
    }
}

/// The right to send a key's request; ends when dropped. Between the look at `in_flight` and the
/// making of this nothing awaits, so that no key stays claimed by nobody.
struct Claim {
    log: Arc<Log>,
    key_hash: Digest,
    _finished: watch::Sender<()>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        lock(&self.log.in_flight).remove(&self.key_hash);
    }
}
