//! The zip around a bundle, read with suspicion.
//!
//! What a file's name leads to must be the same for every reader: a zip with a name twice,
//! with files that overlap or that its directory leaves out is a finding, whatever it holds.
//! Only a zip that cannot be read at all, and a device that fails, are errors.
//!
//! A reader may open the same file with some other program. Wherever two programs could disagree
//! about a name's bytes, a sender could show one bundle to the verifier and another to the judge;
//! so such a zip is a finding even if every digest fits.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

use zip::ZipArchive;
use zip::read::ZipFile;

use crate::digest::{Digest, Hasher};
use crate::limits::MAX_BUNDLE_FILES;

/// Bytes that are hashed at once.
const CHUNK_BYTES: usize = 64 << 10;

/// Why a bundle could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// Not a zip.
    #[error("this is not a readable zip: {0}")]
    NotAZip(String),
    /// The device failed.
    #[error("the bundle could not be read: {0}")]
    Io(#[from] io::Error),
}

/// Why a file of a bundle could not be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum Broken {
    /// It is not there.
    #[error("no such file")]
    Absent,
    /// It is longer than its bound.
    #[error("more than {0} bytes")]
    TooLong(u64),
    /// Its bytes do not unpack.
    #[error("bytes that do not unpack: {0}")]
    Damaged(String),
}

impl Broken {
    fn damaged(error: impl ToString) -> Self {
        Self::Damaged(error.to_string())
    }
}

/// A flaw of the zip itself.
pub(super) struct Flaw {
    /// In the words of the zip reader, for the finding.
    pub(super) what: String,
    /// Files overlap: a small zip could unpack to anything, so nothing is unpacked.
    pub(super) bomb: bool,
}

/// An open zip.
pub(super) struct Archive<R> {
    zip: ZipArchive<Watched<R>>,
    /// Each file's place in the zip's directory, by name; of two with one name, the later.
    files: BTreeMap<String, usize>,
    /// Shared with the reader inside `zip`.
    failure: Failure,
    /// The first flaw of the zip itself. Step 1 makes a finding of it.
    pub(super) flaw: Option<Flaw>,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the directory and no file. An error means that nothing can be said of the bundle.
    pub(super) fn open(reader: R) -> Result<Self, Unreadable> {
        let failure = Failure::default();
        let opened = ZipArchive::new(Watched {
            inner: reader,
            failure: failure.clone(),
        });
        failure.check()?;
        let mut zip = opened.map_err(|error| Unreadable::NotAZip(error.to_string()))?;
        // Before anything is made for each of them.
        if zip.len() > MAX_BUNDLE_FILES {
            let what = format!("more than {MAX_BUNDLE_FILES} files");
            return Err(Unreadable::NotAZip(what));
        }
        let mut flaw = zip.validate_header_consistency().err().map(|error| Flaw {
            what: error.to_string(),
            bomb: zip.has_overlapping_entries().unwrap_or(true),
        });
        let mut files = BTreeMap::new();
        for at in 0..zip.len() {
            let file = match zip.by_index_data(at) {
                // Some zip programs write entries for folders. They hold nothing, and the manifest
                // lists none.
                Ok(file) if file.is_dir() && file.size() == 0 => continue,
                Ok(file) => file,
                Err(error) => return Err(Unreadable::NotAZip(error.to_string())),
            };
            // The raw bytes, whatever encoding the zip claims for them: programs differ in
            // believing it, and so they must all read the same.
            let name = String::from_utf8_lossy(file.name_raw());
            if matches!(name, Cow::Owned(_)) {
                let what = "a file name is not UTF-8".to_owned();
                flaw.get_or_insert(Flaw { what, bomb: false });
            }
            let name = name.into_owned();
            if files.insert(name, at).is_some() {
                let what = "a file name stands twice".to_owned();
                flaw.get_or_insert(Flaw { what, bomb: false });
            }
        }
        failure.check()?;
        Ok(Self {
            zip,
            files,
            failure,
            flaw,
        })
    }

    /// Names of the files; folders are none.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Whether there is a file of this name, readable or not.
    pub(super) fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// A file, to be streamed.
    pub(super) fn file(&mut self, name: &str) -> Result<ZipFile<'_, Watched<R>>, Broken> {
        let at = *self.files.get(name).ok_or(Broken::Absent)?;
        self.zip.by_index(at).map_err(Broken::damaged)
    }

    /// A whole file of at most `max` bytes.
    /// The bound holds for the unpacked bytes, whatever size the zip states.
    pub(super) fn read(&mut self, name: &str, max: u64) -> Result<Vec<u8>, Broken> {
        let mut bytes = Vec::new();
        let file = self.file(name)?;
        file.take(max + 1)
            .read_to_end(&mut bytes)
            .map_err(Broken::damaged)?;
        if bytes.len() as u64 > max {
            return Err(Broken::TooLong(max));
        }
        Ok(bytes)
    }

    /// The hash of a file.
    pub(super) fn digest(&mut self, name: &str) -> Result<Digest, Broken> {
        let mut file = self.file(name)?;
        let mut hasher = Hasher::default();
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            match file.read(&mut chunk).map_err(Broken::damaged)? {
                0 => return Ok(hasher.finish()),
                read => hasher.update(&chunk[..read]),
            }
        }
    }

    /// An error if the device failed at any time: what was found then is worth nothing.
    pub(super) fn check_device(&self) -> Result<(), Unreadable> {
        Ok(self.failure.check()?)
    }
}

/// The first failure of the device under a zip.
#[derive(Clone, Default)]
struct Failure(Rc<RefCell<Option<io::Error>>>);

impl Failure {
    /// The failure, once; later calls find none.
    fn check(&self) -> io::Result<()> {
        self.0.take().map_or(Ok(()), Err)
    }

    /// Keeps an error, and passes one of its kind on.
    fn note<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            // Whoever reads tries again after that one.
            if kind != io::ErrorKind::Interrupted {
                self.0.borrow_mut().get_or_insert(error);
            }
            kind.into()
        })
    }
}

/// A reader whose failures are told apart from a zip's own flaws.
pub(super) struct Watched<R> {
    inner: R,
    failure: Failure,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.failure.note(self.inner.read(buffer))
    }
}

impl<R: Seek> Seek for Watched<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        // A lying zip may send us before the start: that is its flaw, not the device's.
        let result = self.inner.seek(to);
        match &result {
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => result,
            _ => self.failure.note(result),
        }
    }
}
