//! Bundles are written file by file, straight to where they go; each is hashed on its way.
//!
//! The zip has data descriptors and fixed times, so that it needs no seeking and equal
//! files give an equal zip.
//!
//! The manifest comes last, because it holds the hashes of all before it; a reader finds it by the
//! zip's directory. Nothing here decides what a bundle must hold: a bundle with too little is one
//! that the verifier refuses.

use std::collections::BTreeMap;
use std::io::{self, Write};

use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::manifest::{About, MANIFEST, MANIFEST_NOTE, Manifest, note_text};
use crate::checkpoint::{SigningKey, sign_note};
use crate::digest::Hasher;
use crate::ids::Origin;

/// A bundle on its way out. It writes to the file begun last, best in pieces of some size.
///
/// Whoever drops it unfinished leaves a zip without a manifest, which is no bundle.
pub struct BundleWriter<W: Write> {
    zip: ZipWriter<StreamWriter<W>>,
    /// Path and lower-case hex hash of each file that has ended; sorted, so that equal bundles have
    /// equal manifests.
    files: BTreeMap<String, String>,
    /// The file begun last. None before the first, and after `end_file`.
    current: Option<(String, Hasher)>,
}

impl<W: Write> BundleWriter<W> {
    /// Begins a bundle.
    pub fn new(out: W) -> Self {
        Self {
            zip: ZipWriter::new_stream(out),
            files: BTreeMap::new(),
            current: None,
        }
    }

    /// Ends the file before and begins the next, by its path in the bundle, each once.
    ///
    /// A file that may reach 4 GiB must say so beforehand; most unzip programs read either.
    pub fn begin(&mut self, path: &str, may_be_large: bool) -> io::Result<()> {
        self.end_file();
        if [MANIFEST, MANIFEST_NOTE].contains(&path) || self.files.contains_key(path) {
            return Err(io::Error::other(format!(
                "the bundle has a file {path} already"
            )));
        }
        self.zip.start_file(path, options(may_be_large))?;
        self.current = Some((path.to_owned(), Hasher::default()));
        Ok(())
    }

    /// A whole file.
    pub fn file(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.begin(path, false)?;
        self.write_all(bytes)
    }

    /// Ends the bundle with its manifest, signed under the server's origin.
    pub fn finish(mut self, about: &About, server: &Origin, key: &SigningKey) -> io::Result<W> {
        self.end_file();
        let manifest = Manifest::new(about, std::mem::take(&mut self.files));
        let bytes = serde_json::to_vec(&manifest)?;
        let note = sign_note(&note_text(&bytes), server.as_str(), key)
            .ok_or_else(|| io::Error::other("the server's origin is no key name"))?;
        self.zip.start_file(MANIFEST, options(false))?;
        self.zip.write_all(&bytes)?;
        self.zip.start_file(MANIFEST_NOTE, options(false))?;
        self.zip.write_all(note.as_bytes())?;
        Ok(self.zip.finish()?.into_inner())
    }

    /// The zip itself ends the file when the next begins.
    fn end_file(&mut self) {
        if let Some((path, hasher)) = self.current.take() {
            self.files.insert(path, hasher.finish().to_string());
        }
    }
}

impl<W: Write> Write for BundleWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some((_, hasher)) = &mut self.current else {
            return Err(io::Error::other("no file of the bundle was begun"));
        };
        // What was taken is hashed, no more: the zip may take less than it was given.
        let written = self.zip.write(bytes)?;
        hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.zip.flush()
    }
}

/// Fixed times: a zip's own say when it was made, in local time and to two seconds; the manifest
/// says it better.
fn options(may_be_large: bool) -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .large_file(may_be_large)
}
