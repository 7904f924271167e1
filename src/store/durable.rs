//! All fsync and rename of the product.
//!
//! A failed fsync is final: Linux marks the dirty pages clean and reports the error once, so
//! that a second fsync may succeed without having written anything (Rebello et al., "Can
//! Applications Recover from fsync Failures?", USENIX ATC 2020). A rename is durable only
//! after its directory was synced (Pillai et al., "All File Systems Are Not Created Equal",
//! OSDI 2014).

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Replaces a file whole: written beside, synced, renamed, its directory synced.
///
/// A crash leaves the old or the new file, and perhaps one beside it that ends in `.new`; the next
/// replacement overwrites that. The mode counts where the file beside is made.
pub fn replace_file(path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = Path::new(&beside);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(mode);
    let mut file = options.open(beside)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(beside, path)?;
    sync_parent(path)
}

/// Makes an empty file that its owner alone reads, unless it is there. SQLite gives the files
/// beside a database the modes of the database.
/// Before SQLite opens it: otherwise it would be there for a moment with the process's own mask.
pub fn make_private(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).mode(0o600);
    options.open(path).map(drop)
}

/// Removes a file and syncs its directory.
/// An error if it is not there.
pub fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    sync_parent(path)
}

/// Syncs a directory, so that the names in it last.
/// The rename or creation before it is durable only then.
pub fn sync_dir(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Makes a directory and those above it, and syncs each new name.
/// One that is there already is not synced: whoever made it has.
pub fn create_dirs(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        create_dirs(parent)?;
    }
    match fs::create_dir(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => sync_parent(path),
    }
}

/// Reads a small file, at most `max` bytes of it; `None` if it is not there.
///
/// A file that is too long is an error of the kind `InvalidData`: it is not what it should be, and
/// is not read half.
pub fn read_bounded(path: &Path, max: u64) -> io::Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    let mut content = Vec::new();
    file.take(max + 1).read_to_end(&mut content)?;
    if content.len() as u64 > max {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("{} is longer than {max} bytes", path.display()),
        ));
    }
    Ok(Some(content))
}

/// Whether a file is there; an error is not "no".
pub fn exists(path: &Path) -> io::Result<bool> {
    path.try_exists()
}

/// A path without a folder lies in the current one.
fn sync_parent(path: &Path) -> io::Result<()> {
    match path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        Some(parent) => sync_dir(parent),
        None => sync_dir(Path::new(".")),
    }
}
