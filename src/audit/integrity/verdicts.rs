//! What the last check that covered a segment said of it.

use std::collections::HashMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::VerificationOutcome;
use crate::audit::{Audit, AuditError};
use crate::finding::Verdict;
use crate::ids::{JobId, LogName, SegmentNumber};
use crate::messages::Lang;
use crate::state::CheckedRange;

/// What the last check that covered a segment said of it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SegmentVerdict {
    /// VERIFIED, if that check found nothing anywhere; else the gravest finding in this segment;
    /// absent if that check found something elsewhere only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The verdict of the whole check.
    pub check_verdict: String,
    /// The check; its own page may be gone if it found nothing.
    pub verification: String,
    /// When it ended.
    pub checked_at: String,
    /// Links of this segment in which something was found.
    pub links: Vec<u64>,
}

/// What checks have last said of some segments of a log.
pub(in crate::audit) struct Verdicts {
    ranges: Vec<CheckedRange>,
    /// The findings of those checks that have some: segment, link, verdict.
    findings: HashMap<JobId, Vec<(SegmentNumber, Option<u64>, String)>>,
}

impl Audit {
    /// What is known of a log's segments `first ≤ segment < end`.
    pub(in crate::audit) async fn verdicts(
        &self,
        log: &LogName,
        first: SegmentNumber,
        end: SegmentNumber,
    ) -> Result<Verdicts, AuditError> {
        let state = &self.parts.state;
        let ranges = state.checked_ranges(log, first, end).await?;
        let mut findings = HashMap::new();
        for range in ranges.iter().filter(|range| !is_sound(&range.verdict)) {
            if findings.contains_key(&range.verification) {
                continue;
            }
            let row = state.verification(range.verification).await?;
            let text = row.and_then(|row| row.outcome).unwrap_or_default();
            let outcome = VerificationOutcome::read(&text, Lang::default());
            let listed = outcome.map_or_else(Vec::new, |outcome| outcome.findings);
            let listed = listed
                .into_iter()
                .filter_map(|it| Some((it.segment?, it.link, it.verdict)));
            findings.insert(range.verification, listed.collect());
        }
        Ok(Verdicts { ranges, findings })
    }
}

impl Verdicts {
    /// Of one segment; none if no check has covered it.
    pub(in crate::audit) fn of(&self, segment: SegmentNumber) -> Option<SegmentVerdict> {
        let mut ranges = self.ranges.iter();
        let range = ranges.find(|range| range.first <= segment && segment < range.end)?;
        let all = self.findings.get(&range.verification);
        let own = all.into_iter().flatten().filter(|it| it.0 == segment);
        let own: Vec<_> = own.collect();
        let gravest = own.iter().map(|(_, _, verdict)| verdict);
        let verdict = match is_sound(&range.verdict) {
            true => Some(range.verdict.clone()),
            false => gravest.max_by_key(|verdict| Verdict::of(verdict)).cloned(),
        };
        Some(SegmentVerdict {
            verdict,
            check_verdict: range.verdict.clone(),
            verification: range.verification.to_string(),
            checked_at: range.finished_at.to_string(),
            links: own.iter().filter_map(|(_, link, _)| *link).collect(),
        })
    }
}

/// Any other word is a finding, also one of a later version.
fn is_sound(verdict: &str) -> bool {
    verdict == Verdict::Verified.word()
}
