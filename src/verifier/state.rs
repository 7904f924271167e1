//! Where the check of a log stands: the chain so far, and how far it can be relied on after a
//! finding.
//!
//! After a finding the check goes on, and takes from what follows as much as the finding has
//! put in doubt, so that one alteration is one finding and not one for every later link.

use crate::chain::{Body, Chain, Flaw, Link, Sums};
use crate::checkpoint::Checkpoint;
use crate::digest::Digest;
use crate::format::header::Header;
use crate::ids::{EntryIndex, LinkNumber, LogId, SegmentNumber};
use crate::sequencer::Sequencer;
use crate::time::Timestamp;

/// What a finding has put in doubt.
///
/// It grows with findings and shrinks with each link or header that follows as far as can be told.
/// While there is any, no place to go on from is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// Nothing: the next link must follow.
    None,
    /// What the last link says: the next link's number must follow, its bytes that depend on
    /// the last link's are taken as they are.
    /// What depends on it: `previous`, the sync, and the first entry of a batch.
    Head,
    /// Which link comes next: it is taken as it is.
    /// Frames were lost, and with them the count; the next link or header says where the log goes
    /// on.
    Place,
}

/// How a whole frame's link was taken.
#[derive(Debug)]
pub(super) enum Taken {
    /// It follows, as far as that can still be told.
    Follows,
    /// It does not follow; the check goes on behind it.
    Flawed(Flaw),
    /// Its place is elsewhere; the check goes on as if it were not there. Nothing is to be said
    /// where something was said of the frame before.
    /// A frame copied here from elsewhere, for instance: taken at its word, it would make every
    /// true link behind it look wrong.
    Misplaced(Option<Flaw>),
}

/// What a checkpoint's root vouches for.
/// Noted once, at the one place where the tree is as large as the checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signed {
    /// The checkpoint's size.
    pub(super) links: LinkNumber,
    /// Index behind the last entry under it.
    pub(super) entries_end: EntryIndex,
    /// Segments closed under it.
    pub(super) closed: SegmentNumber,
    /// When its last link was committed; none if it covers no link.
    pub(super) committed_at: Option<Timestamp>,
}

/// Where the check of a log stands. Between segments it is all that the next one needs.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) sequencer: Sequencer,
    pub(super) doubt: Doubt,
    /// Whether all links of the segment so far were seen, so that its close link can be
    /// compared with their sums.
    sums_hold: bool,
    /// Whether all links so far were seen, so that the tree's root can be compared.
    /// Once false it stays so: a tree with a leaf that was not seen is never whole again.
    tree_holds: bool,
    /// What was found to be under the checkpoint.
    /// None until the root was compared and found to be the checkpoint's.
    pub(super) signed: Option<Signed>,
}

impl State {
    /// At the start of a log, or where an earlier check has ended without a finding.
    pub(super) fn at(sequencer: Sequencer) -> Self {
        Self {
            sequencer,
            doubt: Doubt::None,
            sums_hold: true,
            tree_holds: true,
            signed: None,
        }
    }

    pub(super) fn chain(&self) -> &Chain {
        &self.sequencer.chain
    }

    pub(super) fn log_id(&self) -> LogId {
        self.sequencer.chain.log_id
    }

    /// Whether every link so far was seen and follows.
    pub(super) fn is_sound(&self) -> bool {
        self.tree_holds && self.doubt == Doubt::None
    }

    /// Whether the numbers of links and entries are those that the log has.
    pub(super) fn knows_place(&self) -> bool {
        self.doubt != Doubt::Place
    }

    /// Links were lost.
    /// The tree too: without the lost links' leaves no root can be made.
    pub(super) fn lose_place(&mut self) {
        self.doubt = Doubt::Place;
        self.sums_hold = false;
        self.tree_holds = false;
    }

    /// Takes a link.
    ///
    /// Three questions in turn: does it follow; if not, is it out of place; if not, is that excused
    /// by what is in doubt already.
    pub(super) fn take(&mut self, link: &Link, bytes: &[u8]) -> Taken {
        self.lend_sums(link);
        let Err(flaw) = self.sequencer.accept(link, bytes) else {
            self.settle(link);
            return Taken::Follows;
        };
        // A link that holds the last one's hash stands where it should, whatever its number.
        let in_place = link.head.previous == self.chain().head && self.doubt == Doubt::None;
        let lost = self.doubt == Doubt::Place;
        let elsewhere = link.head.segment != self.chain().segment;
        let further_up = link.head.number < self.chain().next_link && !lost;
        if !in_place && (elsewhere || further_up) {
            // The link is skipped, so the chain is where it was; but whether the next one fits
            // there is open.
            self.doubt = Doubt::Place;
            return Taken::Misplaced((!lost).then_some(flaw));
        }
        let excused = match self.doubt {
            Doubt::None => false,
            Doubt::Head => self.follows_but_for_head(link, bytes),
            Doubt::Place => true,
        };
        let number = if in_place {
            self.chain().next_link
        } else {
            link.head.number
        };
        self.jump(link, bytes, number);
        if excused {
            self.settle(link);
            return Taken::Follows;
        }
        self.doubt = Doubt::Head;
        Taken::Flawed(flaw)
    }

    /// Takes the link of a damaged frame, if it follows; the next one then need not fit its
    /// bytes, which may be what is damaged.
    ///
    /// Its bytes are encoded anew, which gives the bytes read, since decoding is strict. False: it
    /// says nothing, and the caller loses the place.
    pub(super) fn take_damaged(&mut self, link: &Link) -> bool {
        self.lend_sums(link);
        let follows = self.sequencer.accept(link, &link.encode()).is_ok();
        if follows {
            self.settle(link);
            self.doubt = Doubt::Head;
        }
        follows
    }

    /// Goes on in the segment of this number, whether the one before was closed or not.
    ///
    /// Only in doubt: otherwise the chain knows which segment comes, and a header that says another
    /// is a flaw.
    pub(super) fn begin(&mut self, number: SegmentNumber) {
        if self.doubt == Doubt::Place {
            self.sequencer.chain.segment = number;
        }
    }

    /// Takes from a header what is in doubt; gives what does not fit.
    ///
    /// After a loss the header is where the check finds its feet again: numbers, entries and
    /// `previous` are all in it. What the segment's own links then say is held against it.
    pub(super) fn enter(&mut self, header: &Header) -> Option<Flaw> {
        let fixed = &header.fixed;
        let chain = &mut self.sequencer.chain;
        match self.doubt {
            Doubt::Place => {
                chain.next_link = fixed.first_link;
                chain.next_entry = fixed.first_entry;
                chain.head = fixed.previous;
                chain.sums = Sums::from(fixed.first_link, fixed.first_entry);
                self.sums_hold = true;
                self.doubt = Doubt::Head;
            }
            Doubt::Head => chain.head = fixed.previous,
            Doubt::None => {}
        }
        super::check_header(header, &self.sequencer.chain)
            .err()
            // The links may go with this header or with the chain before it: either is taken, and
            // no root is compared any more.
            .inspect(|_| {
                self.doubt = Doubt::Head;
                self.tree_holds = false;
            })
    }

    /// Compares the root where the checkpoint ends; gives both if they differ.
    pub(super) fn compare_root(&mut self, checkpoint: &Checkpoint) -> Option<(Digest, Digest)> {
        let tree = &self.sequencer.tree;
        if !self.tree_holds || self.signed.is_some() || tree.size() != checkpoint.size {
            return None;
        }
        let root = tree.root();
        if root != checkpoint.root {
            self.doubt = Doubt::Head;
            self.tree_holds = false;
            return Some((checkpoint.root, root));
        }
        let chain = self.chain();
        self.signed = Some(Signed {
            links: checkpoint.size,
            entries_end: chain.next_entry,
            closed: chain.segment,
            committed_at: chain.last_sync.map(|(time, _)| time),
        });
        None
    }

    /// A link that follows takes all doubt away; a close link also begins new sums.
    fn settle(&mut self, link: &Link) {
        self.doubt = Doubt::None;
        if matches!(link.body, Body::Close(_)) {
            self.sums_hold = true;
        }
    }

    /// Where links of the segment were not seen, its sums are the close link's word alone.
    /// The close link then agrees with itself, which is the most that can be checked.
    fn lend_sums(&mut self, link: &Link) {
        if let (Body::Close(body), false) = (&link.body, self.sums_hold) {
            self.sequencer.chain.sums = Sums {
                first_link: body.first_link,
                first_entry: body.first_entry,
                entry_count: body.entry_count,
                times: (body.entry_count > 0).then_some((body.earliest, body.latest)),
            };
        }
    }

    /// On a copy, in which all that hung on the last link is as this one would have it.
    fn follows_but_for_head(&self, link: &Link, bytes: &[u8]) -> bool {
        let mut chain = self.chain().clone();
        chain.head = link.head.previous;
        chain.last_sync = Some(sync_before(link));
        if let Body::Batch(body) = &link.body {
            chain.next_entry = body.first_entry;
        }
        chain.accept(link, bytes).is_ok()
    }

    /// Goes on behind a link that does not follow, as if it were right.
    ///
    /// `number` is the place that it was given: its own word, unless its `previous` shows that it
    /// stands where it should.
    fn jump(&mut self, link: &Link, bytes: &[u8], number: LinkNumber) {
        let chain = &mut self.sequencer.chain;
        match &link.body {
            Body::Batch(body) => {
                chain.next_entry = body.first_entry + u64::from(body.entry_count);
                // So that the next link's accept gives this entry index.
                chain.sums = Sums {
                    entry_count: chain.next_entry,
                    ..Sums::from(number, 0)
                };
            }
            Body::Close(body) => {
                chain.next_entry = body.first_entry + body.entry_count;
                chain.sums = Sums::from(number + 1, chain.next_entry);
                chain.segment += 1;
                chain.index_key = Some(body.index_key);
            }
            Body::Reserved { .. } => {}
        }
        chain.next_link = number + 1;
        chain.head = Digest::leaf(&[bytes]);
        chain.last_sync = Some((link.head.committed_at, link.head.sync_position));
        self.sums_hold = false;
        self.tree_holds = false;
    }
}

/// A sync after which the link's own would be right.
fn sync_before(link: &Link) -> (Timestamp, u32) {
    let head = &link.head;
    match head.sync_position.checked_sub(1) {
        Some(before) => (head.committed_at, before),
        None => (head.committed_at.plus_micros(-1), 0),
    }
}
