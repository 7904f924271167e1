//! A job's files: sealed in chunks under the job's own DEK, which rests wrapped in `state.db`.
//! Forgetting the key there makes whatever is left of them unreadable.
//!
//! A file's name is bound into each of its chunks (`envelope::chunks`): nobody who can write to the
//! folder passes one file of a job for another, or one job's for another's, or cuts one short
//! unseen.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::audit::AuditError;
use crate::envelope::{ChunkKey, ChunkReader, ChunkWriter, Dek, Kek, NONCE_BYTES, Wrapped};
use crate::ids::JobId;
use crate::random::{self, Random};
use crate::store::{DataFolder, sync_dir};

/// Bound into the wrapping of a job's key.
const KEY_CONTEXT: &[u8] = b"estreat/export-key/v1";

/// The place of one job's files, and their key.
#[derive(Clone)]
pub struct Vault {
    folder: PathBuf,
    job: JobId,
    /// Shared with the files being read: a download that has begun goes on when the export expires.
    dek: Arc<Dek>,
    random: Arc<dyn Random>,
}

/// A file being written.
pub type SealedFile = ChunkWriter<BufWriter<File>>;
/// A file being read.
pub type OpenedFile = ChunkReader<BufReader<File>>;

impl Vault {
    /// A vault for a new job, and its wrapped key.
    pub fn make(
        folder: &DataFolder,
        job: JobId,
        kek: &Kek,
        random: &Arc<dyn Random>,
    ) -> Result<(Self, Vec<u8>), AuditError> {
        let key: Zeroizing<[u8; 32]> = Zeroizing::new(random::bytes(&**random));
        let wrapped = kek
            .wrap(&key, &context(job), random::bytes(&**random))
            .map_err(|error| AuditError::Internal(error.to_string()))?;
        Ok((Self::with_key(folder, job, key, random), wrapped.encode()))
    }

    /// The vault of a job that is there.
    pub fn open(
        folder: &DataFolder,
        job: JobId,
        wrapped: &[u8],
        kek: &Kek,
        random: &Arc<dyn Random>,
    ) -> Result<Self, AuditError> {
        let bytes = wrapped
            .try_into()
            .map_err(|_| AuditError::Expired("thing-export"))?;
        let wrapped =
            Wrapped::decode(bytes).map_err(|error| AuditError::Internal(error.to_string()))?;
        let key = kek
            .unwrap(&wrapped, &context(job))
            .map_err(|error| AuditError::Internal(error.to_string()))?;
        Ok(Self::with_key(folder, job, key, random))
    }

    /// The vault of a job whose key is open.
    fn with_key(
        folder: &DataFolder,
        job: JobId,
        key: Zeroizing<[u8; 32]>,
        random: &Arc<dyn Random>,
    ) -> Self {
        Self {
            folder: folder_of(folder, job),
            job,
            dek: Arc::new(Dek::from_bytes(key)),
            random: random.clone(),
        }
    }

    /// Seals a small text, such as the question.
    pub fn seal(&self, what: &str, text: &[u8]) -> Result<Vec<u8>, AuditError> {
        let mut buffer = vec![0; NONCE_BYTES];
        buffer.extend_from_slice(text);
        let nonce = random::bytes(&*self.random);
        let sealed = self.dek.seal(&nonce, &self.additional(what), &mut buffer);
        sealed.map_err(|error| AuditError::Internal(error.to_string()))?;
        Ok(buffer)
    }

    /// Opens what [`seal`](Self::seal) has made.
    pub fn unseal(&self, what: &str, sealed: &[u8]) -> Result<Vec<u8>, AuditError> {
        let opened = self.dek.open(&self.additional(what), sealed);
        opened.map_err(|error| AuditError::Internal(error.to_string()))
    }

    /// Empties the job's folder, and begins anew.
    pub fn clear(&self) -> io::Result<()> {
        remove_folder(&self.folder)?;
        std::fs::create_dir_all(&self.folder)?;
        // The folder's own name must last, or a finished export's files are found nowhere.
        self.folder.parent().map_or(Ok(()), sync_dir)
    }

    /// Removes a job's files, whether its key opens or not. Not there is as good as removed.
    pub fn remove(folder: &DataFolder, job: JobId) -> io::Result<()> {
        remove_folder(&folder_of(folder, job))
    }

    /// Begins a file.
    pub fn create(&self, name: &str) -> io::Result<SealedFile> {
        let file = File::create(self.folder.join(name))?;
        let key = ChunkKey::new(self.dek.clone(), &self.file_name(name));
        Ok(ChunkWriter::new(
            BufWriter::new(file),
            key,
            self.random.clone(),
        ))
    }

    /// Ends a file that must last.
    pub fn keep(&self, file: SealedFile) -> io::Result<()> {
        let file = file
            .finish()?
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        sync_dir(&self.folder)
    }

    /// Opens a file.
    pub fn read(&self, name: &str) -> io::Result<OpenedFile> {
        let file = File::open(self.folder.join(name))?;
        let key = ChunkKey::new(self.dek.clone(), &self.file_name(name));
        ChunkReader::new(BufReader::new(file), key)
    }

    /// Removes a file that was needed only while the export was made.
    pub fn discard(&self, name: &str) -> io::Result<()> {
        std::fs::remove_file(self.folder.join(name))
    }

    /// What a file is sealed as.
    fn file_name(&self, name: &str) -> String {
        format!("estreat/export/{}/{name}", self.job)
    }

    /// What a small text is sealed as.
    fn additional(&self, what: &str) -> Vec<u8> {
        self.file_name(what).into_bytes()
    }
}

/// A job's folder; its id is hex, so that it is no path of its own.
fn folder_of(folder: &DataFolder, job: JobId) -> PathBuf {
    folder.exports().join(job.to_string())
}

/// Removes a folder with all that is in it, if it is there.
fn remove_folder(folder: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// What the wrapping of a job's key is bound to.
fn context(job: JobId) -> Vec<u8> {
    [KEY_CONTEXT, &job.0].concat()
}

/// A row of records in a job's temporary file: each its length and its bytes.
pub struct Records {
    file: SealedFile,
}

impl Records {
    /// Begins a row.
    pub fn create(vault: &Vault, name: &str) -> io::Result<Self> {
        Ok(Self {
            file: vault.create(name)?,
        })
    }

    /// Appends a record.
    pub fn push(&mut self, record: &[u8]) -> io::Result<()> {
        self.file.write_all(&(record.len() as u32).to_be_bytes())?;
        self.file.write_all(record)
    }

    /// Ends the row.
    pub fn finish(self) -> io::Result<()> {
        self.file.finish().map(drop)
    }

    /// Reads a row.
    pub fn read(vault: &Vault, name: &str) -> io::Result<RecordReader> {
        let file = vault.read(name)?;
        let left = file.length();
        Ok(RecordReader { file, left })
    }
}

/// Reads a row of records.
pub struct RecordReader {
    file: OpenedFile,
    /// Bytes of the row that were not read yet, so that its end is known without a mark.
    left: u64,
}

impl Iterator for RecordReader {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        Some(self.record())
    }
}

impl RecordReader {
    /// The next record. Lengths were sealed by this server: one that reaches too far fails when it
    /// is read.
    fn record(&mut self) -> io::Result<Vec<u8>> {
        let mut length = [0; 4];
        self.file.read_exact(&mut length)?;
        let length = u32::from_be_bytes(length);
        self.left = self.left.saturating_sub(4 + u64::from(length));
        let mut record = vec![0; length as usize];
        self.file.read_exact(&mut record)?;
        Ok(record)
    }
}
