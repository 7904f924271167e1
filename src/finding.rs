//! Findings: the flaws that a verifier saw, in words.
//!
//! This module does not know what is verified: a bundle, or a log's folder.

mod kind;

use std::fmt;

use serde::{Serialize, Serializer};

use crate::limits::MAX_FINDINGS;
pub use kind::Kind;

/// The steps of a check, in their order (`FORMAT.md`, "Bundle"). The check of a log's folder
/// has `checkpoint`, `links`, `entries` and `subject`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Every file is there as the manifest lists it, and no other.
    Manifest,
    /// The checkpoint's signature and name.
    Checkpoint,
    /// The form of proof.json.
    Proof,
    /// The links and the log tree.
    Links,
    /// The entries and the batch trees.
    Entries,
    /// As many lines as the proof has.
    Count,
    /// Exactly the entries that name the subject.
    Subject,
    /// What no closed segment covers, and what is withheld or erased.
    Coverage,
}

impl Step {
    /// All steps.
    pub const ALL: [Self; 8] = [
        Self::Manifest,
        Self::Checkpoint,
        Self::Proof,
        Self::Links,
        Self::Entries,
        Self::Count,
        Self::Subject,
        Self::Coverage,
    ];

    /// The keys of two messages: its name, and what a finding in it means.
    pub fn keys(self) -> [&'static str; 2] {
        match self {
            Self::Manifest => ["checker-step-manifest", "checker-means-manifest"],
            Self::Checkpoint => ["checker-step-checkpoint", "checker-means-checkpoint"],
            Self::Proof => ["checker-step-proof", "checker-means-proof"],
            Self::Links => ["checker-step-links", "checker-means-links"],
            Self::Entries => ["checker-step-entries", "checker-means-entries"],
            Self::Count => ["checker-step-count", "checker-means-count"],
            Self::Subject => ["checker-step-subject", "checker-means-subject"],
            Self::Coverage => ["checker-step-coverage", "checker-does-coverage"],
        }
    }

    /// The step with a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }

    /// The step's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Manifest => "manifest",
            Self::Checkpoint => "checkpoint",
            Self::Proof => "proof",
            Self::Links => "links",
            Self::Entries => "entries",
            Self::Count => "count",
            Self::Subject => "subject",
            Self::Coverage => "coverage",
        }
    }
}

/// The verdicts, the gravest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing was found.
    Verified,
    /// Everything fits, but no key was given that says under whose name.
    UnknownKey,
    /// entries.ndjson ends early, or a log has fewer links than its checkpoint.
    Truncated,
    /// A file, link, entry or segment that must be there is not.
    Missing,
    /// Anything else.
    Altered,
}

impl Verdict {
    /// All verdicts, the gravest last.
    pub const ALL: [Self; 5] = [
        Self::Verified,
        Self::UnknownKey,
        Self::Truncated,
        Self::Missing,
        Self::Altered,
    ];

    /// The verdict with a word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.word() == word)
    }

    /// The key of its message, for people: the word, and beside it what it says in their language.
    pub fn key(self) -> &'static str {
        match self {
            Self::Verified => "verdict-verified",
            Self::UnknownKey => "verdict-unknown-key",
            Self::Truncated => "verdict-truncated",
            Self::Missing => "verdict-missing",
            Self::Altered => "verdict-altered",
        }
    }

    /// The verdict's word, the same everywhere.
    pub fn word(self) -> &'static str {
        match self {
            Self::Verified => "VERIFIED",
            Self::UnknownKey => "UNKNOWN KEY",
            Self::Truncated => "TRUNCATED",
            Self::Missing => "MISSING",
            Self::Altered => "ALTERED",
        }
    }
}

macro_rules! as_word {
    ($name:ident, $word:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.$word())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.$word())
            }
        }
    };
}

as_word!(Step, name);
as_word!(Verdict, word);

/// A flaw that the verifier saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The step that found it.
    pub step: Step,
    /// Its weight.
    pub verdict: Verdict,
    /// The file, and the place in it.
    #[serde(rename = "where")]
    pub place: String,
    /// What is wrong.
    pub what: String,
    /// What should be there.
    pub expected: String,
    /// What is there.
    pub found: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}: {}", self.verdict, self.place, self.what)
    }
}

/// Findings, as many as are listed.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) list: Vec<Finding>,
    pub(crate) unlisted: u64,
    gravest: Option<Verdict>,
}

impl Findings {
    pub(crate) fn at(&mut self, step: Step, place: impl Into<String>) -> Place<'_> {
        let place = place.into();
        Place {
            findings: self,
            step,
            place,
        }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        self.gravest.unwrap_or(Verdict::Verified)
    }

    fn add(&mut self, finding: Finding) {
        self.gravest = self.gravest.max(Some(finding.verdict));
        if self.list.len() < MAX_FINDINGS {
            self.list.push(finding);
        } else {
            self.unlisted += 1;
        }
    }
}

/// A step and a place, where findings are made.
pub(crate) struct Place<'f> {
    findings: &'f mut Findings,
    step: Step,
    place: String,
}

impl Place<'_> {
    /// A place inside this one.
    pub(crate) fn inside(&mut self, detail: impl fmt::Display) -> Place<'_> {
        let place = format!("{}, {detail}", self.place);
        Place {
            findings: self.findings,
            step: self.step,
            place,
        }
    }

    pub(crate) fn altered(&mut self, what: &str, expected: impl ToString, found: impl ToString) {
        self.add(Verdict::Altered, what, expected, found);
    }

    pub(crate) fn missing(&mut self, what: &str, expected: impl ToString) {
        self.add(Verdict::Missing, what, expected, "nothing");
    }

    pub(crate) fn add(
        &mut self,
        verdict: Verdict,
        what: &str,
        expected: impl ToString,
        found: impl ToString,
    ) {
        self.findings.add(Finding {
            step: self.step,
            verdict,
            place: printable(&self.place),
            what: what.to_owned(),
            expected: printable(&expected.to_string()),
            found: printable(&found.to_string()),
        });
    }

    /// A finding unless both are equal.
    pub(crate) fn equal<T: PartialEq + ToString>(&mut self, what: &str, expected: T, found: T) {
        if expected != found {
            self.altered(what, expected, found);
        }
    }
}

/// Longest text that a finding quotes, in characters.
const MAX_QUOTE_CHARS: usize = 300;

/// Text from what is verified as one line that hides nothing: whoever made that chose it, so
/// it may hold terminal controls, marks that turn the reading direction, or accents that
/// only look like others.
pub(crate) fn printable(text: &str) -> String {
    let mut line = String::new();
    for (at, c) in text.chars().enumerate() {
        match c {
            _ if at == MAX_QUOTE_CHARS => {
                line.push('…');
                break;
            }
            '"' | '\'' => line.push(c),
            _ => line.extend(c.escape_debug()),
        }
    }
    line
}
