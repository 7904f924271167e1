//! Step 4: the links, their chain as far as it is shown, and the log tree.
//!
//! Not all links are shown, so the rules of `chain` cannot be run link by link. What is checked
//! instead follows from them for any two links of a log: numbers and the log tree fix each link's
//! place, close links fix the segments, and between two shown links entry indexes and syncs may
//! only go forward. Since the tree proves that a link's bytes are the ones signed, these checks are
//! about the signer: a log that breaks its own rules is found even under a sound signature.

use std::collections::{BTreeMap, BTreeSet};

use super::super::PROOF;
use super::super::finding::{Findings, Place, Step};
use super::super::proof::Proof;
use super::super::report::{Counts, Coverage, Extent};
use super::Log;
use crate::chain::{BatchBody, Body, CloseBody, Head, Link};
use crate::checkpoint::Checkpoint;
use crate::digest::{self, Digest};
use crate::ids::{EntryIndex, LinkNumber, LogId, Origin};
use crate::merkle::partial;

/// A close link.
pub(super) struct Close {
    pub(super) head: Head,
    pub(super) body: CloseBody,
}

impl Close {
    /// Index behind the segment's last entry.
    pub(super) fn entries_end(&self) -> EntryIndex {
        // Decoding has bounded the sum.
        self.body.first_entry + self.body.entry_count
    }
}

/// The links that were shown, as far as they could be read.
pub(super) struct Links {
    /// By the checkpoint's origin, or the proof's where there is no checkpoint; none if neither is
    /// an origin. The tag proof is bound to it.
    pub(super) log_id: Option<LogId>,
    /// By the number that the proof gives them, which is the leaf's place in the tree; a link that
    /// states another number was found. Bytes that are no link are not among them.
    links: BTreeMap<LinkNumber, Link>,
    /// By link number. Whether their segments ascend too is for `check_closes`.
    pub(super) closes: Vec<Close>,
}

/// Step 4. Everything here can be said without the payloads and without a secret.
pub(super) fn check(log: &Log<'_>, findings: &mut Findings) -> Links {
    let mut place = findings.at(Step::Links, log.context.path(PROOF));
    let origin = match &log.checkpoint {
        Some(checkpoint) => Some(checkpoint.origin.clone()),
        None => Origin::parse_log(&log.proof.origin).ok(),
    };
    let log_id = origin.map(|origin| digest::log_id(&origin));
    let links = Links::read(&log.proof, log_id, &mut place);
    check_syncs(&log.proof, &links, &mut place);
    // Without a checkpoint there is no size and no root, and its lack is a finding of step 2; links
    // that fit each other are still worth checking.
    if let Some(checkpoint) = &log.checkpoint {
        check_root(&log.proof, checkpoint, &mut place);
        check_last(&links, checkpoint, &mut place);
    }
    check_closes(&links, &mut place);
    check_entry_indexes(&links, &mut place);
    check_batches(&log.proof, &links, &mut place);
    links
}

impl Links {
    fn read(proof: &Proof, log_id: Option<LogId>, place: &mut Place<'_>) -> Self {
        let mut links = BTreeMap::new();
        for shown in &proof.links {
            let mut place = place.inside(format_args!("link {}", shown.number));
            let link = match Link::decode(&shown.bytes) {
                Ok(link) => link,
                Err(error) => {
                    place.altered("no link", "a link of version 1", error);
                    continue;
                }
            };
            // The proof's number is the leaf's place; the link's own must agree, or a link could be
            // shown in another's place by whoever signs the tree.
            place.equal("its number", shown.number, link.head.number);
            if let Some(log_id) = log_id {
                place.equal("its log id", log_id, link.head.log_id);
            }
            links.insert(shown.number, link);
        }
        let close = |link: &Link| match &link.body {
            Body::Close(body) => Some(Close {
                head: link.head,
                body: *body,
            }),
            _ => None,
        };
        let closes = links.values().filter_map(close).collect();
        Self {
            log_id,
            links,
            closes,
        }
    }

    /// A batch link.
    pub(super) fn batch(&self, number: LinkNumber) -> Option<&BatchBody> {
        match &self.links.get(&number)?.body {
            Body::Batch(body) => Some(body),
            _ => None,
        }
    }

    /// Index behind the last entry of the closed segments.
    fn closed_end(&self) -> EntryIndex {
        self.closes.last().map_or(0, Close::entries_end)
    }

    /// Number of the segment behind the closed ones.
    fn active_segment(&self) -> u64 {
        self.closes.last().map_or(0, |close| close.head.segment + 1)
    }

    /// Step 8: how far the closed segments reach, and what lies behind them.
    pub(super) fn cover(&self, folder: &str, coverage: &mut Vec<Coverage>, counts: &mut Counts) {
        let log = || folder.to_owned();
        let extent = Extent::Covered {
            segments: self.closes.len() as u64,
            entries_end: self.closed_end(),
            committed_at: self.closes.last().map(|close| close.head.committed_at),
        };
        coverage.push(Coverage { log: log(), extent });
        let entries_end = match self.links.last_key_value().map(|(_, link)| &link.body) {
            // The log's last link is always shown: where it is a close link, nothing lies behind
            // the closed segments.
            None | Some(Body::Close(_)) => return,
            Some(Body::Batch(body)) => Some(body.first_entry + u64::from(body.entry_count)),
            // Erasures hold no entries of their own; how far the segment goes is not known from
            // here.
            Some(Body::Reserved { .. }) => None,
        };
        counts.not_covered = true;
        let first_entry = self.closed_end();
        let extent = Extent::NotCovered {
            first_entry,
            entries_end,
        };
        coverage.push(Coverage { log: log(), extent });
    }
}

/// `previous` where both links are shown; times do not run back; and of any two links, those
/// with one time are of one sync and the later of two syncs began behind the earlier. Where
/// both are neighbours, this is the rule for neighbours.
///
/// The close links are always among them, so nothing can be dated back past the close of the
/// segment before, nor forward past the close of its own.
fn check_syncs(proof: &Proof, links: &Links, place: &mut Place<'_>) {
    let bytes: BTreeMap<_, _> = proof
        .links
        .iter()
        .map(|link| (link.number, &link.bytes))
        .collect();
    let mut last: Option<&Head> = None;
    for (number, link) in &links.links {
        let mut place = place.inside(format_args!("link {number}"));
        let before = match number.checked_sub(1) {
            None => Some(Digest::ZERO),
            Some(before) => bytes.get(&before).map(|bytes| Digest::leaf(&[bytes])),
        };
        if let Some(expected) = before {
            place.equal("previous", expected, link.head.previous);
        }
        if let Some(last) = last {
            let expected = format!("what goes on with or comes after {}", sync(last));
            if !follows(last, &link.head) {
                place.altered("its sync", expected, sync(&link.head));
            }
        }
        last = Some(&link.head);
    }
}

/// For two links of which any number may lie between. A sync is named by its first link's number.
fn follows(last: &Head, next: &Head) -> bool {
    // A link's sync_position is at most its number, and numbers ascend here.
    let begin = |head: &Head| head.number.saturating_sub(u64::from(head.sync_position));
    let same_sync = next.committed_at == last.committed_at && begin(next) == begin(last);
    let later_sync = next.committed_at > last.committed_at && begin(next) > last.number;
    same_sync || later_sync
}

/// For a finding's words.
fn sync(head: &Head) -> String {
    format!(
        "link {} at {}, position {}",
        head.number, head.committed_at, head.sync_position
    )
}

/// All shown links are known leaves, so the root holds only if each stands where its number says.
/// Order, repetition and a number past the size are the partial tree's errors.
fn check_root(proof: &Proof, checkpoint: &Checkpoint, place: &mut Place<'_>) {
    let leaf = |bytes: &[u8]| Digest::leaf(&[bytes]);
    let known: Vec<_> = proof
        .links
        .iter()
        .map(|link| (link.number, leaf(&link.bytes)))
        .collect();
    match partial::root(checkpoint.size, &known, &proof.tree) {
        Ok(root) => place.equal("the root of the log tree", checkpoint.root, root),
        Err(error) => place.altered("the log tree", checkpoint.root, error),
    }
}

/// The last link is there, and in the last segment closed or in the one after.
///
/// It bounds the active segment: a close link left out at the end would leave the last link in a
/// segment more than one past the last that is shown.
fn check_last(links: &Links, checkpoint: &Checkpoint, place: &mut Place<'_>) {
    let Some(last) = checkpoint.size.checked_sub(1) else {
        return;
    };
    let Some(link) = links.links.get(&last) else {
        return place.missing("the log's last link", format_args!("link {last}"));
    };
    if !matches!(link.body, Body::Close(_)) {
        let mut place = place.inside(format_args!("link {last}"));
        place.equal(
            "the last link's segment",
            links.active_segment(),
            link.head.segment,
        );
    }
}

/// Close links show that the segments follow each other from 0.
///
/// One left out in the middle leaves a gap in `first_link` and `first_entry`, which the one behind
/// it states; so nobody can hide a segment in which the subject has entries. The index key is the
/// same throughout: with a second key, one subject would have two tags and could be shown absent
/// under the wrong one.
fn check_closes(links: &Links, place: &mut Place<'_>) {
    let (mut segment, mut first_link, mut first_entry) = (0, 0, 0);
    for close in &links.closes {
        let (head, body) = (&close.head, &close.body);
        let mut place = place.inside(format_args!("link {}", head.number));
        if head.segment > segment {
            place.missing(
                "a close link",
                format_args!("the close link of segment {segment}"),
            );
        } else {
            place.equal("its segment", segment, head.segment);
            place.equal("its first_link", first_link, body.first_link);
            place.equal("its first_entry", first_entry, body.first_entry);
        }
        if body.first_link > head.number {
            place.altered(
                "its first_link",
                format_args!("at most {}", head.number),
                body.first_link,
            );
        }
        if let Some(first) = links.closes.first() {
            let (expected, found) = (Digest(first.body.index_key), Digest(body.index_key));
            place.equal("its index_key", expected, found);
        }
        // From what was found, not from what was expected: one lack makes one finding.
        (segment, first_link, first_entry) =
            (head.segment + 1, head.number + 1, close.entries_end());
    }
}

/// Entry indexes run on from link to link, without gap where both are shown.
///
/// Indexes that overlap would let one entry be proved at two places, or two at one index, and a
/// list's index name both. A close link has no entries; it stands behind its segment's last.
fn check_entry_indexes(links: &Links, place: &mut Place<'_>) {
    let (mut next_link, mut next_entry) = (0, 0);
    for (number, link) in &links.links {
        let (start, end) = match &link.body {
            Body::Batch(body) => (
                body.first_entry,
                body.first_entry + u64::from(body.entry_count),
            ),
            Body::Close(body) => {
                let end = body.first_entry + body.entry_count;
                (end, end)
            }
            Body::Reserved { .. } => continue,
        };
        // Between links that are not neighbours a gap is what is not shown.
        if start < next_entry || (*number == next_link && start != next_entry) {
            let mut place = place.inside(format_args!("link {number}"));
            place.altered("its place among the entries", next_entry, start);
        }
        (next_link, next_entry) = (number + 1, end);
    }
}

/// The links of the batches shown are there and in their segments, and no other link is.
///
/// A link of no use is a finding, since the format has one proof for an answer: room for more would
/// be room for a second message, or for links of others that nobody asked about.
fn check_batches(proof: &Proof, links: &Links, place: &mut Place<'_>) {
    let wanted: BTreeSet<_> = proof.batches.iter().map(|batch| batch.link).collect();
    for number in wanted
        .iter()
        .filter(|number| !links.links.contains_key(number))
    {
        place.missing("the link of a batch", format_args!("link {number}"));
    }
    let last = links.links.last_key_value().map(|(number, _)| *number);
    for (number, link) in &links.links {
        let mut place = place.inside(format_args!("link {number}"));
        match &link.body {
            Body::Close(_) if wanted.contains(number) => {
                place.altered("its kind", "a batch link", "a close link");
            }
            Body::Batch(body) => check_segment(links, &link.head, body, &mut place),
            _ => {}
        }
        let close = matches!(link.body, Body::Close(_));
        if !close && !wanted.contains(number) && last != Some(*number) {
            place.altered(
                "a link of no use",
                "close links, batches shown, the last",
                number,
            );
        }
    }
}

/// A batch link names the segment in whose links, entries and times it lies.
///
/// The times matter: a close link's range decides whether its segment is asked at all, and one
/// drawn too narrow would put a batch out of every question's reach.
fn check_segment(links: &Links, head: &Head, body: &BatchBody, place: &mut Place<'_>) {
    let at = links
        .closes
        .partition_point(|close| close.head.number < head.number);
    let Some(close) = links.closes.get(at) else {
        return place.equal("its segment", links.active_segment(), head.segment);
    };
    place.equal("its segment", close.head.segment, head.segment);
    let end = body.first_entry + u64::from(body.entry_count);
    let inside = close.body.first_link <= head.number
        && close.body.first_entry <= body.first_entry
        && end <= close.entries_end();
    if !inside {
        let expected = format!("inside segment {}", close.head.segment);
        place.altered("its place in its segment", expected, "outside");
    }
    if body.earliest < close.body.earliest || close.body.latest < body.latest {
        let expected = format!("{} to {}", close.body.earliest, close.body.latest);
        place.altered(
            "its event times",
            expected,
            format!("{} to {}", body.earliest, body.latest),
        );
    }
}
