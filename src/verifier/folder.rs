//! The check of a log's folder, from its checkpoint to its last byte; without any secret, and
//! with the KEK everything that is sealed too.
//!
//! It reads, and writes nothing. Memory holds a window of frames, and with the KEK one segment's
//! index.
//! A finding does not end the check. The segments of a log are checked one after another here,
//! but each needs of those before it only the state that it is given.
//!
//! The checkpoint is read first and the files after it: whatever it covers was on disk before it
//! was signed, so a log that grows meanwhile never looks truncated.

use std::io;

use super::ahead::{Spread, one_by_one};
use super::coverage::{Coverage, Extent, Gap, Tail};
use super::deep::{Deep, Secrets};
use super::head::{Read, checkpoint_place, find_origin, read_checkpoint};
use super::report::{LogReport, Note};
use super::segment::read_header;
use super::source::{Listing, LogFiles};
use super::state::State;
use super::walk::{Input, OnProgress, Shared, check_segment};
use crate::checkpoint::VerifierKey;
use crate::digest::log_id;
use crate::finding::{Findings, Step, Verdict};
use crate::format::frame::ReadAt as _;
use crate::format::header::segment_name;
use crate::ids::{LogName, Origin, SegmentNumber};
use crate::limits::MAX_HEADER_BYTES;
use crate::sequencer::Sequencer;

/// How a log is to be checked.
#[derive(Default)]
pub struct Options<'a> {
    /// The log's name, if its folder lies in a data folder: the origin must fit it.
    pub name: Option<&'a LogName>,
    /// The verifier keys that the reader trusts, by their names; without any, the checkpoint's
    /// signature is not checked.
    /// With none, a folder that somebody rewrote whole, checkpoint and all, verifies.
    pub keys: &'a [VerifierKey],
    /// Whether these keys are the folder's own, which nobody else vouches for.
    /// Then a missing checkpoint is no finding: nobody was led to expect one.
    pub own_keys: bool,
    /// What opens payloads, if they are to be opened.
    pub secrets: Option<Secrets<'a>>,
    /// Where to begin: behind segments that an earlier check of this log has found sound.
    /// What lies before it is not read again; but its tree goes into the root that is compared, so
    /// that a false one is found where the checkpoint ends behind it.
    pub start: Option<Sequencer>,
    /// Before which segment to end; by default, behind the last.
    /// What lies behind is listed as not asked for, and a log that is too short is not a finding
    /// then.
    pub end: Option<SegmentNumber>,
    /// Does what several cores can do at once; by default, one piece after another.
    pub spread: Option<Spread<'a>>,
}

/// Checks a log. An error says that it could not be read, or that `progress` broke it off.
pub fn check_log<F: LogFiles>(
    files: &F,
    options: Options<'_>,
    progress: OnProgress<'_>,
) -> io::Result<LogReport> {
    let mut findings = Findings::default();
    // Before the segments: whatever a checkpoint covers is on disk before it is signed.
    let prefix = options
        .name
        .map_or(String::new(), |name| format!("logs/{name}/"));
    // A checkpoint of another log is set aside by `find_origin`, which has the headers to compare
    // with.
    let mut checkpoint = read_checkpoint(files, &options, &prefix, &mut findings)?;
    let listing = files.list()?;
    check_names(&listing, &prefix, &mut findings);
    let origin = find_origin(files, &listing, &mut checkpoint, &prefix, &mut findings)?;
    // Without any header and any checkpoint nobody knows which log this is, hence no log id to
    // check against.
    let state = match (&options.start, &origin) {
        (Some(start), _) => Some(State::at(start.clone())),
        (None, Some(origin)) => Some(State::at(Sequencer::new(log_id(origin)))),
        (None, None) => None,
    };
    let checkpoint_there = checkpoint.is_some();
    let checkpoint = checkpoint.and_then(Read::into_checkpoint);
    let spread = options.spread.unwrap_or(&one_by_one);
    let deep = state.as_ref().and_then(|state| {
        let secrets = options.secrets?;
        Some(Deep::new(secrets, state.log_id(), spread))
    });
    let shared = Shared {
        checkpoint: checkpoint.as_ref(),
        findings,
        deep,
        counts: Default::default(),
        sound_links: 0,
        tail: None,
        segments: listing.segments.len() as u64,
        spread,
        progress,
    };
    let check = Check {
        files,
        options: &options,
        prefix,
        shared,
        checkpoint_there,
        resume: None,
    };
    check.run(&listing, state, origin)
}

/// Nothing here reads a stray file; but whoever restores a folder by hand, or looks for entries
/// with other tools, may take it for one of the log's.
fn check_names(listing: &Listing, prefix: &str, findings: &mut Findings) {
    for stray in &listing.strays {
        let mut place = findings.at(Step::Links, format!("{prefix}segments/{stray}"));
        place.altered("a file that does not belong here", "no such file", "a file");
    }
}

// ── The segments ────────────────────────────────────────────────────────────────────────

/// The state between segments is not in here: it is what one segment's check hands to the next.
struct Check<'c, 'a, F> {
    files: &'c F,
    options: &'c Options<'a>,
    /// What findings write before a file's name: `logs/<log>/`, or nothing.
    prefix: String,
    shared: Shared<'c>,
    /// Whether there is a checkpoint.txt at all, of use or not; one that is of no use has a
    /// finding.
    checkpoint_there: bool,
    /// Behind the last closed segment that is sound and under the checkpoint. What is not signed
    /// yet is read again by the next check: it could still be replaced.
    resume: Option<Sequencer>,
}

impl<F: LogFiles> Check<'_, '_, F> {
    /// Everything that is said at the end needs the state behind the last segment.
    fn run(
        mut self,
        listing: &Listing,
        state: Option<State>,
        origin: Option<Origin>,
    ) -> io::Result<LogReport> {
        let mut state = state;
        match &mut state {
            Some(state) => {
                self.segments(listing, state)?;
                self.check_length(listing, state);
            }
            None => self.no_header(listing)?,
        }
        self.check_checkpoint_there(state.as_ref(), origin.as_ref());
        Ok(self.report(listing, state.as_ref(), origin))
    }

    /// From the start on. Those before it are only counted, so that one that lacks is still seen.
    fn segments(&mut self, listing: &Listing, state: &mut State) -> io::Result<()> {
        let start = state.chain().segment;
        // The checkpoint may end exactly where this check begins, or be of size 0.
        let place = || checkpoint_place(&self.prefix);
        self.shared.compare_root(state, place);
        let mut expected = 0;
        for number in &listing.segments {
            if self.options.end.is_some_and(|end| *number >= end) {
                break;
            }
            self.check_gap(expected, *number, start, state);
            expected = number.saturating_add(1);
            if *number >= start {
                self.segment(*number, listing.segments.last() == Some(number), state)?;
            }
        }
        // An earlier check has seen these.
        if expected < start && self.options.end.is_none_or(|end| end >= start) {
            self.check_gap(expected, start, start, state);
        }
        Ok(())
    }

    /// Segment files that lack before one that is there.
    fn check_gap(
        &mut self,
        expected: SegmentNumber,
        found: SegmentNumber,
        start: SegmentNumber,
        state: &mut State,
    ) {
        if expected == found {
            return;
        }
        let place = format!("{}segments/{}", self.prefix, segment_name(expected));
        let mut place = self.shared.findings.at(Step::Links, place);
        let last = found - 1;
        if expected == last {
            place.missing("a segment lacks", format!("segment {expected}"));
        } else {
            place.missing("segments lack", format!("segments {expected} to {last}"));
        }
        if found > start {
            state.lose_place();
        }
    }

    /// What a sound segment allows is noted at once, so that a check that is broken off can go on
    /// behind it.
    fn segment(&mut self, number: SegmentNumber, last: bool, state: &mut State) -> io::Result<()> {
        let file = self.files.open(number)?;
        let key_part = self.files.key_part(number)?;
        let name = format!("{}segments/{}", self.prefix, segment_name(number));
        let input = Input {
            number,
            name: &name,
            last,
            file: &file,
            key_part: key_part.as_deref(),
        };
        check_segment(&input, &mut self.shared, state)?;
        self.shared.counts.segments += 1;
        // The chain steps to the next segment with a close link and with nothing else.
        let closed = state.chain().segment == number + 1;
        if closed && state.is_sound() && self.shared.findings.verdict() == Verdict::Verified {
            self.shared.sound_links = state.chain().next_link;
        }
        let under = self
            .shared
            .checkpoint
            .map_or(0, |checkpoint| checkpoint.size);
        if closed && state.is_sound() && state.chain().next_link <= under {
            self.resume = Some(state.sequencer.clone());
        }
        Ok(())
    }

    /// Without any header, nothing says which log this is.
    fn no_header(&mut self, listing: &Listing) -> io::Result<()> {
        for number in &listing.segments {
            let file = self.files.open(*number)?;
            let Err(error) = read_header(&file, None)? else {
                continue;
            };
            // The header of a log's first segment is synced before its first frame.
            if listing.segments == [0] && file.length()? <= MAX_HEADER_BYTES as u64 {
                self.shared.tail = Some(Gap::CannotTell(Tail {
                    segment: 0,
                    offset: 0,
                    bytes: file.length()?,
                    link: 0,
                }));
                return Ok(());
            }
            let name = format!("{}segments/{}, header", self.prefix, segment_name(*number));
            let mut place = self.shared.findings.at(Step::Links, name);
            place.altered("an unreadable header", "a header", error);
        }
        Ok(())
    }

    // ── The end ─────────────────────────────────────────────────────────────────────────

    /// Not where the place was lost: then the links cannot be counted, and a finding says why.
    fn check_length(&mut self, listing: &Listing, state: &State) {
        let Some(checkpoint) = self.shared.checkpoint else {
            return;
        };
        let links = state.chain().next_link;
        // A check of some segments says nothing of the log's length.
        let whole = self.options.end.is_none();
        if !whole || !state.knows_place() || links >= checkpoint.size {
            return;
        }
        let place = match listing.segments.last() {
            Some(last) => format!("{}segments/{}", self.prefix, segment_name(*last)),
            None => format!("{}segments", self.prefix),
        };
        let mut place = self.shared.findings.at(Step::Links, place);
        let (expected, found) = (
            format!("{} links", checkpoint.size),
            format!("{links} links"),
        );
        place.add(
            Verdict::Truncated,
            "fewer links than the checkpoint",
            expected,
            found,
        );
    }

    /// A young log may have none yet; but closing a segment signs one, and who brings a key
    /// expects what it signs.
    fn check_checkpoint_there(&mut self, state: Option<&State>, origin: Option<&Origin>) {
        let closed = state.is_some_and(|state| state.chain().segment > 0);
        let of_log = |key: &VerifierKey| origin.is_none_or(|origin| key.name() == origin.as_str());
        let has_key = !self.options.own_keys && self.options.keys.iter().any(of_log);
        if self.checkpoint_there || !(closed || has_key) {
            return;
        }
        let place = checkpoint_place(&self.prefix);
        let mut place = self.shared.findings.at(Step::Checkpoint, place);
        let what = "no checkpoint: nothing says how long the log is and what is in it";
        place.missing(what, "a signed note (a running server writes it anew)");
    }

    /// A place to go on from is given only with the verdict `VERIFIED`.
    fn report(self, listing: &Listing, state: Option<&State>, origin: Option<Origin>) -> LogReport {
        let log = match (self.options.name, &origin) {
            (Some(name), _) => name.as_str().to_owned(),
            (None, Some(origin)) => origin.folder().to_owned(),
            (None, None) => "?".to_owned(),
        };
        let mut extents = state.map_or(Vec::new(), |state| self.extents(state));
        extents.extend(self.shared.tail.map(Extent::NotCovered));
        let beyond = |end: &SegmentNumber| listing.segments.iter().any(|number| number >= end);
        if let Some(first_segment) = self.options.end.filter(beyond) {
            extents.push(Extent::NotCovered(Gap::NotAsked { first_segment }));
        }
        let coverage = extents.into_iter().map(|extent| Coverage {
            log: log.clone(),
            extent,
        });
        let coverage = coverage.collect();
        let notes = self.notes();
        let Shared {
            findings,
            mut counts,
            deep,
            ..
        } = self.shared;
        counts.opened = deep.map_or(0, |deep| deep.opened);
        counts.covered = state
            .and_then(|state| state.signed)
            .map_or(0, |signed| signed.entries_end);
        let verdict = findings.verdict();
        LogReport {
            log,
            origin: origin.map(|origin| origin.to_string()),
            verdict,
            findings: findings.list,
            unlisted_findings: findings.unlisted,
            coverage,
            counts,
            notes,
            resume: self.resume.filter(|_| verdict == Verdict::Verified),
        }
    }

    /// In the order of the log: what is signed, what is not, and what has no index.
    fn extents(&self, state: &State) -> Vec<Extent> {
        let chain = state.chain();
        let mut extents = Vec::new();
        if let Some(signed) = state.signed {
            extents.push(Extent::Covered {
                links: signed.links,
                entries_end: signed.entries_end,
                segments: signed.closed,
                committed_at: signed.committed_at,
            });
        }
        let (first_link, first_entry) = state
            .signed
            .map_or((0, 0), |signed| (signed.links, signed.entries_end));
        if chain.next_link > first_link || !state.knows_place() {
            extents.push(Extent::NotCovered(Gap::Unsigned {
                first_link,
                links_end: state.knows_place().then_some(chain.next_link),
                first_entry,
                entries_end: state.knows_place().then_some(chain.next_entry),
            }));
        }
        let sums = chain.sums;
        if self.shared.deep.is_some() && state.is_sound() && sums.entry_count > 0 {
            extents.push(Extent::NotCovered(Gap::NoIndex {
                segment: chain.segment,
                first_entry: sums.first_entry,
                entries_end: chain.next_entry,
            }));
        }
        extents
    }

    /// What the reader could have given and has not: said whatever was found.
    fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.options.keys.is_empty() {
            notes.push(Note::OwnWord);
        } else if self.options.own_keys {
            notes.push(Note::OwnKeys);
        }
        match self.options.secrets {
            None => notes.push(Note::NotOpened),
            Some(secrets) if secrets.index.is_none() => notes.push(Note::NoIndexKey),
            Some(_) => {}
        }
        notes
    }
}
