//! The order of a search's results, and a bounded window of the first of them.

use std::sync::Arc;

use crate::base64;
use crate::catalog::SegmentId;
use crate::codec::{Put, Reader as BytesReader};
use crate::ids::SegmentNumber;
use crate::ingest::Log;
use crate::limits::SEARCH_WINDOW;
use crate::time::Timestamp;

/// A place in the order of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) time: Timestamp,
    /// Position of the log among all logs, by id, so that it is the same on every page.
    pub(super) log: [u8; 16],
    pub(super) entry: u64,
}

pub(super) struct Hit {
    pub(super) key: Key,
    pub(super) log: Arc<Log>,
    pub(super) segment: SegmentNumber,
    /// The catalog's row, for entries that it knows.
    pub(super) row: Option<SegmentId>,
}

/// Which results count.
pub(super) struct Bounds {
    /// Event times from this moment on.
    pub(super) from: Option<Timestamp>,
    /// Event times before this moment.
    pub(super) to: Option<Timestamp>,
    /// Results behind this one.
    pub(super) after: Option<Key>,
}

/// The first results in order, a bounded number of them, whatever order they come in.
pub(super) struct Window {
    pub(super) hits: Vec<Hit>,
    pub(super) more: bool,
}

impl Window {
    pub(super) fn add(
        &mut self,
        bounds: &Bounds,
        log: &Arc<Log>,
        segment: SegmentNumber,
        row: Option<SegmentId>,
        entry: u64,
        time: Timestamp,
    ) {
        let key = Key {
            time,
            log: log.log_id.0,
            entry,
        };
        let in_range =
            bounds.from.is_none_or(|from| time >= from) && bounds.to.is_none_or(|to| time < to);
        if !in_range || bounds.after.is_some_and(|after| key <= after) {
            return;
        }
        self.hits.push(Hit {
            key,
            log: log.clone(),
            segment,
            row,
        });
        if self.hits.len() >= 2 * SEARCH_WINDOW {
            self.cut(SEARCH_WINDOW);
        }
    }

    pub(super) fn cut(&mut self, size: usize) {
        self.hits.sort_unstable_by_key(|hit| hit.key);
        self.more |= self.hits.len() > size;
        self.hits.truncate(size);
    }
}

impl Key {
    pub(super) fn write(self) -> String {
        let mut bytes = Vec::with_capacity(32);
        bytes
            .put_i64(self.time.0)
            .put(&self.log)
            .put_u64(self.entry);
        base64::encode(&bytes)
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let bytes: [u8; 32] = base64::decode_array(text)?;
        let mut reader = BytesReader::new(&bytes);
        let time = Timestamp(reader.i64().ok()?);
        Some(Self {
            time,
            log: reader.array().ok()?,
            entry: reader.u64().ok()?,
        })
    }
}
