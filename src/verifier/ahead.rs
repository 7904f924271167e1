//! Frames read ahead: whatever of a frame's check needs no other frame is done for several at
//! once, so that only what follows from the order is left to be done in order.
//!
//! Memory holds the facts of two windows of frames, and the payloads of those at work.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, OnceLock};

use super::open::{OpenError, open_entries, open_subjects};
use crate::chain::{BatchBody, Body, Link};
use crate::envelope::Dek;
use crate::format::frame::{
    Damage, Found, Frame, ReadAt, payload_digests, read_frame, read_payload,
};
use crate::format::subject_index::SubjectIndex;
use crate::ids::{EntryIndex, LogId, SubjectId};
use crate::postings::Posting;

/// Does independent pieces of work: calls the piece once for each number below the count, in any
/// order, on as many cores as its maker gives, and comes back when all are done. The verifier
/// itself spawns nothing.
pub type Spread<'a> = &'a (dyn Fn(usize, &(dyn Fn(usize) + Sync)) + Sync);

/// One piece after another, on the caller's own core.
pub fn one_by_one(count: usize, piece: &(dyn Fn(usize) + Sync)) {
    (0..count).for_each(piece);
}

/// Frames of a window: enough that cores which take them one by one end at about the same time,
/// and that starting them costs little beside their work.
///
/// Bounds memory together with the two below: the window ends at whichever comes first, so that it
/// passes the bytes by one frame at most.
const WINDOW_FRAMES: usize = 1024;
/// Frames of the first window of all: no core hashes anything while it is listed.
const FIRST_FRAMES: usize = 32;
/// Payload bytes of a window whose payloads are only hashed.
const HASHED_BYTES: usize = 128 << 20;
/// Payload bytes of a window whose payloads are opened: what they hold is kept until its turn.
const OPENED_BYTES: usize = 16 << 20;

/// What stands at a place of the file.
pub(super) enum Seen {
    /// A whole frame, and what its payload holds.
    Frame(Box<Frame>, Inside),
    /// No whole frame, and the link, if it can still be read.
    Damage(Damage, Option<Box<Link>>),
    /// The end of the file.
    End,
}

/// What a whole frame's payload holds.
pub(super) enum Inside {
    /// Nothing that can be opened here.
    /// Without a DEK this is all of them; the payload was hashed, and has the link's digest.
    Sealed,
    /// A batch's.
    /// An error is a finding, not an end: the frame itself is whole.
    Batch(Result<OpenedBatch, OpenError>),
    /// A subject index.
    Index(Result<SubjectIndex, OpenError>),
}

/// What the subject index says of a batch's entries.
#[derive(Default)]
pub(super) struct OpenedBatch {
    /// Each subject's entries, ascending.
    pub(super) lists: HashMap<SubjectId, Vec<Posting>>,
    /// Erased entries: whom they named is not known.
    pub(super) erased: Vec<EntryIndex>,
}

/// Frames of one segment, in order.
pub(super) struct Ahead<'a, R: ?Sized> {
    file: &'a R,
    log_id: LogId,
    /// Opens payloads, if they are to be opened.
    /// Shared with the threads of `spread`; of one segment, and so of one DEK.
    dek: Option<Arc<Dek>>,
    spread: Spread<'a>,
    /// Where the next window begins.
    /// While a window is being handed out this is already behind it.
    next: u64,
    /// Its frames, if they were listed already.
    listed: Option<io::Result<Listed>>,
    /// The rest of the window that was looked into, each with its place. What is no frame is the
    /// last of it.
    window: VecDeque<(u64, Seen)>,
}

/// The frames of a window, their payloads not yet looked at.
#[expect(
    clippy::vec_box,
    reason = "a frame is made in its box, and goes on in it"
)]
struct Listed {
    /// In the order of the file. A close link is the last of its window, since what lies behind it
    /// is looked at only if the link was out of place.
    frames: Vec<Box<Frame>>,
    /// What stands behind them, if that is no frame.
    end: Option<Seen>,
    /// Where it stands, or where the next window begins.
    behind: u64,
}

impl<'a, R: ReadAt + Sync + ?Sized> Ahead<'a, R> {
    /// Nothing is read before the first `next`.
    pub(super) fn new(
        file: &'a R,
        log_id: LogId,
        dek: Option<Arc<Dek>>,
        spread: Spread<'a>,
        start: u64,
    ) -> Self {
        Self {
            file,
            log_id,
            dek,
            spread,
            next: start,
            listed: None,
            window: VecDeque::new(),
        }
    }

    /// Goes on at another place.
    /// Whatever was read ahead is of no use: behind damage, where frames begin is found anew.
    pub(super) fn go_to(&mut self, offset: u64) {
        self.window.clear();
        self.listed = None;
        self.next = offset;
    }

    /// What comes next, and where it stands.
    pub(super) fn next(&mut self) -> io::Result<(u64, Seen)> {
        if self.window.is_empty() {
            self.fill()?;
        }
        Ok(self.window.pop_front().unwrap_or((self.next, Seen::End)))
    }

    /// Looks into the frames of a window, and meanwhile lists those of the next.
    fn fill(&mut self) -> io::Result<()> {
        let listed = match self.listed.take() {
            Some(listed) => listed,
            None => self.list(self.next, FIRST_FRAMES),
        };
        let Listed {
            frames,
            end,
            behind,
        } = listed?;
        let shares = self.shares(&frames);
        let done: Vec<OnceLock<_>> = shares.iter().map(|_| OnceLock::new()).collect();
        let following = OnceLock::new();
        // The longest first, so that the cores end together: the list takes as long as several
        // payloads, and the last frame may be a close link with the subject index of them all.
        (self.spread)(shares.len() + 1, &|n| match n.checked_sub(1) {
            None if end.is_none() => {
                // Its error waits for its turn: all of this window comes first.
                let _ = following.set(self.list(behind, WINDOW_FRAMES));
            }
            None => {}
            Some(n) => {
                let n = n.checked_sub(1).unwrap_or(shares.len() - 1);
                let _ = done[n].set(self.look_inside(shares[n]));
            }
        });
        self.next = behind;
        self.listed = following.into_inner();
        let mut insides = Vec::with_capacity(frames.len());
        for inside in done {
            // Only if `spread` breaks its promise to call each piece.
            let unseen = || Err(io::Error::other("a frame was not looked at"));
            insides.extend(inside.into_inner().unwrap_or_else(unseen)?);
        }
        for (frame, inside) in frames.into_iter().zip(insides) {
            let offset = frame.offset;
            let seen = match inside {
                Some(inside) => Seen::Frame(frame, inside),
                None => Seen::Damage(Damage::Digest, Some(Box::new(frame.link))),
            };
            self.window.push_back((offset, seen));
        }
        self.window.extend(end.map(|end| (behind, end)));
        Ok(())
    }

    /// The frames of the window that begins at an offset, at most so many.
    /// Reads links and passes over payloads; so it takes one short read a frame.
    fn list(&self, offset: u64, most_frames: usize) -> io::Result<Listed> {
        let mut listed = Listed {
            frames: Vec::new(),
            end: None,
            behind: offset,
        };
        let most = match self.dek {
            Some(_) => OPENED_BYTES,
            None => HASHED_BYTES,
        };
        let mut bytes = 0;
        while listed.frames.len() < most_frames && bytes < most {
            match read_frame(self.file, listed.behind, &self.log_id, false)? {
                Found::Frame(frame) => {
                    listed.behind = frame.end();
                    bytes += frame.payload_length;
                    let closes = matches!(frame.link.body, Body::Close(_));
                    listed.frames.push(frame);
                    if closes {
                        break;
                    }
                }
                Found::Damage(damage, link) => {
                    listed.end = Some(Seen::Damage(damage, link));
                    break;
                }
                Found::End => {
                    listed.end = Some(Seen::End);
                    break;
                }
            }
        }
        Ok(listed)
    }

    /// Frames that are looked into together: two, where their payloads are only hashed. The last one
    /// is alone.
    fn shares<'f>(&self, frames: &'f [Box<Frame>]) -> Vec<&'f [Box<Frame>]> {
        let (rest, last) = frames.split_at(frames.len().saturating_sub(1));
        let together = if self.dek.is_none() { 2 } else { 1 };
        rest.chunks(together).chain(last.chunks(1)).collect()
    }

    /// What the payload of each frame holds; `None` if it has not the link's digest.
    /// Runs on any thread of `spread`; needs no frames but these.
    fn look_inside(&self, frames: &[Box<Frame>]) -> io::Result<Vec<Option<Inside>>> {
        if let Some(dek) = &self.dek {
            let opened = frames.iter().map(|frame| self.open_payload(frame, dek));
            return opened.collect();
        }
        let digests = payload_digests(self.file, frames)?;
        let hashed = frames.iter().zip(&digests);
        let inside = hashed.map(|(frame, digest)| frame.fits(digest).then_some(Inside::Sealed));
        Ok(inside.collect())
    }

    /// Opens a frame's payload.
    fn open_payload(&self, frame: &Frame, dek: &Dek) -> io::Result<Option<Inside>> {
        if frame.link.payload().is_none() {
            return Ok(Some(Inside::Sealed));
        }
        let Some(payload) = read_payload(self.file, frame)? else {
            return Ok(None);
        };
        Ok(Some(match &frame.link.body {
            Body::Batch(body) => Inside::Batch(open(&frame.link, body, &payload, dek)),
            Body::Close(body) => Inside::Index(open_subjects(&frame.link, body, &payload, dek)),
            Body::Reserved { .. } => Inside::Sealed,
        }))
    }
}

/// Lists are made here, on the cores, so that the walk in order only joins them.
fn open(
    link: &Link,
    body: &BatchBody,
    payload: &[u8],
    dek: &Dek,
) -> Result<OpenedBatch, OpenError> {
    let mut opened = OpenedBatch::default();
    open_entries(link, body, payload, dek, |position, facts| {
        let entry = body.first_entry + position as u64;
        let Some(facts) = facts else {
            opened.erased.push(entry);
            return;
        };
        for subject in facts.subjects {
            let list = opened.lists.entry(subject).or_default();
            list.push((entry, facts.time));
        }
    })?;
    Ok(opened)
}
