//! Devices that keep bytes, behind small traits.
//!
//! The durability contract, which the simulator in tests keeps too:
//! - [`SegmentFile::write_at`] promises nothing until [`SegmentFile::sync`] has returned `Ok`;
//!   after an error of either, the file holds any mixture of old and new bytes behind the last
//!   synced length, and a later `sync` saves nothing of it.
//! - [`Storage::create_segment`] returns once the file, its header and its directory entries are
//!   on disk.
//! - [`Storage::publish`] replaces a file whole: after a crash it is the old or the new one.
//!
//! Trusted with nothing: whoever edits the files is found by the chain, given a checkpoint. What is
//! trusted is the device's word that synced bytes last; a device that lies about that loses what
//! was acknowledged, and the next start says `TRUNCATED` as far as checkpoints reach.

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
///
/// Callable from any thread. That one committer at a time writes a log is the caller's to keep;
/// nothing here locks a segment.
pub trait Storage: Send + Sync {
    /// The logs that have a folder, sorted.
    /// A folder whose name is no log's is passed over.
    fn logs(&self) -> io::Result<Vec<LogName>>;

    /// The segment files of a log, ascending.
    /// Numbers may have gaps: whoever reads them decides what a gap means.
    fn segments(&self, log: &LogName) -> io::Result<Vec<SegmentNumber>>;

    /// Makes a segment file that holds `header`. An error if it is there already.
    ///
    /// It returns only when the segment would survive a crash, so that the first acknowledgement in
    /// it has a file to be in.
    fn create_segment(&self, log: &LogName, number: SegmentNumber, header: &[u8])
    -> io::Result<()>;

    /// Opens a segment file for reading and writing.
    /// All who open a segment share one file; its length may grow under a reader.
    fn open(&self, log: &LogName, number: SegmentNumber) -> io::Result<Arc<dyn SegmentFile>>;

    /// The content of a segment's `.key` file, if a new KEK is just being put in place.
    /// One that is too long is an error.
    fn key_part(&self, log: &LogName, number: SegmentNumber) -> io::Result<Option<Vec<u8>>>;

    /// Copies a segment's bytes from `from` on to the log's `torn/`, durably, then cuts them
    /// off; with `from` 0 the file goes.
    /// Evidence first: a crash in between leaves the bytes twice, never not at all.
    fn move_aside(&self, log: &LogName, number: SegmentNumber, from: u64) -> io::Result<()>;

    /// Replaces a file of the log's folder that others read.
    /// What is lost of it is written anew with the next checkpoint.
    fn publish(&self, log: &LogName, file: &str, content: &[u8]) -> io::Result<()>;

    /// Bytes that can still be written.
    ///
    /// For this process, which may be less than what root has. Asked when entries come in, so the
    /// reserve covers what is on its way.
    fn free_bytes(&self) -> io::Result<u64>;
}

/// An open segment file.
/// Writes and syncs come from the log's committer alone, reads from anywhere.
pub trait SegmentFile: ReadAt + Send + Sync {
    /// Writes at a place.
    /// Whole or an error, and after an error anything in between.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Returns once everything written is on disk.
    ///
    /// An error is final for what was written since the last good one: it is not to be called again
    /// in the hope of a better answer.
    fn sync(&self) -> io::Result<()>;

    /// Cuts the file to a length, and syncs that.
    /// Used to take back what was not acknowledged, never anything else.
    fn truncate(&self, length: u64) -> io::Result<()>;
}
