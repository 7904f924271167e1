//! The way in: groups of entries in a bounded, lock-free queue.
//!
//! Three bounds at once, each a semaphore: groups, entries and bytes. What has room is answered or
//! refused, never dropped; who finds none within the wait is told 503 and loses nothing.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_queue::ArrayQueue;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::IngestError;
use super::log::Log;
use crate::digest::Digest;
use crate::event::Entries;
use crate::ids::{EntryIndex, LinkNumber};
use crate::time::Timestamp;

/// The entries of one request, on their way.
pub struct Group {
    /// Where they go.
    pub log: Arc<Log>,
    /// The entries.
    pub entries: Entries,
    /// `H(token id ‖ key)` and `H(body)`, if an idempotency key came with them.
    pub key: Option<(Digest, Digest)>,
    /// When the request was received.
    pub received_at: Timestamp,
    /// How many of the entries are quarantined.
    pub quarantined: u32,
    /// Who waits for the answer; nobody, if it was given when queued.
    pub reply: Option<oneshot::Sender<Answer>>,
    /// Room in the queue, given back when the group is answered.
    pub room: Room,
}

/// What becomes of a group.
pub type Answer = Result<Acknowledgement, IngestError>;

/// Where a group's entries stand, on disk and chained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Acknowledgement {
    /// Index of the first entry.
    pub first_entry: EntryIndex,
    /// Number of entries.
    pub count: u32,
    /// Number of the link of their batch.
    pub link: LinkNumber,
    /// That link's leaf hash.
    pub link_hash: Digest,
    /// When the request was received.
    pub received_at: Timestamp,
}

/// Bounds of a lane.
#[derive(Debug, Clone, Copy)]
pub struct LaneOptions {
    /// Groups.
    pub groups: usize,
    /// Entries of all groups.
    pub entries: usize,
    /// Bytes of all entries.
    pub bytes: usize,
    /// How long to wait for room.
    pub wait: Duration,
}

/// A bounded queue. Room is held from the queue to the answer, so that everything on the way
/// to the disk is bounded with it.
pub struct Lane {
    queue: ArrayQueue<Box<Group>>,
    groups: Arc<Semaphore>,
    entries: Arc<Semaphore>,
    bytes: Arc<Semaphore>,
    options: LaneOptions,
}

/// Room in a lane; dropping it gives it back. The order of the three is the same everywhere, so
/// that two that wait cannot wait for each other.
pub struct Room {
    _groups: OwnedSemaphorePermit,
    _entries: OwnedSemaphorePermit,
    _bytes: OwnedSemaphorePermit,
}

impl Lane {
    /// A lane with these bounds.
    pub fn new(options: LaneOptions) -> Self {
        Self {
            queue: ArrayQueue::new(options.groups.max(1)),
            groups: Arc::new(Semaphore::new(options.groups.max(1))),
            entries: Arc::new(Semaphore::new(options.entries)),
            bytes: Arc::new(Semaphore::new(options.bytes)),
            options,
        }
    }

    /// Takes room if there is some right now.
    pub fn try_room(&self, entries: &Entries) -> Option<Room> {
        let (count, bytes) = self.size(entries);
        Some(Room {
            _groups: self.groups.clone().try_acquire_owned().ok()?,
            _entries: self.entries.clone().try_acquire_many_owned(count).ok()?,
            _bytes: self.bytes.clone().try_acquire_many_owned(bytes).ok()?,
        })
    }

    /// Takes room, waiting for it up to the lane's limit.
    pub async fn room(&self, entries: &Entries) -> Result<Room, IngestError> {
        if let Some(room) = self.try_room(entries) {
            return Ok(room);
        }
        let (count, bytes) = self.size(entries);
        let acquire = async {
            Ok::<_, tokio::sync::AcquireError>(Room {
                _groups: self.groups.clone().acquire_owned().await?,
                _entries: self.entries.clone().acquire_many_owned(count).await?,
                _bytes: self.bytes.clone().acquire_many_owned(bytes).await?,
            })
        };
        match tokio::time::timeout(self.options.wait, acquire).await {
            Ok(Ok(room)) => Ok(room),
            _ => Err(IngestError::Busy),
        }
    }

    /// Puts a group in. Its room is proof that there is a place.
    pub fn push(&self, group: Box<Group>) -> Result<(), Box<Group>> {
        self.queue.push(group)
    }

    /// Takes the oldest group out.
    pub fn pop(&self) -> Option<Group> {
        self.queue.pop().map(|group| *group)
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Whether nothing is on its way between the queue and its answer. Only then has everything
    /// that was taken its answer: what a stop waits for.
    pub fn is_idle(&self) -> bool {
        self.groups.available_permits() == self.options.groups.max(1)
    }

    /// Bytes taken, and bytes there are. A moment's view; whoever decides by it decides about
    /// speed, not about what is true.
    pub fn fill(&self) -> (usize, usize) {
        let bytes = self.options.bytes;
        (bytes - self.bytes.available_permits().min(bytes), bytes)
    }

    /// A group larger than the lane passes alone.
    fn size(&self, entries: &Entries) -> (u32, u32) {
        let count = entries.len().min(self.options.entries);
        let bytes = entries.byte_len().min(self.options.bytes);
        (count as u32, bytes as u32)
    }
}

impl Group {
    /// Gives the answer, and the room back.
    pub fn answer(self, answer: Answer) {
        if let Some(reply) = self.reply {
            // Whoever asked may have gone; the entries stand all the same.
            let _ = reply.send(answer);
        }
    }
}
