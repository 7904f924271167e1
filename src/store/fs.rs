//! Storage in a folder of a file system.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::num::NonZeroUsize;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;

use super::durable::{create_dirs, exists, read_bounded, remove, replace_file, sync_dir};
use super::{SegmentFile, Storage};
use crate::format::frame::ReadAt;
use crate::format::header::{KEY_PART_BYTES, segment_name, segment_number};
use crate::ids::{LogName, SegmentNumber};
use crate::random::Random;
use crate::time::{Clock, Timestamp};

/// The data folder's paths.
#[derive(Debug, Clone)]
pub struct DataFolder {
    /// As it was given; relative to where the process was started.
    root: PathBuf,
}

/// A data folder that cannot be taken.
/// Both end a start.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another process has it.
    #[error(
        "{0} is in use by another estreat process; stop that one first, or use its HTTP interface"
    )]
    InUse(PathBuf),
    /// The file system refuses.
    #[error("cannot use the data folder {0}: {1}")]
    Io(PathBuf, io::Error),
}

/// Holds the data folder for this process, until dropped.
///
/// By flock, so that the system lets go of it whatever becomes of the process. The file stays, and
/// means nothing by itself.
pub struct FolderLock {
    _file: File,
}

impl DataFolder {
    /// A folder, which need not be there yet.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// Makes the folder and takes its lock.
    ///
    /// What a second writer would do to a log cannot be mended: two links of one number, both
    /// acknowledged.
    pub fn lock(&self) -> Result<FolderLock, FolderError> {
        let failed = |error| FolderError::Io(self.root.clone(), error);
        create_dirs(&self.root).map_err(failed)?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        let file = options.open(self.root.join("lock")).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(FolderLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(FolderError::InUse(self.root.clone())),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Keys and the server origin.
    pub fn keys(&self) -> PathBuf {
        self.root.join("keys")
    }

    /// All logs.
    pub fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// The logs that have a folder, sorted.
    /// A name that is no log's is passed over, since folders get visitors of all kinds.
    pub fn log_names(&self) -> io::Result<Vec<LogName>> {
        let names = list(&self.logs())?;
        let names = names.iter().filter_map(|name| LogName::new(name).ok());
        let mut logs: Vec<_> = names.collect();
        logs.sort();
        Ok(logs)
    }

    /// Finished exports and what they need while they are made.
    /// Everything in it is sealed.
    pub fn exports(&self) -> PathBuf {
        self.root.join("exports")
    }

    /// The database that is to be backed up.
    pub fn state_db(&self) -> PathBuf {
        self.root.join("state.db")
    }

    /// The database that can be rebuilt.
    pub fn catalog_db(&self) -> PathBuf {
        self.root.join("catalog.db")
    }

    fn log(&self, log: &LogName) -> PathBuf {
        self.logs().join(log.as_str())
    }

    fn segment(&self, log: &LogName, number: SegmentNumber) -> PathBuf {
        self.log(log).join("segments").join(segment_name(number))
    }
}

/// Segments in a folder; at most so many of them open at once.
///
/// Closing the least recently used descriptor never loses a sync: whoever writes holds its own
/// reference until its sync has returned.
pub struct FileStorage {
    folder: DataFolder,
    /// Held for a look-up, and where a file is not open yet, for its opening.
    open: Mutex<LruCache<(LogName, SegmentNumber), Arc<Segment>>>,
}

/// One descriptor for reading and writing; places are given with each call, so that there is no
/// position to share.
struct Segment {
    file: File,
}

impl FileStorage {
    /// Storage in `folder`, with at most `max_open` files kept open.
    pub fn new(folder: DataFolder, max_open: NonZeroUsize) -> Self {
        Self {
            folder,
            open: Mutex::new(LruCache::new(max_open)),
        }
    }

    /// Whoever holds the file goes on with the old one.
    fn forget(&self, log: &LogName, number: SegmentNumber) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.pop(&(log.clone(), number));
    }
}

impl Storage for FileStorage {
    fn logs(&self) -> io::Result<Vec<LogName>> {
        self.folder.log_names()
    }

    fn segments(&self, log: &LogName) -> io::Result<Vec<SegmentNumber>> {
        let names = list(&self.folder.log(log).join("segments"))?;
        let mut numbers: Vec<_> = names
            .iter()
            .filter_map(|name| segment_number(name))
            .collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// A crash before it returns may leave a file with a torn header. Recovery moves that aside: no
    /// frame can be in it.
    fn create_segment(
        &self,
        log: &LogName,
        number: SegmentNumber,
        header: &[u8],
    ) -> io::Result<()> {
        let path = self.folder.segment(log, number);
        if let Some(parent) = path.parent() {
            create_dirs(parent)?;
        }
        let mut options = OpenOptions::new();
        // Never over a file that is there: it would be somebody's entries.
        options.read(true).write(true).create_new(true).mode(0o600);
        let file = options.open(&path)?;
        file.write_all_at(header, 0)?;
        file.sync_all()?;
        if let Some(parent) = path.parent() {
            sync_dir(parent)?;
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.put((log.clone(), number), Arc::new(Segment { file }));
        Ok(())
    }

    fn open(&self, log: &LogName, number: SegmentNumber) -> io::Result<Arc<dyn SegmentFile>> {
        let key = (log.clone(), number);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(segment) = open.get(&key) {
            return Ok(segment.clone());
        }
        let path = self.folder.segment(log, number);
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        let segment = Arc::new(Segment { file });
        open.put(key, segment.clone());
        Ok(segment)
    }

    fn key_part(&self, log: &LogName, number: SegmentNumber) -> io::Result<Option<Vec<u8>>> {
        let mut path = self.folder.segment(log, number).into_os_string();
        path.push(".key");
        read_bounded(Path::new(&path), KEY_PART_BYTES as u64)
    }

    fn move_aside(&self, log: &LogName, number: SegmentNumber, from: u64) -> io::Result<()> {
        let path = self.folder.segment(log, number);
        let mut file = OpenOptions::new().read(true).write(true).open(&path)?;
        let mut torn = Vec::new();
        file.seek(SeekFrom::Start(from))?;
        file.read_to_end(&mut torn)?;
        let aside = self.folder.log(log).join("torn");
        create_dirs(&aside)?;
        let copy = |n: u64| aside.join(format!("{number:020}.from-{from}.{n}.bin"));
        let mut n = 0;
        while exists(&copy(n))? {
            n += 1;
        }
        replace_file(&copy(n), &torn, 0o600)?;
        self.forget(log, number);
        // Only then cut: the copy is durable now.
        if from == 0 {
            return remove(&path);
        }
        file.set_len(from)?;
        file.sync_all()
    }

    fn publish(&self, log: &LogName, file: &str, content: &[u8]) -> io::Result<()> {
        let folder = self.folder.log(log);
        create_dirs(&folder)?;
        replace_file(&folder.join(file), content, 0o644)
    }

    fn free_bytes(&self) -> io::Result<u64> {
        let stat = rustix::fs::statvfs(self.folder.root())?;
        Ok(stat.f_bavail.saturating_mul(stat.f_frsize))
    }
}

impl ReadAt for Segment {
    /// By the file system at each call, so it grows with the file.
    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn read_exact_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(out, offset)
    }
}

impl SegmentFile for Segment {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all_at(bytes, offset)
    }

    fn sync(&self) -> io::Result<()> {
        // The length is metadata that reading the data needs, so fdatasync covers it (POSIX,
        // "synchronized I/O data integrity completion").
        self.file.sync_data()
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.sync_all()
    }
}

/// Names that are not UTF-8 are passed over; a folder that is not there is empty.
fn list(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry?.file_name().into_string());
    }
    Ok(names)
}

/// The system's clock.
/// Before 1970 it says 1970.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Timestamp(since_epoch.map_or(0, |elapsed| elapsed.as_micros() as i64))
    }
}

/// The operating system's randomness.
///
/// It waits where there is none yet: a key made of less would be worse than a start that takes
/// longer.
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, out: &mut [u8]) {
        while getrandom::fill(out).is_err() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}
