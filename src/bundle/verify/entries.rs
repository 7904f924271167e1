//! Steps 5 and 6: every entry has its position in its batch, and there is no other line.
//!
//! The entries are the one part of a bundle without a bound in memory, so they are read once, in
//! the order of the proof, a line at a time. An entry's leaf is made from its own bytes and the
//! salt in the proof: whoever changes either, or the order, changes the root, which the batch's
//! link states.

use std::io::{self, BufRead, BufReader, Read, Seek};

use super::super::archive::{Archive, Broken};
use super::super::finding::{Findings, Place, Step, Verdict};
use super::super::proof::{BatchProof, EntryProof, Shown};
use super::super::{ENTRIES, PROOF};
use super::Log;
use super::links::Links;
use crate::digest::Digest;
use crate::event;
use crate::ids::{EntryIndex, SubjectId};
use crate::limits::MAX_BATCH_RAW_BYTES;
use crate::merkle::partial;
use crate::time::Timestamp;

/// Unpacked at a time.
const BUFFER_BYTES: usize = 64 << 10;
/// The format bounds an entry only by its batch.
const MAX_LINE_BYTES: usize = MAX_BATCH_RAW_BYTES;

/// An entry that is shown, for step 7.
pub(super) struct ShownEntry {
    /// Its index in the log.
    pub(super) entry: EntryIndex,
    /// Its batch, by place in the proof.
    pub(super) batch: usize,
    /// What it says.
    pub(super) says: Says,
}

/// What an entry says.
/// It is read here, while the line is at hand, and judged in step 7, where the lists are.
#[derive(Clone, Copy)]
pub(super) enum Says {
    /// Nothing: it has no line, or its line is not there.
    Nothing,
    /// Its line is no entry.
    NoEntry,
    /// Its event time, and whether it names the subject.
    Facts { time: Timestamp, names: bool },
}

/// Steps 5 and 6. Gives the entries in the proof's order; those of a batch whose link is not there
/// have no index in the log, and are left out.
pub(super) fn check<R: Read + Seek>(
    archive: &mut Archive<R>,
    log: &Log<'_>,
    links: &Links,
    findings: &mut Findings,
) -> Vec<ShownEntry> {
    let path = log.context.path(ENTRIES);
    let reader = match archive.file(&path) {
        Ok(file) => Some(BufReader::with_capacity(BUFFER_BYTES, file)),
        // Step 1 has said so.
        Err(Broken::Absent) => None,
        Err(broken) => {
            let mut place = findings.at(Step::Entries, &*path);
            place.altered("unreadable entries", "a file", broken);
            None
        }
    };
    let mut walk = Walk {
        log,
        links,
        lines: Lines::new(reader, path),
        shown: Vec::new(),
    };
    // Ascending links, one batch a link: with a batch in two parts, one entry could be shown twice,
    // and counted twice.
    let mut last = None;
    for (at, batch) in log.proof.batches.iter().enumerate() {
        let mut place = walk.place(batch, findings);
        if last
            .replace(batch.link)
            .is_some_and(|last| last >= batch.link)
        {
            place.altered("batches that do not ascend", "ascending links", batch.link);
        }
        if batch.entries.is_empty() {
            place.altered("a batch of no use", "entries", "none");
        }
        walk.batch(at, batch, findings);
    }
    walk.lines.check_count(findings);
    walk.shown
}

/// A walk through the batches of the proof, and through the lines at the same time.
struct Walk<'a, B> {
    log: &'a Log<'a>,
    links: &'a Links,
    lines: Lines<B>,
    shown: Vec<ShownEntry>,
}

impl<B: BufRead> Walk<'_, B> {
    fn place<'f>(&self, batch: &BatchProof, findings: &'f mut Findings) -> Place<'f> {
        let path = self.log.context.path(PROOF);
        findings.at(
            Step::Entries,
            format!("{path}, batch of link {}", batch.link),
        )
    }

    /// Makes the leaves, and the batch's root from them. The indexes are given even where the root
    /// does not hold: that was found, and step 7 can still say more.
    fn batch(&mut self, at: usize, batch: &BatchProof, findings: &mut Findings) {
        let body = self.links.batch(batch.link);
        let mut known = Vec::with_capacity(batch.entries.len());
        for proof in &batch.entries {
            let (leaf, says) = self.entry(batch, proof, findings);
            known.extend(leaf.map(|leaf| (proof.position, leaf)));
            if let Some(body) = body {
                let entry = body.first_entry.saturating_add(proof.position);
                self.shown.push(ShownEntry {
                    entry,
                    batch: at,
                    says,
                });
            }
        }
        // Without its link, or without all its lines, a batch gives no root; both were found.
        let Some(body) = body.filter(|_| known.len() == batch.entries.len()) else {
            return;
        };
        let mut place = self.place(batch, findings);
        match partial::root(u64::from(body.entry_count), &known, &batch.tree) {
            Ok(root) => place.equal("the root of the batch tree", body.entries_root, root),
            Err(error) => place.altered("the batch tree", body.entries_root, error),
        }
    }

    /// The leaf of one entry, if there is one, and what its line says. A withheld entry's leaf is
    /// taken from the proof: the tree shows that it is the right one, and nothing that it hides.
    fn entry(
        &mut self,
        batch: &BatchProof,
        proof: &EntryProof,
        findings: &mut Findings,
    ) -> (Option<Digest>, Says) {
        let (line, salt) = match proof.shown {
            Shown::Line { line, salt } => (line, salt),
            Shown::Leaf { leaf, .. } => return (Some(leaf), Says::Nothing),
        };
        // The line that comes next is taken whatever its number: a wrong number is one finding, not
        // one for each line behind it.
        if line != self.lines.number {
            let mut place = self.place(batch, findings);
            place.altered("lines that do not ascend by one", self.lines.number, line);
        }
        match self.lines.next(findings) {
            Some(bytes) => {
                let leaf = Digest::leaf(&[&salt, bytes]);
                (Some(leaf), says(bytes, &self.log.question.subject))
            }
            None => (None, Says::Nothing),
        }
    }
}

/// By the same rules as at the door: what names a subject there names it here.
fn says(entry: &[u8], subject: &SubjectId) -> Says {
    match event::facts(entry) {
        Ok(facts) => Says::Facts {
            time: facts.time,
            names: facts.subjects.contains(subject),
        },
        Err(_) => Says::NoEntry,
    }
}

/// The lines of entries.ndjson, one at a time.
struct Lines<B> {
    /// None once the lines have ended, for whatever reason; then that was found.
    reader: Option<B>,
    /// For findings.
    path: String,
    /// The line read last, without its 0x0A; kept for its room.
    line: Vec<u8>,
    /// Number of the next line, counted on even where there is none.
    number: u64,
}

impl<B: BufRead> Lines<B> {
    fn new(reader: Option<B>, path: String) -> Self {
        Self {
            reader,
            path,
            line: Vec::new(),
            number: 0,
        }
    }

    /// The next line without its 0x0A, or a finding.
    fn next(&mut self, findings: &mut Findings) -> Option<&[u8]> {
        let number = self.number;
        self.number += 1;
        let read = read_line(self.reader.as_mut()?, &mut self.line);
        let mut place = findings.at(Step::Entries, format!("{}, line {number}", self.path));
        match read {
            Ok(LineRead::Whole) => return Some(&self.line),
            Ok(LineRead::TooLong) => {
                place.altered("a line that is too long", MAX_LINE_BYTES, "more bytes");
                return None;
            }
            Ok(LineRead::End) if self.line.is_empty() => {
                place.add(
                    Verdict::Truncated,
                    "the file ends early",
                    "a line",
                    "nothing",
                );
            }
            Ok(LineRead::End) => {
                place.add(Verdict::Truncated, "the file ends early", "0x0A", "the end");
            }
            Err(error) => place.altered("unreadable entries", "a line", error),
        }
        // One finding for the end, not one for each line that lacks behind it.
        self.reader = None;
        None
    }

    /// Step 6: no line is left.
    ///
    /// Lines behind the last proved one would look like results to whoever opens the file without a
    /// verifier.
    fn check_count(&mut self, findings: &mut Findings) {
        let Some(reader) = &mut self.reader else {
            return;
        };
        match reader.fill_buf() {
            Ok([]) => {}
            Ok(_) => {
                let mut place = findings.at(Step::Count, &*self.path);
                place.altered("lines that the proof does not have", self.number, "more");
            }
            Err(error) => {
                let mut place = findings.at(Step::Entries, &*self.path);
                place.altered("unreadable entries", "the end", error);
            }
        }
    }
}

/// How the reading of a line went, but for errors of the device or the packing.
enum LineRead {
    /// A line that ended with 0x0A.
    Whole,
    /// A line longer than any entry; it was skipped.
    TooLong,
    /// The end, behind a line that has no 0x0A or behind nothing.
    End,
}

/// No more than an entry's bound is ever in memory, however long the line is made.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<LineRead> {
    line.clear();
    let bound = MAX_LINE_BYTES as u64 + 1;
    reader.by_ref().take(bound).read_until(b'\n', line)?;
    if line.pop_if(|last| *last == b'\n').is_some() {
        return Ok(LineRead::Whole);
    }
    if (line.len() as u64) < bound {
        return Ok(LineRead::End);
    }
    reader.skip_until(b'\n')?;
    Ok(LineRead::TooLong)
}
