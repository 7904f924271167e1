//! A log's files in memory, to be changed.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use estreat::checkpoint::VerifierKey;
use estreat::format::frame::{Found, ReadAt, read_frame};
use estreat::format::header::{KEY_PART_BYTES, segment_name};
use estreat::ids::LogName;
use estreat::store::LogFolder;
use estreat::verifier::{Listing, LogFiles, LogReport, Options, Secrets, check_log, read_header};

/// A log's files.
#[derive(Debug, Clone, Default)]
pub struct Files {
    pub checkpoint: Option<Vec<u8>>,
    pub segments: BTreeMap<u64, Vec<u8>>,
    pub key_parts: BTreeMap<u64, Vec<u8>>,
    pub strays: Vec<String>,
}

pub struct Bytes(Vec<u8>);

impl ReadAt for Bytes {
    fn length(&self) -> std::io::Result<u64> {
        self.0.length()
    }

    fn read_exact_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read_exact_at(offset, out)
    }
}

impl LogFiles for Files {
    type File = Bytes;

    fn checkpoint(&self) -> io::Result<Option<Vec<u8>>> {
        Ok(self.checkpoint.clone())
    }

    fn list(&self) -> io::Result<Listing> {
        Ok(Listing {
            segments: self.segments.keys().copied().collect(),
            strays: self.strays.clone(),
        })
    }

    fn open(&self, number: u64) -> io::Result<Bytes> {
        Ok(Bytes(self.segments[&number].clone()))
    }

    fn key_part(&self, number: u64) -> io::Result<Option<Vec<u8>>> {
        Ok(self.key_parts.get(&number).cloned())
    }
}

impl Files {
    /// Reads a log's folder.
    pub fn read(folder: &Path) -> Self {
        let files = LogFolder::new(folder);
        let listing = files.list().unwrap();
        let read = |number: u64| {
            let path = folder.join("segments").join(segment_name(number));
            (number, std::fs::read(path).unwrap())
        };
        Self {
            checkpoint: files.checkpoint().unwrap(),
            segments: listing.segments.into_iter().map(read).collect(),
            key_parts: BTreeMap::new(),
            strays: listing.strays,
        }
    }

    /// Writes a log's folder.
    pub fn write(&self, folder: &Path) {
        let segments = folder.join("segments");
        std::fs::create_dir_all(&segments).unwrap();
        for (number, bytes) in &self.segments {
            std::fs::write(segments.join(segment_name(*number)), bytes).unwrap();
        }
        if let Some(checkpoint) = &self.checkpoint {
            std::fs::write(folder.join("checkpoint.txt"), checkpoint).unwrap();
        }
        for stray in &self.strays {
            std::fs::write(segments.join(stray), b"?").unwrap();
        }
    }

    pub fn check(&self, keys: &[VerifierKey], secrets: Option<Secrets<'_>>) -> LogReport {
        let name = LogName::new("orders").unwrap();
        let options = Options {
            name: Some(&name),
            keys,
            secrets,
            ..Options::default()
        };
        check_log(self, options, &mut |_| ControlFlow::Continue(())).unwrap()
    }

    /// Where a segment's frames begin and end.
    pub fn frames(&self, number: u64) -> Vec<std::ops::Range<usize>> {
        let bytes = self.segments[&number].as_slice();
        let header = read_header(bytes, None).unwrap().unwrap();
        let mut frames = Vec::new();
        let mut offset = header.length as u64;
        let log_id = header.fixed.log_id();
        while let Found::Frame(frame) = read_frame(bytes, offset, &log_id, true).unwrap() {
            frames.push(offset as usize..frame.end() as usize);
            offset = frame.end();
        }
        frames
    }

    /// Puts pieces of a segment together anew.
    pub fn reorder(&mut self, number: u64, order: impl FnOnce(&mut Vec<Vec<u8>>)) {
        let frames = self.frames(number);
        let bytes = &self.segments[&number];
        let mut pieces: Vec<Vec<u8>> = frames.iter().map(|at| bytes[at.clone()].to_vec()).collect();
        let mut whole = bytes[..frames[0].start].to_vec();
        order(&mut pieces);
        whole.extend(pieces.concat());
        self.segments.insert(number, whole);
    }

    /// Changes a segment's key part, and makes the header's digest fit.
    pub fn change_key_part(&mut self, number: u64, change: impl FnOnce(&mut [u8])) {
        let bytes = self.segments.get_mut(&number).unwrap();
        let length = read_header(bytes.as_slice(), None).unwrap().unwrap().length;
        change(&mut bytes[length - KEY_PART_BYTES..length - 32]);
        let digest = estreat::digest::Digest::of(&[&bytes[..length - 32]]);
        bytes[length - 32..length].copy_from_slice(&digest.0);
    }
}

/// Whether a finding has this verdict and a place like this.
pub fn has(report: &LogReport, verdict: &str, place: &str) -> bool {
    report
        .findings
        .iter()
        .any(|finding| finding.verdict.word() == verdict && finding.place.contains(place))
}
