//! A log's folder for reading only: it makes nothing and writes nothing, and may be read while
//! a server writes it.
//!
//! It is what `estreat verify` reads, so it assumes nothing: not that it may write, nor that names
//! are what they should be. A server's own checks read through it too, with the checkpoint of
//! `state.db` in place of the copy.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use crate::checkpoint::MAX_NOTE_BYTES;
use crate::format::frame::ReadAt;
use crate::format::header::{KEY_PART_BYTES, segment_name, segment_number};
use crate::ids::SegmentNumber;
use crate::verifier::{Listing, LogFiles};

/// A log's folder.
/// Each method reads the disk anew.
#[derive(Debug, Clone)]
pub struct LogFolder {
    root: PathBuf,
    /// The keeper's own note, where there is one: the copy in the folder may be older.
    checkpoint: Option<Vec<u8>>,
}

impl LogFolder {
    /// The folder at a path.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            checkpoint: None,
        }
    }

    /// The same with the checkpoint that `state.db` holds in place of the copy in the folder.
    pub fn with_checkpoint(self, note: Vec<u8>) -> Self {
        Self {
            checkpoint: Some(note),
            ..self
        }
    }

    /// Whether there is a log in it.
    /// By what a log leaves behind, not by its name.
    pub fn is_log(&self) -> bool {
        self.segments().is_dir() || self.root.join("checkpoint.txt").is_file()
    }

    fn segments(&self) -> PathBuf {
        self.root.join("segments")
    }

    fn segment(&self, number: SegmentNumber) -> PathBuf {
        self.segments().join(segment_name(number))
    }
}

impl LogFiles for LogFolder {
    type File = Snapshot;

    fn checkpoint(&self) -> io::Result<Option<Vec<u8>>> {
        match &self.checkpoint {
            Some(note) => Ok(Some(note.clone())),
            None => read_up_to(&self.root.join("checkpoint.txt"), MAX_NOTE_BYTES + 1),
        }
    }

    fn list(&self) -> io::Result<Listing> {
        let mut listing = Listing::default();
        let entries = match fs::read_dir(self.segments()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(listing),
            other => other?,
        };
        let mut keys = Vec::new();
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // A file may go between the listing and this look at it: `.key` files do.
            let is_file = fs::metadata(entry.path()).map_or(true, |metadata| metadata.is_file());
            match (segment_number(&name), key_of(&name)) {
                (Some(number), _) if is_file => listing.segments.push(number),
                (_, Some(number)) if is_file => keys.push((number, name)),
                _ => listing.strays.push(name),
            }
        }
        listing.segments.sort_unstable();
        let orphans = keys
            .into_iter()
            .filter(|(number, _)| listing.segments.binary_search(number).is_err());
        listing.strays.extend(orphans.map(|(_, name)| name));
        listing.strays.sort_unstable();
        Ok(listing)
    }

    fn open(&self, number: SegmentNumber) -> io::Result<Snapshot> {
        Snapshot::open(&self.segment(number))
    }

    fn key_part(&self, number: SegmentNumber) -> io::Result<Option<Vec<u8>>> {
        let mut path = self.segment(number).into_os_string();
        path.push(".key");
        read_up_to(Path::new(&path), KEY_PART_BYTES + 1)
    }
}

/// A segment file as long as it was when it was opened.
#[derive(Debug)]
pub struct Snapshot {
    file: File,
    /// At opening. A file that was cut since gives an error on reading, not a shorter file.
    length: u64,
}

impl Snapshot {
    /// Opens a file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self { file, length })
    }
}

impl ReadAt for Snapshot {
    fn length(&self) -> io::Result<u64> {
        Ok(self.length)
    }

    fn read_exact_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(out, offset)
    }
}

/// The segment of a `.key` file, or of what a rotation that was cut off leaves beside it.
/// Such leftovers belong to a segment and are no strays.
fn key_of(name: &str) -> Option<SegmentNumber> {
    let name = name.strip_suffix(".new").unwrap_or(name);
    segment_number(name.strip_suffix(".key")?)
}

/// The first bytes of a small file; `None` if it is not there.
/// One byte more than the most is enough for the reader to see that it is too long.
fn read_up_to(path: &Path, max: usize) -> io::Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    let mut content = Vec::new();
    file.take(max as u64).read_to_end(&mut content)?;
    Ok(Some(content))
}
