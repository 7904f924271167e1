//! The check of a bundle, in the eight steps of `FORMAT.md`, "Bundle".
//!
//! It needs nothing but the bundle and the public keys that its reader trusts. A step that
//! fails does not excuse the later ones that can still be checked. Memory is bounded by the
//! proofs; entries are streamed.

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
struct Context<'a> {
    folder: &'a str,
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
    checkpoint: Option<Checkpoint>,
    proof: Proof,
    /// What the log's entries are checked against: the manifest's question, or else the proof's.
    question: Question,
}

fn check_log<R: Read + Seek>(
    archive: &mut Archive<R>,
    context: &Context<'_>,
    findings: &mut Findings,
    coverage: &mut Vec<Coverage>,
    counts: &mut Counts,
) {
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
fn folders<'a>(names: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let folder = |name: &'a str| Some(name.strip_prefix("logs/")?.split_once('/')?.0.to_owned());
    names.filter_map(folder).collect()
}
