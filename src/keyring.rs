//! The server's keys: made once, wrapped under the KEK, never made anew while data exist.
//!
//! `keys/kek` (unless elsewhere), `keys/origin`, `keys/index-key`, `keys/signing-key`, made in
//! this order, each replaced whole and synced, so that a start cut off at any step goes on
//! where it stopped.
//!
//! Losing a key is worse than not starting. So nothing is made where data might need what was lost:
//! a start with a folder that lacks a key says which one, and what to put back.

use std::io;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::base64;
use crate::checkpoint::{SigningKey, VerifierKey};
use crate::envelope::{Kek, KekError, Wrapped};
use crate::ids::{KekId, LogName, Origin};
use crate::random::{self, Random};
use crate::store::{DataFolder, exists, read_bounded, replace_file};
use crate::vrf::IndexSecret;

/// File name, and what the wrapping is bound to: neither file can be put in the other's place.
const INDEX_KEY: (&str, &[u8]) = ("index-key", b"estreat/index-key/v1");
const SIGNING_KEY: (&str, &[u8]) = ("signing-key", b"estreat/signing-key/v1");
/// All of them are far shorter.
const MAX_KEY_FILE_BYTES: u64 = 1024;

/// All keys of a server. None of them prints.
/// In memory for as long as the server runs; shared by all threads, changed by none.
pub struct Keyring {
    /// Wraps every DEK.
    /// Whoever has it and a copy of the data can read everything.
    pub kek: Kek,
    /// Makes the tags of data subjects.
    /// Never changed while there are data: all close links of a log state its public half.
    pub index: IndexSecret,
    /// Signs checkpoints and manifests.
    /// Whoever has it can sign a second history.
    pub signing: SigningKey,
    /// The server's name in signatures.
    pub origin: Origin,
    /// Whether the KEK rests inside the data folder, beside what it protects.
    /// Then a stolen folder is a readable one; the start says so.
    pub kek_beside_data: bool,
}

/// How keys are found.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Where the KEK file is, if not in the data folder.
    pub kek_file: Option<PathBuf>,
    /// The origin asked for; fixed at the first start.
    pub origin: Option<Origin>,
}

/// Keys that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyringError {
    /// No KEK, but things that it has wrapped.
    /// A new KEK would open nothing that is there, and hide that something is lost.
    #[error(
        "the KEK file {0} is missing, but the data folder holds data that it protects. Put the file \
         back from its backup, or name its place with --kek-file or ESTREAT_KEK_FILE. Without it \
         the sealed entries cannot be opened by anybody; a new one will not be made over them"
    )]
    KekMissing(PathBuf),
    /// A wrapped key is missing beside data.
    #[error(
        "{0} is missing, but the data folder holds data that need it; restore keys/ from its backup"
    )]
    KeyMissing(PathBuf),
    /// A KEK that does not fit.
    /// Another installation's KEK, most likely.
    #[error(
        "{path} does not fit the KEK file {kek}: {error}. Name the KEK that was used with this data folder"
    )]
    DoesNotFit {
        /// The wrapped key.
        path: PathBuf,
        /// The KEK file.
        kek: PathBuf,
        /// Why.
        error: KekError,
    },
    /// A file that is not what it should be.
    #[error("{0} is not a key file of this product, or was damaged; restore keys/ from its backup")]
    Damaged(PathBuf),
    /// Another origin than at the first start.
    /// Every log id hangs on it: under another origin no link would be this log's.
    #[error(
        "this data folder's origin is {fixed}, fixed at its first start; the setting says {asked}. Remove the setting, or begin with an empty folder"
    )]
    OriginChanged {
        /// What was fixed.
        fixed: Origin,
        /// What was asked.
        asked: Origin,
    },
    /// The folder is empty, and this command makes none ready.
    /// For commands that only read.
    #[error("{0} holds no keys; `estreat serve` or `estreat token create` makes a folder ready")]
    NotReady(PathBuf),
    /// The file system refuses.
    #[error("cannot use {0}: {1}")]
    Io(PathBuf, io::Error),
}

impl Keyring {
    /// Opens the keys; makes those that are missing, but only in a folder without data.
    /// The caller holds the folder's lock.
    pub fn open_or_make(
        folder: &DataFolder,
        options: &Options,
        random: &dyn Random,
    ) -> Result<Self, KeyringError> {
        let keys = folder.keys();
        std::fs::create_dir_all(&keys).map_err(|error| KeyringError::Io(keys.clone(), error))?;
        let has_data = has_data(folder)?;
        let kek = open_or_make_kek(folder, options, random, has_data)?;
        let origin = open_or_make_origin(folder, options, random, has_data)?;
        let maker = WrappedKeys {
            folder,
            kek: &kek.1,
            kek_path: &kek.0,
            random,
            has_data,
        };
        let index = maker.open_or_make(INDEX_KEY, &|| fresh_index_secret(random))?;
        let signing = maker.open_or_make(SIGNING_KEY, &|| Zeroizing::new(random::bytes(random)))?;
        Self::assemble(folder, kek, origin, &index, &signing)
    }

    /// Opens the keys of a folder that is ready.
    /// Makes nothing, so it may be called while a server runs.
    pub fn open(folder: &DataFolder, options: &Options) -> Result<Self, KeyringError> {
        let path = kek_path(folder, options);
        let Some(kek) = read_kek(&path)? else {
            return Err(match has_data(folder)? {
                true => KeyringError::KekMissing(path),
                false => KeyringError::NotReady(folder.root().to_owned()),
            });
        };
        let origin =
            read_origin(folder)?.ok_or_else(|| KeyringError::NotReady(folder.root().to_owned()))?;
        let read = |key: (&str, &[u8])| {
            let file = folder.keys().join(key.0);
            read_wrapped(&file, &kek, &path, key.1)?.ok_or(KeyringError::KeyMissing(file))
        };
        let (index, signing) = (read(INDEX_KEY)?, read(SIGNING_KEY)?);
        Self::assemble(folder, (path, kek), origin, &index, &signing)
    }

    /// The key that checks a log's checkpoints.
    /// None only for a name that notes cannot carry, which no origin is.
    pub fn log_verifier(&self, log: &LogName) -> Option<VerifierKey> {
        self.signing.verifier(self.origin.of_log(log).as_str())
    }

    /// The key that checks manifests.
    pub fn server_verifier(&self) -> Option<VerifierKey> {
        self.signing.verifier(self.origin.as_str())
    }

    /// A stored secret of zero, or not below the group's order, is damage.
    fn assemble(
        folder: &DataFolder,
        (kek_path, kek): (PathBuf, Kek),
        origin: Origin,
        index: &[u8; 32],
        signing: &[u8; 32],
    ) -> Result<Self, KeyringError> {
        let index = IndexSecret::from_bytes(index)
            .ok_or_else(|| KeyringError::Damaged(folder.keys().join(INDEX_KEY.0)))?;
        // As the file system has them: a relative path or a link would hide it.
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let kek_beside_data = real(&kek_path).starts_with(real(folder.root()));
        Ok(Self {
            kek,
            index,
            signing: SigningKey::from_seed(signing),
            origin,
            kek_beside_data,
        })
    }
}

/// Reads a KEK file that is not a data folder's own.
/// For a check with a KEK from elsewhere, where there is no folder to be ready.
pub fn read_kek_file(path: &Path) -> Result<Kek, KeyringError> {
    read_kek(path)?.ok_or_else(|| KeyringError::Io(path.to_owned(), io::ErrorKind::NotFound.into()))
}

/// What opening and making both need.
struct WrappedKeys<'a> {
    folder: &'a DataFolder,
    kek: &'a Kek,
    kek_path: &'a Path,
    random: &'a dyn Random,
    /// Looked at once, before anything is made.
    has_data: bool,
}

impl WrappedKeys<'_> {
    /// A key is durable before it is used: what it signs or names must be of a key that lasts.
    fn open_or_make(
        &self,
        (name, context): (&str, &[u8]),
        fresh: &dyn Fn() -> Zeroizing<[u8; 32]>,
    ) -> Result<Zeroizing<[u8; 32]>, KeyringError> {
        let path = self.folder.keys().join(name);
        if let Some(key) = read_wrapped(&path, self.kek, self.kek_path, context)? {
            return Ok(key);
        }
        if self.has_data {
            return Err(KeyringError::KeyMissing(path));
        }
        let key = fresh();
        let wrapped = self
            .kek
            .wrap(&key, context, random::bytes(self.random))
            .map_err(|_| KeyringError::Damaged(path.clone()))?;
        write(&path, (base64::encode(&wrapped.encode()) + "\n").as_bytes())?;
        Ok(key)
    }
}

/// Zero is as good as never; the loop is for the type's sake.
fn fresh_index_secret(random: &dyn Random) -> Zeroizing<[u8; 32]> {
    loop {
        if let Some(secret) = IndexSecret::from_random(&random::bytes(random)) {
            return secret.to_bytes();
        }
    }
}

/// Any log at all, even an empty folder of one: rather too careful.
fn has_data(folder: &DataFolder) -> Result<bool, KeyringError> {
    let logs = folder.logs();
    let any = match std::fs::read_dir(&logs) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(KeyringError::Io(logs, error)),
    };
    Ok(any)
}

fn kek_path(folder: &DataFolder, options: &Options) -> PathBuf {
    options
        .kek_file
        .clone()
        .unwrap_or_else(|| folder.keys().join("kek"))
}

/// `None` without the file; one that is no KEK is an error, since a new one must not be written
/// over it.
fn read_kek(path: &Path) -> Result<Option<Kek>, KeyringError> {
    let Some(text) = read(path)?.map(Zeroizing::new) else {
        return Ok(None);
    };
    let text = std::str::from_utf8(&text).map_err(|_| KeyringError::Damaged(path.to_owned()))?;
    Kek::from_text(text)
        .map(Some)
        .map_err(|_| KeyringError::Damaged(path.to_owned()))
}

/// Also where a wrapped key is there without data: a start that was cut off has its KEK already.
fn open_or_make_kek(
    folder: &DataFolder,
    options: &Options,
    random: &dyn Random,
    has_data: bool,
) -> Result<(PathBuf, Kek), KeyringError> {
    let path = kek_path(folder, options);
    if let Some(kek) = read_kek(&path)? {
        return Ok((path, kek));
    }
    let has_wrapped = [INDEX_KEY.0, SIGNING_KEY.0]
        .iter()
        .map(|name| folder.keys().join(name))
        .try_fold(false, |any, path| {
            exists(&path)
                .map(|there| any || there)
                .map_err(|error| KeyringError::Io(path, error))
        })?;
    if has_data || has_wrapped {
        return Err(KeyringError::KekMissing(path));
    }
    let kek = Kek::from_parts(
        KekId(random::bytes(random)),
        Zeroizing::new(random::bytes(random)),
    );
    write(&path, kek.to_text().as_bytes())?;
    Ok((path, kek))
}

fn read_origin(folder: &DataFolder) -> Result<Option<Origin>, KeyringError> {
    let path = folder.keys().join("origin");
    let Some(text) = read(&path)? else {
        return Ok(None);
    };
    let origin = std::str::from_utf8(&text)
        .ok()
        .and_then(|text| Origin::new(text.trim_ascii()).ok());
    origin.map(Some).ok_or(KeyringError::Damaged(path))
}

/// Fixed by the first start, and by the setting only there.
fn open_or_make_origin(
    folder: &DataFolder,
    options: &Options,
    random: &dyn Random,
    has_data: bool,
) -> Result<Origin, KeyringError> {
    let path = folder.keys().join("origin");
    match (read_origin(folder)?, &options.origin) {
        (Some(fixed), Some(asked)) if fixed != *asked => Err(KeyringError::OriginChanged {
            fixed,
            asked: asked.clone(),
        }),
        (Some(fixed), _) => Ok(fixed),
        (None, _) if has_data => Err(KeyringError::KeyMissing(path)),
        (None, asked) => {
            let random_name = format!(
                "estreat-{}.invalid",
                hex::encode(random::bytes::<8>(random))
            );
            let origin = match asked {
                Some(origin) => origin.clone(),
                None => {
                    Origin::new(&random_name).map_err(|_| KeyringError::Damaged(path.clone()))?
                }
            };
            write(&path, format!("{origin}\n").as_bytes())?;
            Ok(origin)
        }
    }
}

/// Form first, then the KEK's id, then the tag: each error says where to look.
fn read_wrapped(
    path: &Path,
    kek: &Kek,
    kek_path: &Path,
    context: &[u8],
) -> Result<Option<Zeroizing<[u8; 32]>>, KeyringError> {
    let Some(text) = read(path)? else {
        return Ok(None);
    };
    let damaged = || KeyringError::Damaged(path.to_owned());
    let text = std::str::from_utf8(&text).map_err(|_| damaged())?;
    let bytes = base64::decode_array(text.trim_ascii()).ok_or_else(damaged)?;
    let wrapped = Wrapped::decode(&bytes).map_err(|_| damaged())?;
    kek.unwrap(&wrapped, context)
        .map(Some)
        .map_err(|error| KeyringError::DoesNotFit {
            path: path.to_owned(),
            kek: kek_path.to_owned(),
            error,
        })
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, KeyringError> {
    read_bounded(path, MAX_KEY_FILE_BYTES).map_err(|error| KeyringError::Io(path.to_owned(), error))
}

/// For its owner alone, whole or not at all.
fn write(path: &Path, content: &[u8]) -> Result<(), KeyringError> {
    replace_file(path, content, 0o600).map_err(|error| KeyringError::Io(path.to_owned(), error))
}
