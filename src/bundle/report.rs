//! What a verifier says: the question, findings, coverage, counts, and the verdict.
//!
//! It holds facts; what is printed and what `verify --json` gives are made of the same. Text from
//! the bundle is made printable before it is printed: whoever made the bundle chose it.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::finding::{Finding, Verdict, printable};
use crate::checkpoint::VerifierKey;
use crate::ids::{EntryIndex, LinkNumber, SegmentNumber, SubjectId};
use crate::messages::Said;
use crate::time::{Timestamp, optional};

/// What a bundle shows of a log, and what it does not: no finding, and never hidden.
///
/// It does not change the verdict: whether an entry may be withheld is for a court to say, and no
/// flaw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// The log's folder.
    pub log: String,
    /// What of it.
    #[serde(flatten)]
    pub extent: Extent,
}

/// A part of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "word")]
pub enum Extent {
    /// How far the closed segments reach.
    #[serde(rename = "COVERED")]
    Covered {
        /// Closed segments.
        segments: SegmentNumber,
        /// Index behind their last entry.
        entries_end: EntryIndex,
        /// When the last of them was closed; none if none is.
        #[serde(with = "optional")]
        committed_at: Option<Timestamp>,
    },
    /// Entries of the active segment.
    /// Which of them are the subject's, nothing shows: there is no index of a segment before it is
    /// closed.
    #[serde(rename = "NOT COVERED")]
    NotCovered {
        /// Index of its first entry.
        first_entry: EntryIndex,
        /// Index behind its last entry, where the last link says so.
        /// None if the last link is of a kind that states no entries.
        entries_end: Option<EntryIndex>,
    },
    /// An entry that is not shown.
    #[serde(rename = "WITHHELD")]
    Withheld {
        /// The link of its batch.
        link: LinkNumber,
        /// Its position in the batch.
        position: u64,
    },
    /// An entry that was erased.
    #[serde(rename = "ERASED")]
    Erased {
        /// The link of its batch.
        link: LinkNumber,
        /// Its position in the batch.
        position: u64,
    },
}

impl Coverage {
    /// What it says, in whichever language it is read.
    pub fn said(&self) -> Said {
        let said = |key| Said::new(key).outside("log", &self.log);
        let state = |state: &'static str, what| {
            let line = Said::new("checker-finding").said("verdict", state);
            line.said("what", what)
        };
        let place = |link, position| {
            let said = said("checker-at-position").count("position", position);
            said.count("link", link)
        };
        match self.extent {
            Extent::Covered {
                segments,
                entries_end,
                committed_at: Some(time),
            } => said("checker-covers")
                .count("segments", segments)
                .count("entries", entries_end)
                .arg("at", time.in_words()),
            Extent::Covered { .. } => said("checker-covers-none"),
            Extent::NotCovered {
                first_entry: first,
                entries_end,
            } => {
                let open = match entries_end {
                    Some(end) => said("checker-open-to").count("last", end.saturating_sub(1)),
                    None => said("checker-open-on"),
                };
                state("checker-not-covered", open.count("first", first))
            }
            Extent::Withheld { link, position } => state("checker-withheld", place(link, position)),
            Extent::Erased { link, position } => state("checker-erased", place(link, position)),
        }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", printable(&self.log), self.extent)
    }
}

/// A count with its noun, in the plural where there is not one.
fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// The one noun whose plural `counted` would spell wrongly.
fn entries(count: u64) -> String {
    let noun = if count == 1 { "entry" } else { "entries" };
    format!("{count} {noun}")
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Covered {
                segments,
                entries_end: end,
                committed_at: Some(time),
            } => {
                write!(
                    f,
                    "{} {} {}, up to {time}",
                    counted(segments, "closed segment"),
                    if segments == 1 { "covers" } else { "cover" },
                    entries(end)
                )
            }
            Self::Covered { .. } => write!(f, "no segment is closed"),
            Self::NotCovered {
                first_entry: first,
                entries_end: Some(end),
            } => {
                write!(
                    f,
                    "NOT COVERED, entries {first} to {}: the active segment",
                    end.saturating_sub(1)
                )
            }
            Self::NotCovered {
                first_entry: first,
                entries_end: None,
            } => {
                write!(f, "NOT COVERED, from entry {first} on: the active segment")
            }
            Self::Withheld { link, position } => {
                write!(f, "WITHHELD, position {position} of link {link}")
            }
            Self::Erased { link, position } => {
                write!(f, "ERASED, position {position} of link {link}")
            }
        }
    }
}

/// What was asked: printed first, for the reader to compare with the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The data subject.
    /// Compared as bytes, never normalised: two ids that look alike are two subjects.
    pub subject: SubjectId,
    /// From this event time on.
    /// Included; none means from the first.
    pub from: Option<Timestamp>,
    /// Before this event time.
    /// Excluded; none means to the last.
    pub to: Option<Timestamp>,
    /// Names of the logs.
    pub logs: Vec<String>,
}

impl Question {
    /// Whether an event time lies in the range.
    pub fn contains(&self, time: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= time) && self.to.is_none_or(|to| time < to)
    }
}

/// What became of manifest.note, which says who vouches for the manifest.
/// The trees' verdict does not depend on it: who vouches for report, purpose and requester does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteState {
    /// There is none: the manifest is the word of the sender alone.
    Absent,
    /// No key of a name that signs it was given.
    NotChecked,
    /// Signed by a given key, and of this manifest.
    Holds,
    /// There is a finding on it.
    Fails,
}

impl Serialize for NoteState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent => serializer.serialize_none(),
            Self::NotChecked => serializer.serialize_str("not checked"),
            Self::Holds => serializer.serialize_str("holds"),
            Self::Fails => serializer.serialize_str("fails"),
        }
    }
}

/// Counts over all logs.
/// They are what the proofs say, and true only under the verdict `VERIFIED`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Entries shown, the withheld and the erased among them.
    pub entries: u64,
    /// Entries withheld.
    pub withheld: u64,
    /// Entries erased.
    pub erased: u64,
    /// Whether a log has an active segment.
    pub not_covered: bool,
}

/// All that a verifier has to say of a bundle.
#[derive(Debug)]
pub struct Report {
    /// What was asked, as the manifest says; none if it cannot be read.
    pub question: Option<Question>,
    /// The gravest verdict.
    pub verdict: Verdict,
    /// Findings, step by step and log by log.
    /// At most `MAX_FINDINGS`; a bundle made of flaws must not fill memory.
    pub findings: Vec<Finding>,
    /// Findings beyond those listed.
    pub unlisted_findings: u64,
    /// What is covered and what is not.
    pub coverage: Vec<Coverage>,
    /// Counts.
    pub counts: Counts,
    /// What became of manifest.note.
    pub manifest_note: NoteState,
    /// Keys that the bundle itself names: the sender's word, to compare by fingerprint.
    /// A fingerprint that matches one had by another way says which key to ask for.
    pub claimed_keys: Vec<VerifierKey>,
}

/// A verdict that is not good in one line, with the number of its findings.
pub fn found(verdict: Verdict, findings: u64) -> String {
    format!("{verdict}: {}", counted(findings, "finding"))
}

impl Report {
    /// Exit code: 0 sound, 3 something was found.
    pub fn exit_code(&self) -> u8 {
        if self.verdict == Verdict::Verified {
            0
        } else {
            3
        }
    }

    /// The verdict in one line, with its count where it is good.
    pub fn summary(&self) -> String {
        // A verified bundle always has a question: without a manifest that can be read there is a
        // finding.
        let (Verdict::Verified, Some(question)) = (self.verdict, &self.question) else {
            let count = self.findings.len() as u64 + self.unlisted_findings;
            return found(self.verdict, count);
        };
        let Counts {
            entries,
            withheld,
            erased,
            ..
        } = self.counts;
        let name = if entries == 1 {
            "entry names"
        } else {
            "entries name"
        };
        let mut line = format!(
            "VERIFIED: {entries} {name} exactly {}",
            printable(question.subject.expose())
        );
        match (withheld, erased) {
            (0, 0) => {}
            (_, 0) => line += &format!(", {withheld} of them withheld"),
            (0, _) => line += &format!(", {erased} of them erased"),
            _ => line += &format!(", {withheld} of them withheld, {erased} erased"),
        }
        line
    }
}

/// What `verify --json` prints.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Form<'a> {
            verdict: Verdict,
            summary: String,
            question: Option<Asked<'a>>,
            findings: &'a [Finding],
            unlisted_findings: u64,
            coverage: &'a [Coverage],
            counts: Counts,
            manifest_note: NoteState,
            claimed_keys: Vec<String>,
        }
        #[derive(Serialize)]
        struct Asked<'a> {
            subject: &'a str,
            #[serde(serialize_with = "optional::serialize")]
            from: Option<Timestamp>,
            #[serde(serialize_with = "optional::serialize")]
            to: Option<Timestamp>,
            logs: &'a [String],
        }
        let question = self.question.as_ref().map(|question| Asked {
            subject: question.subject.expose(),
            from: question.from,
            to: question.to,
            logs: &question.logs,
        });
        let form = Form {
            verdict: self.verdict,
            summary: self.summary(),
            question,
            findings: &self.findings,
            unlisted_findings: self.unlisted_findings,
            coverage: &self.coverage,
            counts: self.counts,
            manifest_note: self.manifest_note,
            claimed_keys: self.claimed_keys.iter().map(ToString::to_string).collect(),
        };
        form.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::Lang;

    #[test]
    fn what_is_kept_is_read_again_and_said_in_every_language() {
        let covered = |committed_at| Extent::Covered {
            segments: 1,
            entries_end: 1234,
            committed_at,
        };
        let open = |entries_end| Extent::NotCovered {
            first_entry: 1234,
            entries_end,
        };
        let (link, position) = (5, 6);
        for (extent, german) in [
            (covered(None), "orders: Kein Segment ist abgeschlossen"),
            (
                covered(Some(Timestamp(1))),
                "orders: 1 abgeschlossenes Segment erfasst 1.234 Einträge, bis 1970-01-01 00:00:00.000001 UTC",
            ),
            (
                open(Some(1236)),
                "NICHT ERFASST: orders: ab Eintrag 1.234 bis 1.235: das aktive Segment, das noch wachsen kann",
            ),
            (
                open(None),
                "NICHT ERFASST: orders: ab Eintrag 1.234: das aktive Segment, das noch wachsen kann",
            ),
            (
                Extent::Withheld { link, position },
                "ZURÜCKGEHALTEN: orders: Stelle 6 von Glied 5",
            ),
            (
                Extent::Erased { link, position },
                "GELÖSCHT: orders: Stelle 6 von Glied 5",
            ),
        ] {
            let log = "orders".to_owned();
            let coverage = Coverage { log, extent };
            assert_eq!(coverage.said().text(Lang::German), german);
            let kept = serde_json::to_string(&coverage).unwrap();
            let read: Coverage = serde_json::from_str(&kept).unwrap();
            assert_eq!(read, coverage, "{kept}");
        }
    }
}
