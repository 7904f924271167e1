//! Devices that keep bytes, behind small traits.
//!
//! The durability contract, which the simulator in tests keeps too:
//! - [`SegmentFile::write_at`] promises nothing until [`SegmentFile::sync`] has returned `Ok`;
//!   after an error of either, the file holds any mixture of old and new bytes behind the last
//!   synced length, and a later `sync` saves nothing of it.
//! - [`Storage::create_segment`] returns once the file, its header and its directory entries are
//!   on disk.
//! - [`Storage::publish`] replaces a file whole: after a crash it is the old or the new one.

mod durable;
mod fs;
mod log_folder;

use std::io;
use std::sync::Arc;

pub use durable::{exists, make_private, read_bounded, remove, replace_file, sync_dir};
pub use fs::{DataFolder, FileStorage, FolderError, FolderLock, SystemClock, SystemRandom};
pub use log_folder::{LogFolder, Snapshot};

use crate::format::frame::ReadAt;
use crate::ids::{LogName, SegmentNumber};

/// Where segments rest.
pub trait Storage: Send + Sync {
    /// The logs that have a folder, sorted.
    fn logs(&self) -> io::Result<Vec<LogName>>;

    /// The segment files of a log, ascending.
    fn segments(&self, log: &LogName) -> io::Result<Vec<SegmentNumber>>;

    /// Makes a segment file that holds `header`. An error if it is there already.
    fn create_segment(&self, log: &LogName, number: SegmentNumber, header: &[u8])
    -> io::Result<()>;

    /// Opens a segment file for reading and writing.
    fn open(&self, log: &LogName, number: SegmentNumber) -> io::Result<Arc<dyn SegmentFile>>;

    /// The content of a segment's `.key` file, if a new KEK is just being put in place.
    fn key_part(&self, log: &LogName, number: SegmentNumber) -> io::Result<Option<Vec<u8>>>;

    /// Copies a segment's bytes from `from` on to the log's `torn/`, durably, then cuts them
    /// off; with `from` 0 the file goes.
    fn move_aside(&self, log: &LogName, number: SegmentNumber, from: u64) -> io::Result<()>;

    /// Replaces a file of the log's folder that others read.
    fn publish(&self, log: &LogName, file: &str, content: &[u8]) -> io::Result<()>;

    /// Bytes that can still be written.
    fn free_bytes(&self) -> io::Result<u64>;
}

/// An open segment file.
pub trait SegmentFile: ReadAt + Send + Sync {
    /// Writes at a place.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Returns once everything written is on disk.
    fn sync(&self) -> io::Result<()>;

    /// Cuts the file to a length, and syncs that.
    fn truncate(&self, length: u64) -> io::Result<()>;
}
