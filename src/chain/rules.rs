//! The rules by which links form one chain. Writer, recovery and every verifier hold links
//! against this one type.
//!
//! The rules are what a log's own links say of each other, without any key. They make a log that
//! was cut, joined or put in another order contradict itself; one that was made anew from some link
//! on does not, and for that there are checkpoints. A link that breaks one is never written, and
//! wherever it is read it is a finding.

use super::link::{BatchBody, Body, CloseBody, Head, Link};
use crate::digest::Digest;
use crate::ids::{EntryIndex, LinkNumber, LogId, SegmentNumber};
use crate::time::Timestamp;

/// Where a chain stands: everything the next link must agree with.
///
/// Between calls: `segment` is the number of the segment in which the next link stands,
/// `sums` what its close link must state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The log.
    /// Set once; a link of another log never follows.
    pub log_id: LogId,
    /// Number of the next link.
    pub next_link: LinkNumber,
    /// Leaf hash of the last link; zeros before link 0.
    /// What the next link's `previous` must be.
    pub head: Digest,
    /// Index of the next entry.
    pub next_entry: EntryIndex,
    /// Segment of the next link.
    pub segment: SegmentNumber,
    /// `committed_at` and `sync_position` of the last link.
    /// None before link 0 only.
    pub last_sync: Option<(Timestamp, u32)>,
    /// What the current segment's close link must sum up.
    pub sums: Sums,
    /// The index key of all close links, once one was seen.
    pub index_key: Option<[u8; 32]>,
}

/// Sums over the links of one segment.
/// `first_entry + entry_count` is the index of the next entry, at all times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sums {
    /// First link of the segment.
    pub first_link: LinkNumber,
    /// First entry of the segment.
    pub first_entry: EntryIndex,
    /// Entries so far.
    pub entry_count: u64,
    /// Earliest and latest event time, if there is an entry.
    pub times: Option<(Timestamp, Timestamp)>,
}

/// A link that does not follow: a finding, in words.
/// One for a link: the first rule that it breaks, in the order of its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The field or rule.
    pub what: &'static str,
    /// What the rule asks for.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl Chain {
    /// The chain of an empty log.
    pub fn new(log_id: LogId) -> Self {
        Self {
            log_id,
            next_link: 0,
            head: Digest::ZERO,
            next_entry: 0,
            segment: 0,
            last_sync: None,
            sums: Sums {
                first_link: 0,
                first_entry: 0,
                entry_count: 0,
                times: None,
            },
            index_key: None,
        }
    }

    /// The head of the next link of a sync at `committed_at`.
    /// It follows by construction: what is made of it and breaks a rule is a fault of this product.
    pub fn next_head(&self, committed_at: Timestamp, sync_position: u32) -> Head {
        Head {
            log_id: self.log_id,
            number: self.next_link,
            segment: self.segment,
            previous: self.head,
            committed_at,
            sync_position,
        }
    }

    /// The earliest `committed_at` that the next sync may have.
    ///
    /// A clock that stands or steps back must not make two syncs one: the torn-tail rule tells them
    /// apart by their times.
    pub fn next_sync_at(&self, now: Timestamp) -> Timestamp {
        match self.last_sync {
            Some((last, _)) => now.max(last.plus_micros(1)),
            None => now,
        }
    }

    /// Checks the next link against everything before it, and goes on past it.
    /// After a flaw the chain stands where it stood.
    /// `bytes` are the link's own: they are hashed as they were read.
    pub fn accept(&mut self, link: &Link, bytes: &[u8]) -> Result<(), Flaw> {
        self.check_head(&link.head)?;
        let mut sums = self.sums;
        let mut next_segment = self.segment;
        match &link.body {
            Body::Batch(body) => {
                equal("first_entry", self.next_entry, body.first_entry)?;
                if body.earliest > body.latest {
                    return Err(flaw(
                        "event times",
                        "earliest ≤ latest",
                        "later before earlier",
                    ));
                }
                sums.add(body);
            }
            Body::Close(body) => {
                self.check_close(body)?;
                next_segment += 1;
                let next_entry = body.first_entry + body.entry_count;
                sums = Sums::from(link.head.number + 1, next_entry);
                self.index_key = Some(body.index_key);
            }
            // It has no entries and closes nothing.
            Body::Reserved { .. } => {}
        }
        // Whatever could fail is done: a flaw has left the chain as it was.
        self.next_entry = sums.first_entry + sums.entry_count;
        self.sums = sums;
        self.segment = next_segment;
        self.next_link += 1;
        self.head = Digest::leaf(&[bytes]);
        self.last_sync = Some((link.head.committed_at, link.head.sync_position));
        Ok(())
    }

    /// `previous` comes behind the numbers, so that a link from elsewhere is named by its place.
    fn check_head(&self, head: &Head) -> Result<(), Flaw> {
        equal("log id", self.log_id, head.log_id)?;
        equal("number", self.next_link, head.number)?;
        equal("segment", self.segment, head.segment)?;
        equal("previous", self.head, head.previous)?;
        match self.last_sync {
            // Whoever checks from the start has seen no sync; link 0 begins one.
            None => equal("sync_position of link 0", 0, head.sync_position),
            Some(last) => check_neighbours(last, (head.committed_at, head.sync_position)),
        }
    }

    /// Whoever reads only close links relies on these sums, so each is held here against every
    /// batch.
    fn check_close(&self, body: &CloseBody) -> Result<(), Flaw> {
        let (earliest, latest) = self.sums.times.unwrap_or((Timestamp(0), Timestamp(0)));
        equal("first_link", self.sums.first_link, body.first_link)?;
        equal("first_entry", self.sums.first_entry, body.first_entry)?;
        equal("entry_count", self.sums.entry_count, body.entry_count)?;
        equal("earliest event time", earliest.0, body.earliest.0)?;
        equal("latest event time", latest.0, body.latest.0)?;
        match self.index_key {
            Some(key) => equal("index_key", Digest(key), Digest(body.index_key)),
            None => Ok(()),
        }
    }
}

impl Sums {
    /// The sums of a segment without links.
    pub fn from(first_link: LinkNumber, first_entry: EntryIndex) -> Self {
        Self {
            first_link,
            first_entry,
            entry_count: 0,
            times: None,
        }
    }

    /// Cannot overflow: decoding keeps every index below 2^53.
    fn add(&mut self, body: &BatchBody) {
        self.entry_count += u64::from(body.entry_count);
        self.times = Some(match self.times {
            None => (body.earliest, body.latest),
            Some((earliest, latest)) => (earliest.min(body.earliest), latest.max(body.latest)),
        });
    }
}

/// The rule for neighbours: the later link goes on with the sync, or begins a later one.
/// Times and positions of the two. The rule for torn tails asks it of links that cannot be linked.
pub fn check_neighbours(last: (Timestamp, u32), next: (Timestamp, u32)) -> Result<(), Flaw> {
    let goes_on = next.0 == last.0 && Some(next.1) == last.1.checked_add(1);
    let begins = next.0 > last.0 && next.1 == 0;
    if goes_on || begins {
        return Ok(());
    }
    Err(Flaw {
        what: "sync",
        expected: format!(
            "{} at position {}, or later at 0",
            last.0,
            u64::from(last.1) + 1
        ),
        found: format!("{} at position {}", next.0, next.1),
    })
}

/// A flaw shows both values; neither is a secret.
fn equal<T: PartialEq + ToString>(what: &'static str, expected: T, found: T) -> Result<(), Flaw> {
    if expected == found {
        return Ok(());
    }
    Err(Flaw {
        what,
        expected: expected.to_string(),
        found: found.to_string(),
    })
}

fn flaw(what: &'static str, expected: &str, found: &str) -> Flaw {
    Flaw {
        what,
        expected: expected.to_owned(),
        found: found.to_owned(),
    }
}
