//! Step 7: exactly the entries that name the subject in the range.
//!
//! The tag proof shows which tag is the subject's; each segment's index shows under that tag
//! which entries name the subject; and those entries, no other, stand in the batches.
//!
//! Completeness rests on three facts. The VRF has one output for a key and a subject, so the sender
//! cannot choose the tag. A subject index is sorted, so two neighbours around a tag show that it
//! has no list. And each list is whole, being one leaf of the index. Leaving out an entry would
//! need another list, hence another root than the close link's.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::PROOF;
use super::super::finding::{Findings, Place, Step};
use super::super::proof::SegmentProof;
use super::Log;
use super::entries::{Says, ShownEntry};
use super::links::{Close, Links};
use crate::format::subject_index::{Claim, postings};
use crate::ids::EntryIndex;
use crate::time::Timestamp;
use crate::vrf::{self, Beta, IndexPublic};

/// Step 7. Each part goes on as far as it can where the one before has found something.
pub(super) fn check(log: &Log<'_>, links: &Links, shown: &[ShownEntry], findings: &mut Findings) {
    let mut place = findings.at(Step::Subject, log.context.path(PROOF));
    let beta = check_tag_proof(log, links, &mut place);
    let lists = check_segments(log, links, beta.as_ref(), &mut place);
    check_shown(log, links, lists, shown, &mut place);
}

/// The function's output for the subject, if the proof holds.
///
/// The key is the first close link's; step 4 has compared it with all others. The log id is part of
/// what is asked, so that tags of two logs cannot be linked.
fn check_tag_proof(log: &Log<'_>, links: &Links, place: &mut Place<'_>) -> Option<Beta> {
    let proof = log.proof.tag_proof.as_ref();
    let Some(close) = links.closes.first() else {
        if proof.is_some() {
            place.altered("a tag proof without a closed segment", "null", "a proof");
        }
        return None;
    };
    let Some(proof) = proof else {
        place.altered("no tag proof", "a proof, for a segment is closed", "null");
        return None;
    };
    let alpha = vrf::alpha(&links.log_id?, &log.question.subject);
    let key = IndexPublic::from_bytes(&close.body.index_key);
    let beta = key.and_then(|key| key.verify(&alpha, &proof.0));
    if beta.is_none() {
        let expected = "a proof of the subject's tags under index_key";
        place.altered("a tag proof that does not hold", expected, "another");
    }
    beta
}

/// What the subject indexes say: the entries to be shown, and where they say nothing.
#[derive(Default)]
struct Lists {
    /// Entries in the range, and their times.
    wanted: BTreeMap<EntryIndex, Timestamp>,
    /// Entries of segments on which there is a finding.
    /// What is shown of these is not called unasked, since nothing says what was. They ascend.
    unknown: Vec<Range<EntryIndex>>,
}

/// For each closed segment in the range its list, or two neighbours; for no other.
///
/// A segment that no question reaches is not proved: its neighbours' tags are other people's, and
/// no more of them are shown than the question needs.
fn check_segments(
    log: &Log<'_>,
    links: &Links,
    beta: Option<&Beta>,
    place: &mut Place<'_>,
) -> Lists {
    let mut lists = Lists::default();
    let mut given = BTreeMap::new();
    // They must ascend and none stand twice, as with batches; of two, the later would be looked at.
    let mut last = None;
    for segment in &log.proof.segments {
        let number = segment.close_link;
        if last.replace(number).is_some_and(|last| last >= number) {
            place.altered(
                "segments that do not ascend",
                "ascending close links",
                number,
            );
        }
        given.insert(number, segment);
    }
    for close in links.closes.iter().filter(|close| in_range(log, close)) {
        let mut place = place.inside(format_args!("segment {}", close.head.segment));
        match given.remove(&close.head.number) {
            Some(segment) => check_segment(log, close, segment, beta, &mut lists, &mut place),
            None => {
                place.missing("a segment", "a list or two neighbours");
                lists
                    .unknown
                    .push(close.body.first_entry..close.entries_end());
            }
        }
    }
    for number in given.keys() {
        let expected = "closed segments with entries in the range";
        place.altered(
            "a segment of no use",
            expected,
            format_args!("close link {number}"),
        );
    }
    lists
}

/// A segment without entries has no index to ask. Both ends are the close link's, which step 4
/// holds against every batch link that is shown.
fn in_range(log: &Log<'_>, close: &Close) -> bool {
    let question = &log.question;
    close.body.entry_count > 0
        && question.from.is_none_or(|from| close.body.latest >= from)
        && question.to.is_none_or(|to| close.body.earliest < to)
}

/// Checks one segment's claim, and takes the subject's entries from its list.
fn check_segment(
    log: &Log<'_>,
    close: &Close,
    segment: &SegmentProof,
    beta: Option<&Beta>,
    lists: &mut Lists,
    place: &mut Place<'_>,
) {
    // Without the tag proof no claim can be checked, but a list can still be compared.
    if let Some(beta) = beta {
        let tag = vrf::tag(beta, close.head.segment);
        let (count, root) = (close.body.subject_count, &close.body.subjects_root);
        if let Err(error) = segment.claim.check(&tag, count, root, &segment.tree) {
            place.altered("what the subject index says", "what its root says", error);
            // A list that fails its root is compared with what is shown all the same, since it says
            // at least what the sender means; two neighbours that fail say nothing.
            if matches!(segment.claim, Claim::Absent(_)) {
                lists
                    .unknown
                    .push(close.body.first_entry..close.entries_end());
            }
        }
    }
    let Claim::Present(present) = &segment.claim else {
        return;
    };
    let Some(list) = postings(&present.list) else {
        place.altered(
            "a list that is none",
            "entries and times, ascending",
            "other bytes",
        );
        lists
            .unknown
            .push(close.body.first_entry..close.entries_end());
        return;
    };
    let entries = close.body.first_entry..close.entries_end();
    let times = close.body.earliest..=close.body.latest;
    for (entry, time) in list {
        // A list could otherwise name an entry of another segment, or give it a time that keeps it
        // out of a range while its segment is in.
        if !entries.contains(&entry) || !times.contains(&time) {
            place.altered(
                "a list that leaves its segment",
                "its entries and times",
                entry,
            );
        }
        // The list's time decides, not the entry's: it is signed, and known of withheld entries
        // too. That both are the same is checked for each entry that has a line.
        if log.question.contains(time) {
            lists.wanted.insert(entry, time);
        }
    }
}

/// Shown is what is wanted, nothing else, and each line says what its list says.
///
/// Both directions: what a list names and is not shown was held back; what is shown and no list
/// names was slipped in, somebody else's data perhaps.
fn check_shown(
    log: &Log<'_>,
    links: &Links,
    lists: Lists,
    shown: &[ShownEntry],
    place: &mut Place<'_>,
) {
    let Lists {
        mut wanted,
        unknown,
    } = lists;
    for one in shown {
        let mut place = place.inside(format_args!("entry {}", one.entry));
        match wanted.remove(&one.entry) {
            Some(listed) => check_entry(log, links, one, listed, &mut place),
            None if lies_in(&unknown, one.entry) => {}
            None => {
                let expected = "entries that a list names in the range";
                place.altered("an entry that was not asked for", expected, one.entry);
            }
        }
    }
    for entry in wanted.keys() {
        place.missing(
            "an entry that names the subject",
            format_args!("entry {entry}"),
        );
    }
}

/// Segments ascend, and so do their entries; where they do not, step 4 has found it.
/// By bisection: there may be as many ranges as segments, and as many questions as entries.
fn lies_in(ranges: &[Range<EntryIndex>], entry: EntryIndex) -> bool {
    let at = ranges.partition_point(|range| range.end <= entry);
    ranges.get(at).is_some_and(|range| range.contains(&entry))
}

/// An entry against the list that names it. Of a withheld one only the batch's times can be
/// checked: its event time is the list's word, within what its batch states.
fn check_entry(
    log: &Log<'_>,
    links: &Links,
    shown: &ShownEntry,
    listed: Timestamp,
    place: &mut Place<'_>,
) {
    let batch = log.proof.batches.get(shown.batch);
    if let Some(body) = batch.and_then(|batch| links.batch(batch.link))
        && (listed < body.earliest || body.latest < listed)
    {
        let expected = format!("{} to {}", body.earliest, body.latest);
        place.altered("the list's time, outside its batch's", expected, listed);
    }
    match shown.says {
        Says::Nothing => {}
        Says::NoEntry => place.altered("a line that is no entry", "an entry", "other bytes"),
        Says::Facts { time, names } => {
            place.equal("the entry's time", listed, time);
            if !names {
                place.altered(
                    "an entry that does not name the subject",
                    "its id",
                    "others",
                );
            }
        }
    }
}
