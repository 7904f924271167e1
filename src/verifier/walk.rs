//! The check of one segment: its input is where the log's chain stands, its output where it
//! then stands, and findings.
//!
//! Frames come from `ahead`, already hashed or opened; what is decided here needs their order. No
//! finding ends the walk, but an error of the device and a `Break` of the progress do.

use std::io;
use std::ops::ControlFlow;

use super::ahead::{Ahead, Inside, Seen, Spread};
use super::coverage::Gap;
use super::deep::Deep;
use super::report::Counts;
use super::segment::{Place, header_flaw, read_header};
use super::state::{Doubt, State, Taken};
use crate::chain::{Body, Flaw};
use crate::checkpoint::Checkpoint;
use crate::finding::{Findings, Step};
use crate::format::frame::{Frame, ReadAt, find_frame};
use crate::format::header::{Header, HeaderError};
use crate::ids::{LinkNumber, SegmentNumber};

/// How far a check has come.
///
/// A server keeps it now and then, so that a stop costs no more than the segment that was being
/// read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The segment that is being read.
    pub segment: SegmentNumber,
    /// Segments that there are.
    pub segments: SegmentNumber,
    /// What was read so far.
    pub counts: Counts,
    /// Links up to the end of the last segment before which nothing was found: a check that is
    /// broken off may go on there.
    pub sound_links: LinkNumber,
}

/// Told of progress after each frame; `Break` stops the check.
/// The check then ends with an error of the kind `Interrupted`.
pub type OnProgress<'a> = &'a mut dyn FnMut(&Progress) -> ControlFlow<()>;

/// A segment to check.
pub(super) struct Input<'a, R: ?Sized> {
    /// By its file's name.
    pub(super) number: SegmentNumber,
    /// Its file as findings name it.
    pub(super) name: &'a str,
    /// Whether it is the log's last: there a torn tail may be.
    pub(super) last: bool,
    /// Its length does not change while it is read, even of an active segment.
    pub(super) file: &'a R,
    /// The content of its `.key` file, preferred to the header's own while it fits.
    pub(super) key_part: Option<&'a [u8]>,
}

/// What the segments of a log share.
pub(super) struct Shared<'a> {
    /// None too where the one that is there is of no use.
    pub(super) checkpoint: Option<&'a Checkpoint>,
    pub(super) findings: Findings,
    /// With keys only.
    pub(super) deep: Option<Deep<'a>>,
    pub(super) counts: Counts,
    /// Grows at the end of a segment, and only while nothing at all was found.
    pub(super) sound_links: LinkNumber,
    /// Damage at the end that is no finding.
    pub(super) tail: Option<Gap>,
    /// For the progress.
    pub(super) segments: SegmentNumber,
    pub(super) spread: Spread<'a>,
    pub(super) progress: OnProgress<'a>,
}

impl Shared<'_> {
    /// Compares the root, if the checkpoint ends here.
    ///
    /// Called behind each link, since the checkpoint may end anywhere; costs a comparison of two
    /// sizes but for once.
    pub(super) fn compare_root(&mut self, state: &mut State, place: impl FnOnce() -> String) {
        let Some(checkpoint) = self.checkpoint else {
            return;
        };
        if let Some((expected, found)) = state.compare_root(checkpoint) {
            let what = format!(
                "the first {} links do not hash to the checkpoint's root",
                checkpoint.size
            );
            let mut place = self.findings.at(Step::Links, place());
            place.altered(&what, expected, found);
        }
    }
}

/// Checks a segment; `state` is the log's before it, and then behind it.
pub(super) fn check_segment<R: ReadAt + Sync + ?Sized>(
    input: &Input<'_, R>,
    shared: &mut Shared<'_>,
    state: &mut State,
) -> io::Result<()> {
    let mut walk = Walk {
        input,
        shared,
        state,
        header: None,
    };
    let Some(start) = walk.enter()? else {
        return Ok(());
    };
    walk.frames(start)
}

/// Of one segment; everything that outlives it is borrowed.
pub(super) struct Walk<'w, 'a, R: ?Sized> {
    pub(super) input: &'w Input<'w, R>,
    pub(super) shared: &'w mut Shared<'a>,
    pub(super) state: &'w mut State,
    /// The header, if it is as the chain asks for.
    header: Option<Header>,
}

impl<R: ReadAt + Sync + ?Sized> Walk<'_, '_, R> {
    // ── The header ──────────────────────────────────────────────────────────────────────

    /// Checks the header; gives where frames begin, or none if there is nothing more to read.
    fn enter(&mut self) -> io::Result<Option<u64>> {
        self.state.begin(self.input.number);
        let Some(header) = self.read_header()? else {
            return self.enter_without_header();
        };
        let number = self.input.number;
        let log_id = self.state.log_id();
        // Somebody else's file in this one's place. Its frames would all be found wrong, one by
        // one, and say nothing of this log; so they are not read.
        if header.fixed.segment != number || header.fixed.log_id() != log_id {
            let found = format!(
                "segment {} of {}",
                header.fixed.segment, header.fixed.origin
            );
            self.altered(
                "header",
                "a file in another's place",
                format!("segment {number}"),
                found,
            );
            self.state.lose_place();
            return Ok(None);
        }
        let start = header.length as u64;
        let flaw = self.state.enter(&header);
        if let Some(deep) = &mut self.shared.deep {
            deep.begin(
                number,
                Some(&header),
                &mut self.shared.findings,
                self.input.name,
            );
        }
        match flaw {
            Some(flaw) => self.flaw("header", Step::Links, &flaw),
            None => self.header = Some(header),
        }
        Ok(Some(start))
    }

    /// None if there is none to be had; then it was found, or noted as the tail.
    fn read_header(&mut self) -> io::Result<Option<Header>> {
        let (file, key_part) = (self.input.file, self.input.key_part);
        let error = match read_header(file, key_part)? {
            Ok(header) => return Ok(Some(header)),
            Err(error) => error,
        };
        // A `.key` file of no use hides a header that may be sound: a finding on the one, and on
        // with the other.
        if key_part.is_some()
            && let Ok(header) = read_header(file, None)?
        {
            let place = format!("{}.key", self.input.name);
            let mut place = self.shared.findings.at(Step::Links, place);
            place.altered(
                "a key part that is not the segment's",
                "its digest to fit",
                error,
            );
            return Ok(Some(header));
        }
        let why = match self.input.last {
            true => match self.torn(&Place::of_header())? {
                None => return Ok(None),
                Some(why) => format!("; {why}"),
            },
            false => String::new(),
        };
        let is_cut =
            error == HeaderError::Short && find_frame(file, 0, &self.state.log_id())?.is_none();
        if is_cut && self.ends_early() {
            self.truncated("header", "the log ends within a header");
        } else {
            self.altered(
                "header",
                "an unreadable header",
                "a header",
                format!("{error}{why}"),
            );
        }
        Ok(None)
    }

    /// Frames say themselves where they belong: what is whole behind the header is checked.
    ///
    /// Without the header the DEK is lost with it, so nothing is opened; the links stand on their
    /// own.
    fn enter_without_header(&mut self) -> io::Result<Option<u64>> {
        if self.shared.tail.is_some() {
            return Ok(None);
        }
        if let Some(deep) = &mut self.shared.deep {
            deep.begin(
                self.input.number,
                None,
                &mut self.shared.findings,
                self.input.name,
            );
        }
        let first = find_frame(self.input.file, 0, &self.state.log_id())?;
        if first.is_none() {
            self.state.lose_place();
        }
        Ok(first.map(|frame| frame.offset))
    }

    // ── Frames ──────────────────────────────────────────────────────────────────────────

    /// One frame at a time, in the file's order, until its close link, its end, or damage with
    /// nothing whole behind it.
    fn frames(&mut self, start: u64) -> io::Result<()> {
        let dek = self.shared.deep.as_ref().and_then(Deep::dek);
        let (file, log_id) = (self.input.file, self.state.log_id());
        let mut ahead = Ahead::new(file, log_id, dek, self.shared.spread, start);
        loop {
            match ahead.next()? {
                (offset, Seen::End) => {
                    self.end_open(offset);
                    return Ok(());
                }
                (_, Seen::Frame(frame, inside)) => {
                    let in_place = self.take(&frame, inside);
                    self.tell_progress(&frame)?;
                    // A close link out of place ends nothing: the true one may still come.
                    if in_place && matches!(frame.link.body, Body::Close(_)) {
                        return self.end_closed(frame.end());
                    }
                }
                (offset, Seen::Damage(damage, link)) => {
                    let place = Place {
                        offset,
                        damage,
                        link,
                    };
                    match self.damaged(&place)? {
                        Some(next) => ahead.go_to(next),
                        None => return Ok(()),
                    }
                }
            }
        }
    }

    /// Takes a whole frame; gives whether it is where it should be.
    /// The chain first, then the header, then the root: each finding has one cause.
    fn take(&mut self, frame: &Frame, inside: Inside) -> bool {
        // Written only where something is to be said: there are very many frames.
        let at = || format!("byte {}, link {}", frame.offset, frame.link.head.number);
        let input = self.input;
        let place = || format!("{}, {}", input.name, at());
        let taken = self.state.take(&frame.link, &frame.link_bytes);
        let in_place = !matches!(taken, Taken::Misplaced(_));
        match taken {
            Taken::Follows | Taken::Misplaced(None) => {}
            Taken::Flawed(flaw) => {
                self.flaw(&at(), Step::Links, &flaw);
                self.lose_entries();
            }
            Taken::Misplaced(Some(flaw)) => self.flaw(&at(), Step::Links, &flaw),
        }
        if !in_place {
            return false;
        }
        // The header was as the chain asks for, so its digest is what this close link must state.
        if let Some(header) = &self.header
            && let Some(flaw) = header_flaw(&frame.link, header)
        {
            self.flaw(&at(), Step::Links, &flaw);
            self.state.doubt = Doubt::Head;
        }
        self.shared.compare_root(self.state, place);
        if let Some(deep) = &mut self.shared.deep {
            deep.take(frame, inside, &mut self.shared.findings, &place());
        }
        true
    }

    /// Counts what was read, misplaced frames too.
    fn tell_progress(&mut self, frame: &Frame) -> io::Result<()> {
        let counts = &mut self.shared.counts;
        counts.links += 1;
        counts.bytes += frame.end() - frame.offset;
        if let Body::Batch(body) = &frame.link.body {
            counts.entries += u64::from(body.entry_count);
        }
        let progress = Progress {
            segment: self.input.number,
            segments: self.shared.segments,
            counts: *counts,
            sound_links: self.shared.sound_links,
        };
        match (self.shared.progress)(&progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(io::Error::new(io::ErrorKind::Interrupted, "stopped")),
        }
    }

    // ── Ends ────────────────────────────────────────────────────────────────────────────

    /// The file ends where a frame could begin. In the last segment that is how an active one ends;
    /// whether links lack there is for the checkpoint's size to say.
    fn end_open(&mut self, end: u64) {
        if self.input.last {
            return;
        }
        self.altered(
            &format!("byte {end}"),
            "a segment that is not the last has no close link",
            "a close link",
            "the end of the file",
        );
        self.state.lose_place();
    }

    /// Nothing is ever written behind a close link; bytes there could be shown to somebody as
    /// entries.
    fn end_closed(&mut self, end: u64) -> io::Result<()> {
        let behind = self.input.file.length()? - end;
        if behind > 0 {
            self.bytes_behind(end, behind);
        }
        Ok(())
    }

    pub(super) fn bytes_behind(&mut self, end: u64, behind: u64) {
        self.altered(
            &format!("byte {end}"),
            "bytes behind the close link",
            "the end of the file",
            format!("{behind} bytes"),
        );
    }

    // ── Findings ────────────────────────────────────────────────────────────────────────

    fn altered(&mut self, at: &str, what: &str, expected: impl ToString, found: impl ToString) {
        let place = format!("{}, {at}", self.input.name);
        let mut place = self.shared.findings.at(Step::Links, place);
        place.altered(what, expected, found);
    }

    fn flaw(&mut self, at: &str, step: Step, flaw: &Flaw) {
        let place = format!("{}, {at}", self.input.name);
        let mut place = self.shared.findings.at(step, place);
        place.altered(flaw.what, &flaw.expected, &flaw.found);
    }

    /// The index of this segment cannot be compared any more.
    pub(super) fn lose_entries(&mut self) {
        if let Some(deep) = &mut self.shared.deep {
            deep.lose();
        }
    }
}
