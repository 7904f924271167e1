//! Settings of the engine.

use std::time::Duration;

use crate::limits;

/// Settings of the engine.
#[derive(Debug, Clone)]
pub struct Options {
    /// Threads that seal.
    pub workers: usize,
    /// Threads that commit: that many logs at once.
    pub committers: usize,
    /// zstd level, 1 to 19.
    pub compression_level: i32,
    /// Groups that may be on the way.
    pub queue_groups: usize,
    /// Entries that may be on the way.
    pub queue_entries: usize,
    /// Bytes that may be on the way.
    pub queue_bytes: usize,
    /// The same for the server's own logs.
    pub access_queue_bytes: usize,
    /// How long a request waits for room.
    pub queue_wait: Duration,
    /// A segment rolls at this length of its file.
    pub roll_bytes: u64,
    /// A segment rolls at this age.
    pub roll_age_micros: i64,
    /// A segment rolls at this many postings.
    pub roll_postings: usize,
    /// A segment rolls at this many subjects.
    pub roll_subjects: usize,
    /// A log is rolled on request at most this often.
    pub roll_interval_micros: i64,
    /// How often growing logs get a checkpoint.
    pub checkpoint_interval: Duration,
    /// Memory for active segments' indexes.
    pub active_index_bytes: usize,
    /// Subjects whose VRF output is kept.
    pub vrf_cache_subjects: usize,
    /// Disk space that only the server's own logs may use.
    pub disk_reserve_bytes: u64,
    /// Logs there may be.
    pub max_logs: usize,
}

impl Default for Options {
    /// As `limits` has them.
    fn default() -> Self {
        Self {
            workers: std::thread::available_parallelism().map_or(2, usize::from),
            committers: 4,
            compression_level: 1,
            queue_groups: limits::QUEUE_GROUPS,
            queue_entries: limits::QUEUE_ENTRIES,
            queue_bytes: limits::QUEUE_BYTES,
            access_queue_bytes: limits::ACCESS_QUEUE_BYTES,
            queue_wait: Duration::from_millis(limits::QUEUE_WAIT_MILLIS),
            roll_bytes: limits::SEGMENT_ROLL_BYTES,
            roll_age_micros: limits::SEGMENT_ROLL_AGE_MICROS,
            roll_postings: limits::SEGMENT_ROLL_POSTINGS,
            roll_subjects: limits::SEGMENT_ROLL_SUBJECTS,
            roll_interval_micros: limits::ROLL_ON_REQUEST_MICROS,
            checkpoint_interval: Duration::from_secs(10),
            active_index_bytes: limits::ACTIVE_INDEX_BYTES,
            vrf_cache_subjects: limits::VRF_CACHE_SUBJECTS,
            disk_reserve_bytes: limits::DISK_RESERVE_BYTES,
            max_logs: limits::MAX_LOGS,
        }
    }
}
