//! Findings in words: what was expected, what was found, what it can mean, what to do.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::VerificationOutcome;
use super::run::{UNANCHORED, unread};
use crate::audit::coverage::said_or_written;
use crate::finding::{Finding, Kind, Verdict};
use crate::messages::{Lang, Said};
use crate::verifier::Note;

/// What a verification found at one place.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FindingView {
    /// The step that found it.
    pub step: String,
    /// Its weight: ALTERED, MISSING, TRUNCATED or UNKNOWN KEY.
    pub verdict: String,
    /// The file, and the place in it.
    #[serde(rename = "where")]
    pub place: String,
    /// What is wrong.
    pub what: String,
    /// What should be there.
    pub expected: String,
    /// What is there.
    pub found: String,
    /// The segment, where it lies in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment: Option<u64>,
    /// The link, where it lies in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<u64>,
    /// Its kind, one word.
    #[serde(default)]
    pub kind: String,
    /// What is wrong, as its kind says it.
    #[serde(default)]
    pub title: String,
    /// What a finding of this kind can mean.
    #[serde(default)]
    pub meaning: String,
    /// What to do.
    #[serde(default)]
    pub advice: String,
}

impl FindingView {
    /// A finding of a verifier, without meaning and advice: those are in the reader's language.
    pub(super) fn of(finding: &Finding) -> Self {
        let (segment, link) = position(finding);
        Self {
            step: finding.step.to_string(),
            verdict: finding.verdict.to_string(),
            place: finding.place.clone(),
            what: finding.what.clone(),
            expected: finding.expected.clone(),
            found: finding.found.clone(),
            segment,
            link,
            kind: String::new(),
            title: String::new(),
            meaning: String::new(),
            advice: String::new(),
        }
    }

    /// Says what it can mean and what to do.
    pub(super) fn explain(&mut self, lang: Lang) {
        let kind = Kind::of(&self.step, &self.verdict, &self.what);
        let [title, meaning, advice] = kind.keys();
        self.kind = kind.word().to_owned();
        self.title = lang.get(title);
        self.meaning = lang.get(meaning);
        self.advice = lang.get(advice);
    }
}

impl VerificationOutcome {
    /// What is covered, what is not, and what could not be checked, in whichever language it is
    /// read; `None` beside the words of an outcome from before there were data.
    pub fn coverage_said(&self) -> Vec<(Option<Said>, &str)> {
        said_or_written(&self.coverage, |at| match self.extents.get(at) {
            Some(extent) => Some(extent.said()),
            None => self.note_said(&self.coverage[at]),
        })
    }

    /// What a note among the lines of coverage says to people.
    fn note_said(&self, text: &str) -> Option<Said> {
        if unread(self.first_segment).is_some_and(|it| it == text) {
            let unread = Said::new("extent-unread").count("segment", self.first_segment - 1);
            return Some(
                Said::new("checker-finding")
                    .said("verdict", "checker-not-covered")
                    .said("what", unread),
            );
        }
        let note = Note::ALL.into_iter().find(|note| note.text() == text);
        let key = note.map(Note::key);
        let loose = (text == UNANCHORED).then_some("extent-unanchored");
        key.or(loose).map(Said::new)
    }

    /// The verdict in one line, with its counts where it is good.
    pub fn summary_said(&self) -> Said {
        let verdict = Verdict::of(&self.verdict).unwrap_or(Verdict::Altered);
        let findings = self.findings.len() as u64 + self.unlisted_findings;
        let count = |name| self.counts.get(name).and_then(Value::as_u64).unwrap_or(0);
        match verdict {
            Verdict::Verified => Said::new("verification-summary")
                .count("links", count("links"))
                .count("entries", count("covered"))
                .said("verdict", verdict.key()),
            _ => Said::new("checker-summary")
                .count("n", findings)
                .said("verdict", verdict.key()),
        }
    }
}

/// The segment and the link of a finding. The place is as the verifier writes it,
/// `logs/NAME/segments/00000000000000000007.seg, byte 8, link 9`; where no frame is whole, the link
/// is what was expected there.
fn position(finding: &Finding) -> (Option<u64>, Option<u64>) {
    let mut parts = finding.place.split(", ");
    let file = parts
        .next()
        .and_then(|path| path.rsplit('/').next())
        .and_then(|name| name.strip_suffix(".key").or(Some(name)))
        .and_then(|name| name.strip_suffix(".seg"));
    let segment = file
        .filter(|digits| digits.len() == 20)
        .and_then(|digits| digits.parse().ok());
    let link = parts
        .chain([finding.expected.as_str()])
        .find_map(|part| part.strip_prefix("link "))
        .and_then(|number| number.parse().ok());
    (segment, link.filter(|_| segment.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Step;

    #[test]
    fn outcomes_from_before_there_were_data_keep_their_words() {
        let outcome = serde_json::json!({
            "verdict": "ALTERED", "summary": "ALTERED: 2 findings", "findings": [], "unlisted_findings": 2,
            "coverage": ["orders: NOT COVERED, entries 1 to 2", Note::NotOpened.text(), UNANCHORED],
            "counts": {}, "covered": 0, "first_segment": 0,
        });
        let outcome: VerificationOutcome = serde_json::from_value(outcome).unwrap();
        let said = outcome.coverage_said();
        assert_eq!(said[0], (None, "orders: NOT COVERED, entries 1 to 2"));
        assert_eq!(said[1].0, Some(Said::new("extent-not-opened")));
        assert_eq!(said[2].0, Some(Said::new("extent-unanchored")));
        let german = outcome.summary_said().text(Lang::German);
        assert_eq!(german, "ALTERED (verändert): 2 Befunde");
    }

    #[test]
    fn places_are_read_as_the_verifier_writes_them() {
        let file = "logs/orders/segments/00000000000000000007.seg";
        for (place, asked, expected) in [
            (file.to_owned(), "", (Some(7), None)),
            (format!("{file}, header"), "", (Some(7), None)),
            (format!("{file}.key"), "", (Some(7), None)),
            (format!("{file}, byte 8, link 9"), "4", (Some(7), Some(9))),
            (format!("{file}, byte 8"), "link 9", (Some(7), Some(9))),
            ("logs/orders/checkpoint.txt".to_owned(), "", (None, None)),
            ("logs/orders/segments/7.seg".to_owned(), "", (None, None)),
        ] {
            let finding = Finding {
                step: Step::Links,
                verdict: Verdict::Altered,
                place,
                what: "no whole frame".into(),
                expected: asked.into(),
                found: String::new(),
            };
            assert_eq!(position(&finding), expected, "{finding}");
        }
    }
}
