//! Damage in a segment: what it is, and where the check goes on behind it.
//!
//! Two questions are kept apart. Is it a finding? Only a torn tail is none. And how much of what
//! follows can still be relied on? A payload that was changed leaves its link standing; a link that
//! cannot be read takes with it the knowledge of where the log stands.

use std::io;

use super::coverage::{Gap, Tail};
use super::segment::{Place, Torn, torn_tail};
use super::walk::Walk;
use crate::chain::{Body, Link};
use crate::finding::{Step, Verdict};
use crate::format::frame::{Damage, Frame, ReadAt, find_frame};

impl<R: ReadAt + Sync + ?Sized> Walk<'_, '_, R> {
    /// Says what damage is; gives where the next whole frame begins, if any does.
    pub(super) fn damaged(&mut self, place: &Place) -> io::Result<Option<u64>> {
        // Only the last segment can have a torn tail: each before it was closed, and its close
        // synced, before the next began.
        let why = match self.input.last {
            true => match self.torn(place)? {
                None => return Ok(None),
                Some(why) => format!("; {why}"),
            },
            false => String::new(),
        };
        let next = find_frame(self.input.file, place.offset, &self.state.log_id())?;
        let link = self.state.chain().next_link;
        let at = format!("byte {}", place.offset);
        // Cut off rather than changed, and below the checkpoint: this is what `TRUNCATED` is for.
        if next.is_none() && place.damage == Damage::Short && self.ends_early() {
            self.truncated(&at, &format!("the log ends within link {link}"));
            return Ok(None);
        }
        let step = match (&place.damage, place.link.as_ref().map(|link| &link.body)) {
            // The step is that of what is lost: a subject index, entries, or the chain itself.
            (Damage::Digest, Some(Body::Close(_))) => Step::Subject,
            (Damage::Digest, _) => Step::Entries,
            _ => Step::Links,
        };
        let behind = match &next {
            Some(frame) => format!("link {} is the next whole one", frame.link.head.number),
            None => "no whole one is behind it".into(),
        };
        let found = format!("{}; {behind}{why}", place.damage);
        let mut at = self
            .shared
            .findings
            .at(step, format!("{}, {at}", self.input.name));
        at.altered("no whole frame", format!("link {link}"), found);
        self.lose_entries();
        self.resume(place, next)
    }

    /// Where the check goes on behind damage.
    ///
    /// The link of a damaged frame is taken only if it follows the chain in every field: then its
    /// numbers are right, whatever became of the payload.
    fn resume(&mut self, place: &Place, next: Option<Frame>) -> io::Result<Option<u64>> {
        let readable = matches!(place.damage, Damage::Digest | Damage::Length);
        let link = place.link.as_deref().filter(|_| readable);
        let taken = link.is_some_and(|link| self.state.take_damaged(link));
        if !taken {
            self.state.lose_place();
        } else if matches!(
            link,
            Some(Link {
                body: Body::Close(_),
                ..
            })
        ) {
            // The close link ends its segment, damaged or not; frames behind it are bytes behind
            // it.
            if let Some(frame) = &next {
                let behind = self.input.file.length()? - frame.offset;
                self.bytes_behind(frame.offset, behind);
            }
            return Ok(None);
        }
        Ok(next.map(|frame| frame.offset))
    }

    /// Damage in the last segment: nothing if it is no finding, or else why it is one.
    ///
    /// Without a checkpoint the same damage may be an alteration of what was acknowledged, and the
    /// report says that it cannot tell.
    pub(super) fn torn(&mut self, place: &Place) -> io::Result<Option<&'static str>> {
        let chain = self.state.chain();
        let size = self.checkpoint_size();
        if let Torn::No(why) = torn_tail(self.input.file, place, chain, size)? {
            return Ok(Some(why));
        }
        let tail = Tail {
            segment: self.input.number,
            offset: place.offset,
            bytes: self.input.file.length()? - place.offset,
            link: chain.next_link,
        };
        self.shared.tail = Some(match self.shared.checkpoint {
            Some(_) => Gap::TornTail(tail),
            None => Gap::CannotTell(tail),
        });
        Ok(None)
    }

    /// Whether a log that ends here has fewer links than its checkpoint.
    pub(super) fn ends_early(&self) -> bool {
        let size = self.checkpoint_size();
        self.input.last && self.state.knows_place() && size > self.state.chain().next_link
    }

    /// 0 without a checkpoint: then nothing is known to have been signed.
    fn checkpoint_size(&self) -> u64 {
        let checkpoint = self.shared.checkpoint;
        checkpoint.map_or(0, |checkpoint| checkpoint.size)
    }

    /// The place is lost, so that the check of the length at the end does not say it again.
    pub(super) fn truncated(&mut self, at: &str, what: &str) {
        let expected = format!("{} links", self.checkpoint_size());
        let found = format!("{} links", self.state.chain().next_link);
        let place = format!("{}, {at}", self.input.name);
        let mut place = self.shared.findings.at(Step::Links, place);
        place.add(Verdict::Truncated, what, expected, found);
        self.state.lose_place();
    }
}
