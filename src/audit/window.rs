//! The order of a search's results, and a bounded window of the first of them.

use std::sync::Arc;

use crate::base64;
use crate::catalog::SegmentId;
use crate::codec::{Put, Reader as BytesReader};
use crate::ids::SegmentNumber;
use crate::ingest::Log;
use crate::limits::SEARCH_WINDOW;
use crate::time::Timestamp;

/// Bytes of a key.
pub(super) const KEY_BYTES: usize = 32;

/// A place in the order of results. Ordered as the fields stand: time, then log, then entry. A page
/// begins behind a key, not behind a count, so that entries that come meanwhile neither shift nor
/// repeat what was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) time: Timestamp,
    /// Position of the log among all logs, by id, so that it is the same on every page.
    pub(super) log: [u8; 16],
    pub(super) entry: u64,
}

/// An entry that was found, not read yet.
#[derive(Clone)]
pub(super) struct Hit {
    pub(super) key: Key,
    pub(super) home: Home,
}

/// The segment in which an entry stands.
#[derive(Clone)]
pub(super) struct Home {
    pub(super) log: Arc<Log>,
    pub(super) segment: SegmentNumber,
    /// The catalog's row, for segments that it knows.
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

impl Bounds {
    /// Whether an event time lies in the range.
    pub(super) fn hold(&self, time: Timestamp) -> bool {
        self.from.is_none_or(|from| time >= from) && self.to.is_none_or(|to| time < to)
    }
}

/// The first results in order, a bounded number of them, whatever order they come in.
pub(super) struct Window {
    pub(super) hits: Vec<Hit>,
    pub(super) more: bool,
}

impl Window {
    /// Takes an entry in, if it comes behind what was shown.
    pub(super) fn add(&mut self, after: Option<Key>, home: &Home, entry: u64, time: Timestamp) {
        let key = Key {
            time,
            log: home.log.log_id.0,
            entry,
        };
        if after.is_some_and(|after| key <= after) {
            return;
        }
        self.hits.push(Hit {
            key,
            home: home.clone(),
        });
        // Sorted once for every SEARCH_WINDOW hits that come, so that each costs a constant share
        // of it.
        if self.hits.len() >= 2 * SEARCH_WINDOW {
            self.cut(SEARCH_WINDOW);
        }
    }

    /// Keeps the first `size` hits, in order; notes whether there were more.
    pub(super) fn cut(&mut self, size: usize) {
        self.hits.sort_unstable_by_key(|hit| hit.key);
        self.more |= self.hits.len() > size;
        self.hits.truncate(size);
    }
}

impl Key {
    /// As a cursor in an answer. It says an event time, a log and an entry, and nothing of a
    /// person.
    pub(super) fn write(self) -> String {
        base64::encode(&self.to_bytes())
    }

    /// A cursor as it came; `None` if it is none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::from_bytes(&base64::decode_array(text)?)
    }

    /// Time, log id and entry, big-endian.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(KEY_BYTES);
        bytes
            .put_i64(self.time.0)
            .put(&self.log)
            .put_u64(self.entry);
        bytes
    }

    /// What `to_bytes` has made. Any 32 bytes are a key, at worst one where nothing begins.
    pub(super) fn from_bytes(bytes: &[u8; KEY_BYTES]) -> Option<Self> {
        let mut reader = BytesReader::new(bytes);
        let time = Timestamp(reader.i64().ok()?);
        Some(Self {
            time,
            log: reader.array().ok()?,
            entry: reader.u64().ok()?,
        })
    }
}
