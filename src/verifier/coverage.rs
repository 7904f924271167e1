//! What a checkpoint vouches for in a log, and what nothing does.
//!
//! Silence would be read as "all is well". So whatever a check did not or could not see is said as
//! an extent, beside the findings and whatever the verdict.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::finding::printable;
use crate::ids::{EntryIndex, LinkNumber, SegmentNumber};
use crate::time::Timestamp;

/// What the checkpoint vouches for in a log, and what nothing does: no finding, and never
/// hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The log's name.
    pub log: String,
    /// What of it.
    #[serde(flatten)]
    pub extent: Extent,
}

/// A part of a log.
///
/// The words are those of the bundle's verifier; what they count is another thing: there the closed
/// segments, here the links under the checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "word")]
pub enum Extent {
    /// What is under the checkpoint, link by link.
    /// Only where the root was compared, and was the checkpoint's.
    #[serde(rename = "COVERED")]
    Covered {
        /// Links.
        links: LinkNumber,
        /// Index behind the last entry.
        entries_end: EntryIndex,
        /// Closed segments.
        segments: SegmentNumber,
        /// When the last link was committed; none if there is no link.
        #[serde(serialize_with = "written")]
        committed_at: Option<Timestamp>,
    },
    /// What no checkpoint vouches for.
    #[serde(rename = "NOT COVERED")]
    NotCovered(Gap),
}

/// A part of a log that is not covered.
///
/// Some of them pass by themselves: the next checkpoint covers whole links, and an active segment
/// gets its index when it is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "part")]
pub enum Gap {
    /// Whole links behind the checkpoint.
    /// They may be acknowledged already, and could be cut off or replaced unseen until a checkpoint
    /// covers them.
    #[serde(rename = "unsigned")]
    Unsigned {
        /// The first link.
        first_link: LinkNumber,
        /// The number behind the last link, where it is known.
        /// Not known where a finding has put in doubt which link is which.
        links_end: Option<LinkNumber>,
        /// The first entry.
        first_entry: EntryIndex,
        /// The index behind the last entry, where it is known.
        entries_end: Option<EntryIndex>,
    },
    /// A torn tail.
    /// No finding: FORMAT.md, "Segment file", says when damage is one.
    #[serde(rename = "torn tail")]
    TornTail(Tail),
    /// Damage at the end that may be a torn tail or an alteration: no checkpoint says which.
    #[serde(rename = "torn tail, or altered")]
    CannotTell(Tail),
    /// Entries of the active segment: no sealed subject index names them yet.
    /// Only said of a check with keys: without them no index is looked at anyway.
    #[serde(rename = "subject index")]
    NoIndex {
        /// The active segment.
        segment: SegmentNumber,
        /// Index of its first entry.
        first_entry: EntryIndex,
        /// Index behind its last entry.
        entries_end: EntryIndex,
    },
    /// Segments that this check was told to leave out.
    #[serde(rename = "not asked for")]
    NotAsked {
        /// The first of them.
        first_segment: SegmentNumber,
    },
}

/// Bytes at the end of the last segment.
/// Nothing acknowledged is in them if they are a torn tail: the acknowledgement waits for the sync.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Tail {
    /// The segment.
    pub segment: SegmentNumber,
    /// Where they begin in its file.
    pub offset: u64,
    /// How many.
    pub bytes: u64,
    /// The link that would stand there.
    pub link: LinkNumber,
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", printable(&self.log), self.extent)
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Covered {
                links,
                entries_end,
                segments,
                committed_at,
            } => {
                write!(
                    f,
                    "the checkpoint covers {links} links with {entries_end} entries, {segments} segments closed"
                )?;
                committed_at.map_or(Ok(()), |time| write!(f, ", up to {time}"))
            }
            Self::NotCovered(gap) => write!(f, "NOT COVERED, {gap}"),
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Unsigned {
                first_link,
                links_end,
                first_entry,
                entries_end,
            } => {
                match (links_end, entries_end) {
                    (Some(links), Some(entries)) => write!(
                        f,
                        "{} links from link {first_link} on, {} entries from entry {first_entry} on",
                        links.saturating_sub(first_link),
                        entries.saturating_sub(first_entry)
                    )?,
                    _ => write!(f, "from link {first_link} and entry {first_entry} on")?,
                }
                f.write_str(": no checkpoint here vouches for them")
            }
            Self::TornTail(tail) => write!(
                f,
                "{tail}: a torn tail, the sync that was being written when the server stopped, or is \
                 being written now; nothing in it was acknowledged"
            ),
            Self::CannotTell(tail) => write!(
                f,
                "{tail}: without a checkpoint it cannot be told whether this is a torn tail or an \
                 alteration"
            ),
            Self::NoIndex {
                segment,
                first_entry,
                entries_end,
            } => write!(
                f,
                "{} entries from entry {first_entry} on: segment {segment} is active and has no \
                 sealed subject index yet",
                entries_end.saturating_sub(first_entry)
            ),
            Self::NotAsked { first_segment } => {
                write!(f, "from segment {first_segment} on: not asked for")
            }
        }
    }
}

impl fmt::Display for Tail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} bytes of segment {} from byte {} on, in the place of link {}",
            self.bytes, self.segment, self.offset, self.link
        )
    }
}

fn written<S: Serializer>(time: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => serializer.collect_str(time),
        None => serializer.serialize_none(),
    }
}
