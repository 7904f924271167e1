//! What a log's folder says of itself: its checkpoint, and its origin.
//!
//! A checkpoint of another log under this folder's name would make a foreign history look like this
//! log's. So its origin is held against the key's name, the folder's name, and the headers.

use std::io;

use super::folder::Options;
use super::segment::read_header;
use super::source::{Listing, LogFiles};
use crate::checkpoint::{Checkpoint, Note, Signed};
use crate::finding::{Findings, Step, Verdict};
use crate::ids::Origin;

/// A checkpoint.txt that is there.
pub(super) enum Read {
    /// Whatever the keys say of it: the root is compared all the same.
    Checkpoint(Checkpoint),
    /// There is a finding on it.
    Unusable,
}

impl Read {
    pub(super) fn into_checkpoint(self) -> Option<Checkpoint> {
        match self {
            Self::Checkpoint(checkpoint) => Some(checkpoint),
            Self::Unusable => None,
        }
    }
}

pub(super) fn checkpoint_place(prefix: &str) -> String {
    format!("{prefix}checkpoint.txt")
}

/// None without the file. Without any key the signature is not looked at, which the report's notes
/// say; with keys of other names only, the verdict is `UNKNOWN KEY`.
pub(super) fn read_checkpoint<F: LogFiles>(
    files: &F,
    options: &Options<'_>,
    prefix: &str,
    findings: &mut Findings,
) -> io::Result<Option<Read>> {
    let Some(bytes) = files.checkpoint()? else {
        return Ok(None);
    };
    let mut place = findings.at(Step::Checkpoint, checkpoint_place(prefix));
    let note = match Note::parse(&bytes) {
        Ok(note) => note,
        Err(error) => {
            place.altered("no signed note", "a signed note", error);
            return Ok(Some(Read::Unusable));
        }
    };
    let checkpoint = match Checkpoint::of_note(&note) {
        Ok(checkpoint) => checkpoint,
        Err(error) => {
            place.altered("no checkpoint", "origin, size and root", error);
            return Ok(Some(Read::Unusable));
        }
    };
    let origin = &checkpoint.origin;
    let signed = match options.keys {
        [] => None,
        keys => Some(checkpoint.check(&note, keys)),
    };
    match signed {
        None | Some(Signed::By(_)) => {}
        Some(Signed::UnknownKey) => place.add(
            Verdict::UnknownKey,
            "no key was given that says whose checkpoint this is",
            format!("a key of the name {origin}"),
            "none",
        ),
        Some(Signed::Bad) => {
            let expected = format!("a signature by the given key of the name {origin}");
            place.altered(
                "a signature that does not hold",
                expected,
                "another or none",
            );
        }
    }
    if let Some(name) = options.name {
        place.equal("the log's folder", origin.folder(), name.as_str());
    }
    Ok(Some(Read::Checkpoint(checkpoint)))
}

/// The log's origin: the checkpoint's, unless neither the first segment nor the last is of it.
///
/// Two headers are asked, so that one forged header cannot disown a true checkpoint. Where no
/// header can be read, the checkpoint alone names the log.
pub(super) fn find_origin<F: LogFiles>(
    files: &F,
    listing: &Listing,
    checkpoint: &mut Option<Read>,
    prefix: &str,
    findings: &mut Findings,
) -> io::Result<Option<Origin>> {
    let mut origins = Vec::new();
    for number in [listing.segments.first(), listing.segments.last()] {
        let Some(number) = number else { continue };
        if let Ok(header) = read_header(&files.open(*number)?, None)? {
            origins.push(header.fixed.origin);
        }
    }
    // The first segment's, or the last's where the first cannot be read.
    let own = origins.first().cloned();
    let signed = match checkpoint {
        Some(Read::Checkpoint(checkpoint)) => checkpoint.origin.clone(),
        _ => return Ok(own),
    };
    match own {
        Some(own) if !origins.contains(&signed) => {
            let mut place = findings.at(Step::Checkpoint, checkpoint_place(prefix));
            place.altered("another log's checkpoint", &own, &signed);
            *checkpoint = Some(Read::Unusable);
            Ok(Some(own))
        }
        _ => Ok(Some(signed)),
    }
}
