//! Reading entries: open the segment's key, read the frame, check it against its link, open the
//! batch, check it against its root. Nothing is handed out that was not checked.

use std::num::NonZeroUsize;
use std::sync::Arc;

use lru::LruCache;

use super::{Audit, AuditError};
use crate::catalog::BatchPlace;
use crate::chain::{Body, Link};
use crate::digest::Digest;
use crate::envelope::Dek;
use crate::format::frame::{Found, Frame, read_frame};
use crate::format::payload::Batch;
use crate::ids::SegmentNumber;
use crate::ingest::Log;
use crate::keyring::Keyring;
use crate::store::{SegmentFile, Storage};
use crate::verifier::{open_batch, read_header};

/// Opened batches kept for the next entry: results of one search often stand side by side.
const KEPT_BATCHES: NonZeroUsize = NonZeroUsize::new(8).unwrap();
/// Open keys are kept as long as a reader lives: one request, or one log of an export.
const KEPT_SEGMENTS: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// Reads entries of one log. It blocks; use it on a blocking thread.
pub struct Reader {
    log: Arc<Log>,
    storage: Arc<dyn Storage>,
    keyring: Arc<Keyring>,
    segments: LruCache<SegmentNumber, Arc<OpenedSegment>>,
    batches: LruCache<u64, Arc<OpenedBatch>>,
}

/// A segment whose key is open.
pub struct OpenedSegment {
    /// The file.
    pub file: Arc<dyn SegmentFile>,
    /// Its DEK.
    pub dek: Dek,
}

/// A batch, checked and open.
pub struct OpenedBatch {
    /// Its link.
    pub link: Link,
    /// The link's bytes.
    pub link_bytes: Vec<u8>,
    /// Its entries.
    pub batch: Batch,
}

impl Audit {
    /// A reader of a log.
    pub(super) fn reader(&self, log: &Arc<Log>) -> Reader {
        Reader {
            log: log.clone(),
            storage: self.parts.storage.clone(),
            keyring: self.parts.keyring.clone(),
            segments: LruCache::new(KEPT_SEGMENTS),
            batches: LruCache::new(KEPT_BATCHES),
        }
    }
}

impl Reader {
    /// A segment, its key open.
    pub fn segment(&mut self, number: SegmentNumber) -> Result<Arc<OpenedSegment>, AuditError> {
        if let Some(segment) = self.segments.get(&number) {
            return Ok(segment.clone());
        }
        let file = self.storage.open(&self.log.name, number)?;
        let key_part = self.storage.key_part(&self.log.name, number)?;
        let header = read_header(&*file, key_part.as_deref())?
            .map_err(|error| self.finding(number, &error))?;
        let dek = header
            .dek(&self.keyring.kek)
            .map_err(|error| self.finding(number, &error))?;
        let segment = Arc::new(OpenedSegment { file, dek });
        self.segments.put(number, segment.clone());
        Ok(segment)
    }

    /// The batch at a place of a segment.
    pub fn batch(
        &mut self,
        number: SegmentNumber,
        place: &BatchPlace,
    ) -> Result<Arc<OpenedBatch>, AuditError> {
        // By its first entry alone: a batch was checked against that before it was kept.
        if let Some(batch) = self.batches.get(&place.first_entry) {
            return Ok(batch.clone());
        }
        let segment = self.segment(number)?;
        let frame = self.frame(number, &segment, place.place)?;
        let Frame {
            link,
            link_bytes,
            payload,
            ..
        } = frame;
        let body = match &link.body {
            Body::Batch(body)
                if link.head.number == place.link && body.first_entry == place.first_entry =>
            {
                *body
            }
            _ => return Err(self.finding(number, &"another link stands where a batch should")),
        };
        let batch = open_batch(&link, &body, &payload, &segment.dek)
            .map_err(|error| self.finding(number, &format!("link {}: {error}", place.link)))?;
        let opened = Arc::new(OpenedBatch {
            link,
            link_bytes,
            batch,
        });
        self.batches.put(place.first_entry, opened.clone());
        Ok(opened)
    }

    /// The whole frame at a place of a segment.
    pub fn frame(
        &self,
        number: SegmentNumber,
        segment: &OpenedSegment,
        place: u64,
    ) -> Result<Frame, AuditError> {
        match read_frame(&*segment.file, place, &self.log.log_id, true)? {
            Found::Frame(frame) => Ok(*frame),
            Found::Damage(damage, _) => Err(self.finding(number, &format!("at {place}: {damage}"))),
            Found::End => Err(self.finding(number, &format!("it ends before {place}"))),
        }
    }

    /// What is read and is not what was recorded.
    fn finding(&self, number: SegmentNumber, what: &dyn std::fmt::Display) -> AuditError {
        AuditError::Finding(format!(
            "ALTERED: log {}, segment {number}: {what}",
            self.log.name
        ))
    }
}

impl OpenedBatch {
    /// The link's leaf hash.
    pub fn link_hash(&self) -> Digest {
        Digest::leaf(&[&self.link_bytes])
    }
}
