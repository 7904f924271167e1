//! Damage in a segment: what it is, and where the check goes on behind it.

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
        if next.is_none() && place.damage == Damage::Short && self.ends_early() {
            self.truncated(&at, &format!("the log ends within link {link}"));
            return Ok(None);
        }
        let step = match (&place.damage, place.link.as_ref().map(|link| &link.body)) {
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
        Ok(self.resume(place, next))
    }

    /// Where the check goes on behind damage.
    fn resume(&mut self, place: &Place, next: Option<Frame>) -> Option<u64> {
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
            if let Some(frame) = &next {
                let behind = self.input.file.length() - frame.offset;
                self.bytes_behind(frame.offset, behind);
            }
            return None;
        }
        next.map(|frame| frame.offset)
    }

    /// Damage in the last segment: nothing if it is no finding, or else why it is one.
    pub(super) fn torn(&mut self, place: &Place) -> io::Result<Option<&'static str>> {
        let chain = self.state.chain();
        let size = self.checkpoint_size();
        if let Torn::No(why) = torn_tail(self.input.file, place, chain, size)? {
            return Ok(Some(why));
        }
        let tail = Tail {
            segment: self.input.number,
            offset: place.offset,
            bytes: self.input.file.length() - place.offset,
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

    fn checkpoint_size(&self) -> u64 {
        let checkpoint = self.shared.checkpoint;
        checkpoint.map_or(0, |checkpoint| checkpoint.size)
    }

    pub(super) fn truncated(&mut self, at: &str, what: &str) {
        let expected = format!("{} links", self.checkpoint_size());
        let found = format!("{} links", self.state.chain().next_link);
        let place = format!("{}, {at}", self.input.name);
        let mut place = self.shared.findings.at(Step::Links, place);
        place.add(Verdict::Truncated, what, expected, found);
        self.state.lose_place();
    }
}
