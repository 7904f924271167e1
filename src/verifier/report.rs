//! What the check of a log, or of a whole data folder, has to say.
//!
//! A good verdict always stands beside what it rests on: how much was covered, and with whose keys.
//! Numbers alone would let a check of nothing look like a check.

use serde::{Serialize, Serializer};

use super::coverage::Coverage;
use crate::checkpoint::VerifierKey;
use crate::finding::{Finding, Step, Verdict, printable};
use crate::ids::Origin;
use crate::limits::MAX_FINDINGS;
use crate::sequencer::Sequencer;

/// What could not be checked, and with what it could be.
/// Sorted in this order; a report has each once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// No verifier key was given.
    /// The trees fit each other, and a forger's would as well.
    OwnWord,
    /// No verifier key was given, but the folder's own is at hand.
    /// Whoever wrote the folder anew could have signed with it.
    OwnKeys,
    /// No KEK was given.
    NotOpened,
    /// A KEK was given, but no index key.
    /// A log's folder alone does not hold it: it rests wrapped in `keys/`.
    NoIndexKey,
}

impl Note {
    /// The note as a sentence.
    pub fn text(self) -> &'static str {
        match self {
            Self::OwnWord => {
                "no key was given: this trusts the folder's own word, that its checkpoints are the \
                 server's; form, name and root were checked, signatures were not (--key)"
            }
            Self::OwnKeys => {
                "no key was given: signatures were checked with the folder's own signing key (--key)"
            }
            Self::NotOpened => {
                "no payload was opened: whether wrapped keys and payloads open, entries are well \
                 formed and subject indexes name them all, shows only with the KEK (--deep)"
            }
            Self::NoIndexKey => {
                "subject indexes were opened, but not rebuilt from the entries: the index key was \
                 not at hand"
            }
        }
    }
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

/// What was read.
/// Of this check alone, but for `covered`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Segment files.
    pub segments: u64,
    /// Whole frames.
    pub links: u64,
    /// Entries that their links state.
    pub entries: u64,
    /// Entries whose payload was opened.
    pub opened: u64,
    /// Entries under a checkpoint, those before this check's start included.
    /// It is what the summary counts: entries that no checkpoint covers are not verified.
    pub covered: u64,
    /// Bytes of frames.
    pub bytes: u64,
}

/// All that the check of a log has to say.
#[derive(Debug)]
pub struct LogReport {
    /// The log's name.
    pub log: String,
    /// The log's origin, where a checkpoint or a header says it.
    pub origin: Option<String>,
    /// The gravest verdict.
    pub verdict: Verdict,
    /// Findings, from the log's start to its end.
    pub findings: Vec<Finding>,
    /// Findings beyond those listed.
    pub unlisted_findings: u64,
    /// What is covered and what is not.
    pub coverage: Vec<Coverage>,
    /// Counts.
    pub counts: Counts,
    /// What could not be checked.
    pub notes: Vec<Note>,
    /// Behind the last closed segment under the checkpoint, where a later check may go on;
    /// none if there was a finding.
    /// Kept where it can be altered, it is worth no more than that place.
    pub resume: Option<Sequencer>,
}

/// A log that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Its name.
    pub log: String,
    /// Its origin, where a checkpoint or a header says it.
    pub origin: Option<String>,
}

/// What the checks of all logs have to say.
#[derive(Debug, Default)]
pub struct Report {
    /// The logs.
    pub logs: Vec<Checked>,
    /// Findings, log by log.
    pub findings: Vec<Finding>,
    /// Findings beyond those listed.
    pub unlisted_findings: u64,
    /// What is covered and what is not.
    pub coverage: Vec<Coverage>,
    /// Counts over all logs.
    pub counts: Counts,
    /// What could not be checked.
    pub notes: Vec<Note>,
    /// None before the first report.
    gravest: Option<Verdict>,
}

impl Report {
    /// Adds a log's report.
    /// Findings beyond `MAX_FINDINGS` over all logs are counted, not kept.
    pub fn add(&mut self, log: LogReport) {
        self.gravest = self.gravest.max(Some(log.verdict));
        self.logs.push(Checked {
            log: log.log,
            origin: log.origin,
        });
        self.unlisted_findings += log.unlisted_findings;
        for finding in log.findings {
            self.add_finding(finding);
        }
        self.coverage.extend(log.coverage);
        self.notes.extend(log.notes);
        self.notes.sort_unstable();
        self.notes.dedup();
        let (sum, more) = (&mut self.counts, log.counts);
        sum.segments += more.segments;
        sum.links += more.links;
        sum.entries += more.entries;
        sum.opened += more.opened;
        sum.covered += more.covered;
        sum.bytes += more.bytes;
    }

    /// A log of a data folder whose key was given, and that is not there, is a finding.
    ///
    /// Removing a log's whole folder leaves nothing behind that could be found wrong; only the
    /// reader's key for it knows.
    pub fn expect_logs(&mut self, keys: &[VerifierKey]) {
        for key in keys {
            // The server's own key, which signs manifests, is no log's.
            let Ok(origin) = Origin::parse_log(key.name()) else {
                continue;
            };
            let log = origin.folder();
            if self.logs.iter().all(|checked| checked.log != log) {
                self.add_finding(Finding {
                    step: Step::Links,
                    verdict: Verdict::Missing,
                    place: format!("logs/{log}"),
                    what: "a key was given for a log that is not there".into(),
                    expected: printable(origin.as_str()),
                    found: "nothing".into(),
                });
            }
        }
    }

    fn add_finding(&mut self, finding: Finding) {
        self.gravest = self.gravest.max(Some(finding.verdict));
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(finding);
        } else {
            self.unlisted_findings += 1;
        }
    }

    /// The gravest verdict.
    pub fn verdict(&self) -> Verdict {
        self.gravest.unwrap_or(Verdict::Verified)
    }

    /// Exit code: 0 sound, 3 something was found.
    pub fn exit_code(&self) -> u8 {
        if self.verdict() == Verdict::Verified {
            0
        } else {
            3
        }
    }

    /// The verdict in one line, with its count where it is good.
    pub fn summary(&self) -> String {
        let verdict = self.verdict();
        if verdict != Verdict::Verified {
            let count = self.findings.len() as u64 + self.unlisted_findings;
            let findings = if count == 1 { "finding" } else { "findings" };
            return format!("{verdict}: {count} {findings}");
        }
        let (covered, logs) = (self.counts.covered, self.logs.len());
        let entries = if covered == 1 { "entry" } else { "entries" };
        let logs = if logs == 1 {
            "1 log".to_owned()
        } else {
            format!("{logs} logs")
        };
        format!("VERIFIED: {covered} {entries} of {logs}, under checkpoints")
    }
}

/// What `verify --json` prints.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Form<'a> {
            verdict: Verdict,
            summary: String,
            logs: &'a [Checked],
            findings: &'a [Finding],
            unlisted_findings: u64,
            coverage: &'a [Coverage],
            counts: Counts,
            notes: &'a [Note],
        }
        let form = Form {
            verdict: self.verdict(),
            summary: self.summary(),
            logs: &self.logs,
            findings: &self.findings,
            unlisted_findings: self.unlisted_findings,
            coverage: &self.coverage,
            counts: self.counts,
            notes: &self.notes,
        };
        form.serialize(serializer)
    }
}
