//! Findings in words: what was expected, what was found, what it can mean, what to do.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::finding::{Finding, Kind};
use crate::messages::Lang;

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
        let (segment, link) = position(&finding.place);
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
            meaning: String::new(),
            advice: String::new(),
        }
    }

    /// Says what it can mean and what to do.
    pub(super) fn explain(&mut self, lang: Lang) {
        let kind = Kind::of(&self.step, &self.verdict, &self.what);
        let (meaning, advice) = kind.keys();
        self.kind = kind.word().to_owned();
        self.meaning = lang.get(meaning);
        self.advice = lang.get(advice);
    }
}

/// The segment and the link of a place as the verifier writes it,
/// `logs/NAME/segments/00000000000000000007.seg, byte 8, link 9`.
fn position(place: &str) -> (Option<u64>, Option<u64>) {
    let mut parts = place.split(", ");
    let file = parts
        .next()
        .and_then(|path| path.rsplit('/').next())
        .and_then(|name| name.strip_suffix(".key").or(Some(name)))
        .and_then(|name| name.strip_suffix(".seg"));
    let segment = file
        .filter(|digits| digits.len() == 20)
        .and_then(|digits| digits.parse().ok());
    let link = parts
        .find_map(|part| part.strip_prefix("link "))
        .and_then(|number| number.parse().ok());
    (segment, link.filter(|_| segment.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_the_verifier_writes_them() {
        let file = "logs/orders/segments/00000000000000000007.seg";
        for (place, expected) in [
            (file.to_owned(), (Some(7), None)),
            (format!("{file}, header"), (Some(7), None)),
            (format!("{file}.key"), (Some(7), None)),
            (format!("{file}, byte 8, link 9"), (Some(7), Some(9))),
            ("logs/orders/checkpoint.txt".to_owned(), (None, None)),
            ("logs/orders/segments/7.seg".to_owned(), (None, None)),
        ] {
            assert_eq!(position(&place), expected, "{place}");
        }
    }
}
