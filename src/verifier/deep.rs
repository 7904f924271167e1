//! What only keys can see: that payloads open and hold what their links say, and that each
//! segment's subject index is the one that its entries give.
//!
//! The only answer to a server that seals a dishonest index: what it leaves out of a subject's list
//! cannot be seen from a bundle. A rebuilt index has the same rows or it has not; the seed is not
//! compared, since it says nothing of anybody.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

use lru::LruCache;

use super::ahead::{Inside, OpenedBatch, Spread};
use super::open::OpenError;
use crate::chain::{BatchBody, Body, CloseBody};
use crate::digest::Digest;
use crate::envelope::{Dek, Kek};
use crate::finding::{Findings, Place, Step};
use crate::format::frame::Frame;
use crate::format::header::Header;
use crate::format::subject_index::{Row, SubjectIndex, postings};
use crate::ids::{EntryIndex, LogId, SegmentNumber, SubjectId};
use crate::limits::VRF_CACHE_SUBJECTS;
use crate::postings::Posting;
use crate::vrf::{Beta, IndexSecret, Tag, tag};

/// One VRF output costs about 40 µs of a core, and most subjects come again in the next segment.
const KEPT_BETAS: NonZeroUsize = NonZeroUsize::new(VRF_CACHE_SUBJECTS).unwrap();

/// What opens payloads and rebuilds indexes.
#[derive(Clone, Copy)]
pub struct Secrets<'a> {
    /// Unwraps DEKs.
    /// A segment that another KEK wrapped is a finding on that segment alone.
    pub kek: &'a Kek,
    /// Makes tags; without it indexes are opened, but not rebuilt.
    pub index: Option<&'a IndexSecret>,
}

/// Opens the payloads of one log, segment by segment. Memory holds one segment's index.
pub(super) struct Deep<'a> {
    secrets: Secrets<'a>,
    log_id: LogId,
    /// Rebuilding is one VRF for each subject, so it is done on all cores that were given.
    spread: Spread<'a>,
    /// Of this log: the output is bound to its id. Lives across segments.
    betas: LruCache<SubjectId, Beta>,
    segment: Opened,
    /// Entries whose payload was opened.
    pub(super) opened: u64,
}

/// What was opened of a segment.
#[derive(Default)]
struct Opened {
    /// Goes into every tag.
    number: SegmentNumber,
    /// None if the header cannot be read or does not unwrap; then nothing of the segment is opened.
    dek: Option<Arc<Dek>>,
    /// Whether every entry so far was opened.
    /// If not, the index is not compared: entries that were not seen would look like entries that
    /// the index makes up.
    complete: bool,
    /// Ascending, since batches are taken in order.
    lists: HashMap<SubjectId, Vec<Posting>>,
    /// Erased entries: whom they named is not known.
    erased: HashSet<EntryIndex>,
}

impl<'a> Deep<'a> {
    pub(super) fn new(secrets: Secrets<'a>, log_id: LogId, spread: Spread<'a>) -> Self {
        Self {
            secrets,
            log_id,
            spread,
            betas: LruCache::new(KEPT_BETAS),
            segment: Opened::default(),
            opened: 0,
        }
    }

    /// Begins a segment, whose header may be unreadable.
    pub(super) fn begin(
        &mut self,
        number: SegmentNumber,
        header: Option<&Header>,
        findings: &mut Findings,
        file: &str,
    ) {
        let dek = header.and_then(|header| match header.dek(self.secrets.kek) {
            Ok(dek) => Some(Arc::new(dek)),
            Err(error) => {
                let mut place = findings.at(Step::Entries, format!("{file}, header"));
                place.altered("the segment's key does not open", "a wrapped key", error);
                None
            }
        });
        self.segment = Opened {
            number,
            complete: dek.is_some(),
            dek,
            ..Opened::default()
        };
    }

    /// Some entries of the segment were not seen.
    pub(super) fn lose(&mut self) {
        self.segment.complete = false;
    }

    /// What opens the segment's payloads.
    pub(super) fn dek(&self) -> Option<Arc<Dek>> {
        self.segment.dek.clone()
    }

    /// Takes in what a frame's payload holds.
    pub(super) fn take(
        &mut self,
        frame: &Frame,
        inside: Inside,
        findings: &mut Findings,
        place: &str,
    ) {
        match (inside, &frame.link.body) {
            (Inside::Batch(opened), Body::Batch(body)) => {
                let mut place = findings.at(Step::Entries, place);
                self.take_batch(opened, body, &mut place);
            }
            (Inside::Index(opened), Body::Close(body)) => {
                let mut place = findings.at(Step::Subject, place);
                self.take_index(opened, body, &mut place);
            }
            _ => {}
        }
    }

    fn take_batch(
        &mut self,
        opened: Result<OpenedBatch, OpenError>,
        body: &BatchBody,
        place: &mut Place<'_>,
    ) {
        match opened {
            Ok(batch) => {
                self.opened += u64::from(body.entry_count);
                self.segment.erased.extend(batch.erased);
                for (subject, list) in batch.lists {
                    self.segment.lists.entry(subject).or_default().extend(list);
                }
            }
            Err(error) => {
                self.segment.complete = false;
                report(&error, place);
            }
        }
    }

    fn take_index(
        &mut self,
        opened: Result<SubjectIndex, OpenError>,
        body: &CloseBody,
        place: &mut Place<'_>,
    ) {
        let sealed = match opened {
            Ok(sealed) => sealed,
            Err(error) => return report(&error, place),
        };
        let Some(secret) = self.secrets.index else {
            return;
        };
        let key = secret.public().to_bytes();
        if key != body.index_key {
            let (expected, found) = (Digest(key), Digest(body.index_key));
            place.altered(
                "index_key is not the index key's public key",
                expected,
                found,
            );
        // With another index key every tag would differ; that is one finding, not one a subject.
        } else if self.segment.complete {
            let rebuilt = self.rebuild(secret);
            compare(&sealed, &rebuilt, &self.segment.erased, place);
        }
    }

    /// The rows that the segment's entries give, by tag.
    /// Takes the lists: the segment ends with its close link.
    fn rebuild(&mut self, secret: &IndexSecret) -> Vec<(Tag, Vec<Posting>)> {
        let segment = self.segment.number;
        let lists: Vec<_> = std::mem::take(&mut self.segment.lists)
            .into_iter()
            .collect();
        let known: Vec<OnceLock<Beta>> = lists
            .iter()
            .map(|(subject, _)| self.betas.get(subject).copied())
            .map(|beta| beta.map_or_else(OnceLock::new, OnceLock::from))
            .collect();
        (self.spread)(lists.len(), &|n| {
            known[n].get_or_init(|| {
                let subject = lists[n].0.expose().as_bytes();
                secret.beta(&[&self.log_id.0, subject])
            });
        });
        let mut rows = Vec::with_capacity(lists.len());
        for ((subject, list), beta) in lists.into_iter().zip(known) {
            if let Some(beta) = beta.into_inner() {
                rows.push((tag(&beta, segment), list));
                self.betas.put(subject, beta);
            }
        }
        rows.sort_unstable_by_key(|(tag, _)| *tag);
        rows
    }
}

/// An error of the payload's own says what it expected; one from deeper down says only what it is.
fn report(error: &OpenError, place: &mut Place<'_>) {
    match error {
        OpenError::Differs {
            what,
            expected,
            found,
        } => {
            place.altered(&format!("{what} is not the payload's"), expected, found);
        }
        error => place.altered(
            "the payload is not as it must be",
            "what its link states",
            error,
        ),
    }
}

/// Compares the sealed index with the rebuilt rows; one finding a tag.
/// Both sides ascend by tag, so one pass over both does it.
fn compare(
    sealed: &SubjectIndex,
    rebuilt: &[(Tag, Vec<Posting>)],
    erased: &HashSet<EntryIndex>,
    place: &mut Place<'_>,
) {
    let mut rebuilt = rebuilt.iter().peekable();
    for row in sealed.rows() {
        // A subject whom entries name and the sealed index does not know at all.
        while let Some((tag, list)) = rebuilt.next_if(|(tag, _)| *tag < row.tag) {
            compare_list(tag, &[], list, place);
        }
        let own = rebuilt.next_if(|(tag, _)| *tag == row.tag);
        let list = own.map_or(&[][..], |(_, list)| list);
        compare_list(&row.tag, &known(&row, erased), list, place);
    }
    for (tag, list) in rebuilt {
        compare_list(tag, &[], list, place);
    }
}

/// A row's list without erased entries: those cannot be compared.
///
/// Whom an erased entry named nobody can know any more; its postings stay in the sealed index, and
/// are left to it.
fn known(row: &Row<'_>, erased: &HashSet<EntryIndex>) -> Vec<Posting> {
    let list = postings(row.list).into_iter().flatten();
    list.filter(|(entry, _)| !erased.contains(entry)).collect()
}

/// Says the first difference of a sealed list to that which the entries give.
/// One finding a list: further differences mostly repeat the first.
fn compare_list(tag: &Tag, sealed: &[Posting], rebuilt: &[Posting], place: &mut Place<'_>) {
    let same = sealed
        .iter()
        .zip(rebuilt)
        .take_while(|(a, b)| a == b)
        .count();
    let mut place = place.inside(format!("tag {}", hex::encode(tag)));
    let named = |(entry, time): &Posting| format!("entry {entry} of {time}");
    match (sealed.get(same), rebuilt.get(same)) {
        (None, None) => {}
        (Some(found), Some(expected)) if found.0 == expected.0 => {
            place.altered(
                "another event time than the entry's",
                named(expected),
                named(found),
            );
        }
        (found, Some(expected)) if found.is_none_or(|found| found.0 > expected.0) => {
            place.missing(
                "the list lacks an entry that names the subject",
                named(expected),
            );
        }
        (Some(found), _) => {
            place.altered(
                "the list has an entry that does not name the subject",
                "none",
                named(found),
            );
        }
        // An expected entry without a found one is above.
        (None, Some(_)) => {}
    }
}
