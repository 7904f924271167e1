//! Where the check of a log reads from.
//!
//! A log in a test's memory, a folder on disk and a server's own checks are read through the same
//! trait, so that a check means the same in all three.

use std::io;

use crate::format::frame::ReadAt;
use crate::ids::SegmentNumber;

/// A log's files, for reading only.
///
/// They may belong to a log that is being written: a file's length is then what it was when it
/// was opened, and what was appended since is not seen.
/// An error of any method ends the check as "could not look": it is never made a finding.
pub trait LogFiles {
    /// An open segment file.
    type File: ReadAt + Sync;

    /// The newest checkpoint, as a signed note: checkpoint.txt, or what its keeper has; `None`
    /// if there is none. A note that is too long may be cut behind its longest length.
    /// It is asked for once, before `list`.
    fn checkpoint(&self) -> io::Result<Option<Vec<u8>>>;

    /// What lies beside each other under `segments/`.
    /// An empty listing for a folder that is not there.
    fn list(&self) -> io::Result<Listing>;

    /// Opens a segment file.
    fn open(&self, number: SegmentNumber) -> io::Result<Self::File>;

    /// The content of a segment's `.key` file, if there is one; one that is too long may be cut
    /// behind the longest length.
    ///
    /// While a new KEK is put in place, it is what counts, and the header's own key part may be
    /// torn.
    fn key_part(&self, number: SegmentNumber) -> io::Result<Option<Vec<u8>>>;
}

/// The names under `segments/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Segment files, ascending.
    /// Without repetition; gaps are the check's to find.
    pub segments: Vec<SegmentNumber>,
    /// Names of whatever does not belong there.
    pub strays: Vec<String>,
}
