//! Step 1: the manifest, its note, and every file that it lists.
//!
//! It binds the files to one another and, if the note holds, to the server: everything that no tree
//! proves (report, CSV, purpose, requester) rests on it and on nothing else. A manifest can be made
//! anew by anybody, with digests that fit; so it is the note, not the digests, that says who
//! vouches.

use std::collections::BTreeSet;
use std::io::{Read, Seek};

use super::super::archive::{Archive, Broken};
use super::super::finding::{Findings, Step};
use super::super::manifest::{MANIFEST, MANIFEST_NOTE, Manifest, note_text};
use super::super::report::{NoteState, Question};
use super::super::{CHECKPOINT, ENTRIES, PROOF};
use super::folders;
use crate::checkpoint::{MAX_NOTE_BYTES, Note, Signed, VerifierKey};
use crate::limits::MAX_MANIFEST_BYTES;

/// What step 1 leaves to the others.
pub(super) struct Checked {
    /// None if the manifest cannot be read; then each log answers the question of its own proof,
    /// and the verdict is `ALTERED` or `MISSING` already.
    pub(super) question: Option<Question>,
    /// Folders of logs to check.
    pub(super) folders: BTreeSet<String>,
    /// `Holds` only if `signer` is some; `signer` can be some without it, where there is no
    /// manifest that the note could be of.
    pub(super) note: NoteState,
    /// Name of the key whose signature of the note holds.
    pub(super) signer: Option<String>,
    /// Shown to the reader for a comparison by fingerprint. They are never checked with: a sender
    /// who makes up a history makes up its keys too.
    pub(super) claimed_keys: Vec<VerifierKey>,
}

/// Step 1. Whatever fails, the folders are given, unless unpacking anything is a danger.
pub(super) fn check<R: Read + Seek>(
    archive: &mut Archive<R>,
    keys: &[VerifierKey],
    findings: &mut Findings,
) -> Checked {
    let mut checked = Checked {
        question: None,
        folders: folders(archive.names()),
        note: NoteState::Absent,
        signer: None,
        claimed_keys: Vec::new(),
    };
    if let Some(flaw) = &archive.flaw {
        let mut zip = findings.at(Step::Manifest, "the zip");
        zip.altered(
            "a zip that others may read otherwise",
            "each file once",
            &flaw.what,
        );
        // The one flaw that does excuse the later steps: overlapping files let a zip of a megabyte
        // unpack to terabytes, each of them within its own bounds.
        if flaw.bomb {
            checked.folders.clear();
            return checked;
        }
    }
    // The note is checked over the file's bytes, before anything is made of them: a manifest that
    // does not parse may still be what was signed.
    let bytes = read_manifest(archive, findings);
    check_note(archive, bytes.as_deref(), keys, findings, &mut checked);
    let mut place = findings.at(Step::Manifest, MANIFEST);
    let manifest = bytes.and_then(|bytes| {
        let manifest = Manifest::decode(&bytes);
        manifest
            .map_err(|why| place.altered("no manifest", "estreat-bundle/1", why))
            .ok()
    });
    let Some(manifest) = manifest else {
        return checked;
    };
    checked.question = manifest.question();
    if checked.question.is_none() {
        place.altered(
            "a range that is none",
            "YYYY-MM-DDThh:mm:ss.ffffffZ or null",
            "other text",
        );
    }
    let claimed = manifest.keys.iter().flatten();
    checked.claimed_keys = claimed
        .filter_map(|key| VerifierKey::parse(key).ok())
        .collect();
    check_logs(archive, &manifest, &checked.folders, findings);
    check_files(archive, &manifest, findings);
    checked
}

/// A missing manifest is `MISSING`, one that does not unpack or is too long `ALTERED`.
fn read_manifest<R: Read + Seek>(
    archive: &mut Archive<R>,
    findings: &mut Findings,
) -> Option<Vec<u8>> {
    let mut place = findings.at(Step::Manifest, MANIFEST);
    match archive.read(MANIFEST, MAX_MANIFEST_BYTES) {
        Ok(bytes) => return Some(bytes),
        Err(Broken::Absent) => place.missing("no manifest", MANIFEST),
        Err(broken) => place.altered("an unreadable manifest", "a file", broken),
    }
    None
}

/// The note is checked with the keys of the names that sign it; its text always.
fn check_note<R: Read + Seek>(
    archive: &mut Archive<R>,
    manifest: Option<&[u8]>,
    keys: &[VerifierKey],
    findings: &mut Findings,
    checked: &mut Checked,
) {
    if !archive.has(MANIFEST_NOTE) {
        return;
    }
    let mut place = findings.at(Step::Manifest, MANIFEST_NOTE);
    // Until shown otherwise: each early return below has made a finding.
    checked.note = NoteState::Fails;
    let bytes = match archive.read(MANIFEST_NOTE, MAX_NOTE_BYTES as u64) {
        Ok(bytes) => bytes,
        Err(broken) => return place.altered("an unreadable note", "a signed note", broken),
    };
    let note = match Note::parse(&bytes) {
        Ok(note) => note,
        Err(error) => return place.altered("no signed note", "a signed note", error),
    };
    let expected = manifest.map(note_text);
    // Without a manifest the text has nothing to fit, and its lack is a finding already.
    let fits = expected
        .as_deref()
        .is_none_or(|expected| expected == note.text());
    if let Some(expected) = expected.filter(|_| !fits) {
        place.altered("a note of another manifest", expected, note.text());
    }
    match note.check(keys) {
        Signed::By(key) if fits => {
            checked.signer = Some(key.name().to_owned());
            // Without a manifest there is nothing that it could hold of.
            checked.note = if manifest.is_some() {
                NoteState::Holds
            } else {
                NoteState::NotChecked
            };
        }
        Signed::UnknownKey if fits => checked.note = NoteState::NotChecked,
        // The text was found wanting above; whoever signed it did not sign this manifest.
        Signed::By(_) | Signed::UnknownKey => {}
        Signed::Bad => {
            let expected = "a signature by the given key of its name";
            place.altered("a signature that does not hold", expected, "another");
        }
    }
}

/// The logs are the folders under logs/, none twice, each with its three files.
///
/// Names and folders are compared both ways: a log that is named but absent would be a claim
/// without proof, a folder that is not named would escape the question that the reader compares.
fn check_logs<R: Read + Seek>(
    archive: &Archive<R>,
    manifest: &Manifest,
    folders: &BTreeSet<String>,
    findings: &mut Findings,
) {
    let mut place = findings.at(Step::Manifest, MANIFEST);
    let mut named = BTreeSet::new();
    for log in &manifest.logs {
        if !named.insert(log) {
            place.altered("a log named twice", "once", log);
        }
        if !folders.contains(log) {
            place.missing("a log without folder", format!("logs/{log}/"));
        }
    }
    if named.is_empty() {
        place.missing("no log", "the three files of at least one");
    }
    for folder in folders.iter().filter(|folder| !named.contains(folder)) {
        place.altered(
            "a log that is not named",
            "no such folder",
            format!("logs/{folder}/"),
        );
    }
    for folder in folders {
        for file in [CHECKPOINT, ENTRIES, PROOF] {
            let path = format!("logs/{folder}/{file}");
            // One that is listed but absent is found by its digest; it would be found twice here.
            if !archive.has(&path) && !manifest.files.contains_key(&path) {
                place.missing("a file of a log", path);
            }
        }
    }
}

/// Every file that is listed is there with its digest, and no other.
///
/// Without the second half a sender could add a file that looks like part of the export, a second
/// report for example, and leave all digests true.
fn check_files<R: Read + Seek>(
    archive: &mut Archive<R>,
    manifest: &Manifest,
    findings: &mut Findings,
) {
    for (name, expected) in manifest.digests() {
        let mut place = findings.at(Step::Manifest, name);
        if [MANIFEST, MANIFEST_NOTE].contains(&name) {
            place.altered(
                "the manifest lists itself or its note",
                "no such name",
                name,
            );
            continue;
        }
        match archive.digest(name) {
            Ok(found) => place.equal(
                "a file changed after the manifest was made",
                expected,
                found,
            ),
            Err(Broken::Absent) => place.missing("a file that is listed", name),
            Err(broken) => place.altered("an unreadable file", expected, broken),
        }
    }
    for name in archive.names() {
        let unlisted = !manifest.files.contains_key(name);
        if unlisted && ![MANIFEST, MANIFEST_NOTE].contains(&name) {
            let mut place = findings.at(Step::Manifest, name);
            place.altered(
                "a file that the manifest does not list",
                "no such file",
                name,
            );
        }
    }
}
