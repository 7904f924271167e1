//! What came of an export, in whichever language it is read.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Outcome;
use crate::audit::coverage::said_or_written;
use crate::bundle::{Coverage, Extent, Finding};
use crate::finding::{Step, Verdict};
use crate::messages::Said;

/// Findings of one step of the check and one weight.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FoundInStep {
    /// The step: manifest, checkpoint, proof, links, entries, count, subject or coverage.
    pub step: String,
    /// Their weight: ALTERED, MISSING, TRUNCATED or UNKNOWN KEY.
    pub verdict: String,
    /// How many.
    pub count: u64,
}

impl Outcome {
    /// What is covered and what is not, in whichever language it is read; `None` beside the words
    /// of an outcome from before there were data.
    pub fn coverage_said(&self) -> Vec<(Option<Said>, &str)> {
        said_or_written(&self.coverage, |at| {
            self.extents.get(at).map(Coverage::said)
        })
    }

    /// What the findings mean, step by step, in whichever language it is read.
    pub fn found_said(&self) -> Vec<Said> {
        let said = |found: &FoundInStep| {
            let [name, means] = Step::of(&found.step)?.keys();
            let said =
                Said::new("export-found").said("verdict", Verdict::of(&found.verdict)?.key());
            let said = said.said("means", means).said("step", name);
            Some(said.count("n", found.count))
        };
        self.found.iter().filter_map(said).collect()
    }

    /// The verdict in one line, with its count where it is good, on what it says of this subject.
    pub fn summary_said(&self, subject: &str) -> Said {
        let verdict = Verdict::of(&self.verdict).unwrap_or(Verdict::Altered);
        if verdict != Verdict::Verified {
            let summary = Said::new("checker-summary").said("verdict", verdict.key());
            return summary.count("n", self.findings.len() as u64 + self.unlisted_findings);
        }
        let erased = |it: &&Coverage| matches!(it.extent, Extent::Erased { .. });
        let erased = self.extents.iter().filter(erased).count() as u64;
        let named = Said::new("report-verified")
            .count("entries", self.entries)
            .outside("subject", subject);
        let hidden = [
            ("report-of-them-withheld", self.withheld),
            ("report-of-them-erased", erased),
        ];
        let hidden = hidden.into_iter().filter(|(_, count)| *count > 0);
        hidden.fold(named, |line, (key, count)| {
            let hidden = Said::new(key).count("n", count);
            Said::new("export-summary")
                .said("first", line)
                .said("second", hidden)
        })
    }
}

impl FoundInStep {
    /// Counts findings, in the order of the first of each step and weight.
    pub(super) fn count(findings: &[Finding]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for finding in findings {
            let (step, verdict) = (finding.step.name(), finding.verdict.word());
            match all
                .iter_mut()
                .find(|it| it.step == step && it.verdict == verdict)
            {
                Some(same) => same.count += 1,
                None => all.push(Self {
                    step: step.into(),
                    verdict: verdict.into(),
                    count: 1,
                }),
            }
        }
        all
    }
}
