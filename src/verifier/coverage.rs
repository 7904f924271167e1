//! What a checkpoint vouches for in a log, and what nothing does.
//!
//! Silence would be read as "all is well". So whatever a check did not or could not see is said as
//! an extent, beside the findings and whatever the verdict.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::finding::printable;
use crate::ids::{EntryIndex, LinkNumber, SegmentNumber};
use crate::messages::Said;
use crate::time::{Timestamp, optional};

/// What the checkpoint vouches for in a log, and what nothing does: no finding, and never
/// hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
        #[serde(with = "optional")]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

impl Coverage {
    /// What it says, in whichever language it is read.
    pub fn said(&self) -> Said {
        match self.extent {
            Extent::Covered {
                links,
                entries_end,
                segments,
                committed_at,
            } => {
                let said = match committed_at {
                    Some(time) => Said::new("extent-covered-to").arg("at", time.in_words()),
                    None => Said::new("extent-covered"),
                };
                said.outside("log", &self.log)
                    .count("links", links)
                    .count("entries", entries_end)
                    .count("segments", segments)
            }
            Extent::NotCovered(gap) => Said::new("checker-finding")
                .said("verdict", "checker-not-covered")
                .said("what", gap.said().outside("log", &self.log)),
        }
    }
}

impl Gap {
    fn said(self) -> Said {
        match self {
            Self::Unsigned {
                first_link,
                links_end: Some(links),
                first_entry,
                entries_end: Some(entries),
            } => Said::new("extent-unsigned")
                .count("links", links.saturating_sub(first_link))
                .count("link", first_link)
                .count("entries", entries.saturating_sub(first_entry))
                .count("entry", first_entry),
            Self::Unsigned {
                first_link,
                first_entry,
                ..
            } => Said::new("extent-unsigned-on")
                .count("link", first_link)
                .count("entry", first_entry),
            Self::TornTail(tail) => tail.said("extent-torn-tail"),
            Self::CannotTell(tail) => tail.said("extent-cannot-tell"),
            Self::NoIndex {
                segment,
                first_entry,
                entries_end,
            } => Said::new("extent-no-index")
                .count("entries", entries_end.saturating_sub(first_entry))
                .count("entry", first_entry)
                .count("segment", segment),
            Self::NotAsked { first_segment } => {
                Said::new("extent-not-asked").count("segment", first_segment)
            }
        }
    }
}

impl Tail {
    fn said(self, key: &'static str) -> Said {
        Said::new(key)
            .count("bytes", self.bytes)
            .count("segment", self.segment)
            .count("offset", self.offset)
            .count("link", self.link)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::Lang;

    #[test]
    fn what_is_kept_is_read_again_and_said_in_every_language() {
        let tail = Tail {
            segment: 7,
            offset: 4242,
            bytes: 99,
            link: 31,
        };
        let unsigned = |links_end, entries_end| Gap::Unsigned {
            first_link: 30,
            links_end,
            first_entry: 300,
            entries_end,
        };
        let no_index = Gap::NoIndex {
            segment: 7,
            first_entry: 300,
            entries_end: 1300,
        };
        let gaps = [
            (unsigned(Some(35), Some(1300)), "1.000 Einträge"),
            (unsigned(None, None), "ab Glied 30 und Eintrag 300"),
            (Gap::TornTail(tail), "ab Byte 4.242"),
            (Gap::CannotTell(tail), "Ohne Checkpoint"),
            (no_index, "1.000 Einträge ab Eintrag 300"),
            (Gap::NotAsked { first_segment: 7 }, "ab Segment 7"),
        ];
        let covered = |committed_at| Extent::Covered {
            links: 30,
            entries_end: 300,
            segments: 7,
            committed_at,
        };
        let extents = [
            (covered(None), "30 Glieder mit 300 Einträgen;"),
            (
                covered(Some(Timestamp(0))),
                "bis 1970-01-01 00:00:00.000000 UTC;",
            ),
        ];
        let gaps = gaps.map(|(gap, words)| (Extent::NotCovered(gap), words));
        for (extent, words) in extents.into_iter().chain(gaps) {
            let coverage = Coverage {
                log: "orders".into(),
                extent,
            };
            let kept = serde_json::to_string(&coverage).unwrap();
            let read: Coverage = serde_json::from_str(&kept).unwrap();
            assert_eq!(read, coverage, "{kept}");
            let german = coverage.said().text(Lang::German);
            assert!(german.contains(words), "{german}");
            for lang in Lang::ALL {
                let text = coverage.said().text(lang);
                assert!(text.contains("orders: ") && !text.contains('{'), "{text}");
                let open = matches!(extent, Extent::NotCovered(_));
                let word = lang.get("checker-not-covered");
                assert_eq!(text.starts_with(&word), open, "{text}");
            }
        }
    }
}
