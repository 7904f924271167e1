//! The check of a bundle, in the eight steps of `FORMAT.md`, "Bundle".
//!
//! It needs nothing but the bundle and the public keys that its reader trusts. A step that
//! fails does not excuse the later ones that can still be checked. Memory is bounded by the
//! proofs; entries are streamed.
//!
//! Each step answers what a sender could try who knows the format and has a real bundle at hand,
//! but neither the signing key nor the index key:
//!
//! - 1 manifest: to swap, add or drop a file, or to give two files one name, so that two programs
//!   see two bundles. Digests bind the files, and the zip can be read in one way only.
//! - 2 checkpoint: to sign a history of one's own, or to pass another log's off as this one. The
//!   key comes from outside the bundle, and its name is the origin.
//! - 3 proof: to prove another question than the manifest states, or to hide a second reading in
//!   lax JSON. There is one form, and the question stands in both files.
//! - 4 links: to leave a segment out, or to show a link from elsewhere. The log tree fixes each
//!   link's place, and close links follow each other from segment 0.
//! - 5 entries: to change an entry, or to move it. Its salted leaf has one position in its batch's
//!   tree.
//! - 6 count: to add lines that no proof covers, for whoever opens entries.ndjson alone. The file
//!   ends where the proof does.
//! - 7 subject: to hold an entry back, or to slip in one about somebody else. The subject index
//!   names them all, under a tag that the sender cannot choose.
//! - 8 coverage: to let silence pass for completeness. What is not covered, withheld or erased is
//!   always said.
//!
//! What no step can answer is in `FORMAT.md`, at the end of "Bundle": an index that was dishonest
//! when its segment was closed, and a second history under the same key.

mod entries;
mod head;
mod links;
mod manifest;
mod subject;

use std::collections::BTreeSet;
use std::io::{Read, Seek};

use super::archive::{Archive, Unreadable};
use super::finding::Findings;
use super::proof::{Because, Proof, Shown};
use super::report::{Counts, Coverage, Extent, Question, Report};
use crate::checkpoint::{Checkpoint, VerifierKey};

/// Checks a bundle with the keys that its reader trusts, by their names; without any, all
/// else is checked.
pub fn verify<R: Read + Seek>(zip: R, keys: &[VerifierKey]) -> Result<Report, Unreadable> {
    let mut archive = Archive::open(zip)?;
    let mut findings = Findings::default();
    let manifest = manifest::check(&mut archive, keys, &mut findings);
    let mut coverage = Vec::new();
    let mut counts = Counts::default();
    for folder in &manifest.folders {
        let context = Context {
            folder,
            keys,
            question: manifest.question.as_ref(),
            signer: manifest.signer.as_deref(),
        };
        check_log(
            &mut archive,
            &context,
            &mut findings,
            &mut coverage,
            &mut counts,
        );
    }
    // Last, since every step reads: a failing disk looks like missing and altered files, and must
    // not become a verdict about the sender.
    archive.check_device()?;
    Ok(Report {
        question: manifest.question,
        verdict: findings.verdict(),
        findings: findings.list,
        unlisted_findings: findings.unlisted,
        coverage,
        counts,
        manifest_note: manifest.note,
        claimed_keys: manifest.claimed_keys,
    })
}

/// What the steps know before they look at a log.
/// It is the same for all steps of one log.
struct Context<'a> {
    /// The `<log>` of the paths, from the zip's own names: the sender's word until step 2 has
    /// compared it with the signed origin.
    folder: &'a str,
    /// The reader's keys, of any name; those that the bundle itself carries are never among them.
    keys: &'a [VerifierKey],
    /// The manifest's question, if the manifest could be read.
    question: Option<&'a Question>,
    /// Name of the key whose signature of manifest.note was checked.
    signer: Option<&'a str>,
}

impl Context<'_> {
    fn path(&self, file: &str) -> String {
        format!("logs/{}/{file}", self.folder)
    }
}

/// What the first three steps know of a log.
struct Log<'a> {
    context: &'a Context<'a>,
    /// None if there was none to read. One whose signature is unknown or bad is here all the same:
    /// what lies under it can still be checked, and the finding stays.
    checkpoint: Option<Checkpoint>,
    proof: Proof,
    /// What the log's entries are checked against: the manifest's question, or else the proof's.
    question: Question,
}

/// Steps 2 to 8 for one log. Without a proof of the right form there is nothing that the later
/// steps could look at, so they are left out; the finding of step 3 has settled the verdict by
/// then.
fn check_log<R: Read + Seek>(
    archive: &mut Archive<R>,
    context: &Context<'_>,
    findings: &mut Findings,
    coverage: &mut Vec<Coverage>,
    counts: &mut Counts,
) {
    // Each step takes what the ones before could read, not only what they found sound: a later step
    // may still find more, and more is what the reader wants to know.
    let Some(log) = head::check(archive, context, findings) else {
        return;
    };
    let links = links::check(&log, findings);
    let shown = entries::check(archive, &log, &links, findings);
    subject::check(&log, &links, &shown, findings);
    links.cover(context.folder, coverage, counts);
    cover_entries(&log, coverage, counts);
}

/// Step 8, for the entries that have no line.
///
/// An erased or withheld entry is proved to exist, and its leaf to be the one signed; why it is not
/// shown is the sender's word alone, so it is counted beside the verdict.
fn cover_entries(log: &Log<'_>, coverage: &mut Vec<Coverage>, counts: &mut Counts) {
    for batch in &log.proof.batches {
        for entry in &batch.entries {
            counts.entries += 1;
            let (link, position) = (batch.link, entry.position);
            let Shown::Leaf { because, .. } = entry.shown else {
                continue;
            };
            let (count, extent) = match because {
                Because::Withheld => (&mut counts.withheld, Extent::Withheld { link, position }),
                Because::Erased => (&mut counts.erased, Extent::Erased { link, position }),
            };
            *count += 1;
            coverage.push(Coverage {
                log: log.context.folder.to_owned(),
                extent,
            });
        }
    }
}

/// The folders under `logs/`.
///
/// Taken from the zip rather than from the manifest, so that a log which the manifest does not name
/// is still looked at.
fn folders<'a>(names: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let folder = |name: &'a str| Some(name.strip_prefix("logs/")?.split_once('/')?.0.to_owned());
    names.filter_map(folder).collect()
}
