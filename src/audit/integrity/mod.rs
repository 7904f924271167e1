//! Integrity: the server checks its own logs as `estreat verify` does, beside its work.
//!
//! Checks wait in `state.db` and are made one at a time. One that a stop has cut off goes on, at
//! the next start, behind the last whole segment up to which it had found nothing.
//!
//! The server's word about itself is worth what its machine is worth; a check here finds a disk
//! that forgets and a hand that was clumsy. Whoever trusts the machine less runs `estreat verify`
//! elsewhere.

mod links;
mod run;
mod schedule;
mod verdicts;
mod words;

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Notify;
use utoipa::ToSchema;

pub use links::{SegmentLink, SegmentLinks};
pub use verdicts::SegmentVerdict;
pub use words::FindingView;

use super::access::Reading;
use super::{Audit, AuditError, Caller, rights};
use crate::ids::{JobId, LogName, TokenId};
use crate::ingest::Log;
use crate::limits::{MAX_PAGE_ROWS, MAX_WAITING_CHECKS};
use crate::messages::{Lang, Said};
use crate::random;
use crate::state::{JobStatus, VerificationQuery, VerificationRow};
use crate::time::Timestamp;
use crate::verifier::Coverage;

/// What is to be checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct VerificationRequest {
    /// Only what came since the last check that found nothing.
    pub incremental: bool,
    /// Also open every payload and rebuild the subject indexes.
    pub deep: bool,
    /// Only from this closed segment on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_segment: Option<u64>,
    /// Only up to this closed segment, which is checked too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_segment: Option<u64>,
}

/// Which logs are to be checked, and how.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct VerificationsRequest {
    /// The logs; all that the account covers, if absent.
    pub logs: Option<Vec<String>>,
    /// Only what came since the last check that found nothing.
    pub incremental: bool,
    /// Also open every payload and rebuild the subject indexes.
    pub deep: bool,
}

/// A verification, as it is shown.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct VerificationView {
    /// The job.
    pub id: String,
    /// The log.
    pub log: String,
    /// queued, running, done or failed.
    pub status: String,
    /// What was asked.
    pub request: VerificationRequest,
    /// Whether the server's schedule asked.
    pub scheduled: bool,
    /// How far it is.
    pub progress: VerificationProgress,
    /// When it was asked.
    pub created_at: String,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<String>,
    /// Verdict, findings and coverage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<VerificationOutcome>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// How far a verification is.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub struct VerificationProgress {
    /// The segment that is read.
    pub segment: u64,
    /// Segments that there are.
    pub segments: u64,
    /// Links read.
    pub links: u64,
    /// Entries that they state.
    pub entries: u64,
}

/// What a verification found.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct VerificationOutcome {
    /// VERIFIED, or the gravest finding.
    pub verdict: String,
    /// The verdict in one line.
    pub summary: String,
    /// What was found, in words.
    pub findings: Vec<FindingView>,
    /// Findings beyond those listed.
    pub unlisted_findings: u64,
    /// What is covered and what is not, and what could not be checked.
    pub coverage: Vec<String>,
    /// What is covered and what is not, as data: the form of `estreat verify --json`.
    #[serde(default)]
    #[schema(value_type = Vec<Object>)]
    pub extents: Vec<Coverage>,
    /// Segments, links, entries and bytes read.
    #[schema(value_type = Object)]
    pub counts: Value,
    /// Links that were in force at its end, for the next incremental check.
    pub covered: u64,
    /// The first segment that it has read.
    pub first_segment: u64,
    /// Where it went on after a stop of the server had cut it off; what lies before was read
    /// before the stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumed_at: Option<u64>,
}

/// Verifications, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct VerificationsPage {
    /// The verifications.
    pub verifications: Vec<VerificationView>,
    /// How many wait or run, over all logs.
    pub waiting: u64,
    /// Where the next page begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Which verifications are listed.
#[derive(Debug, Clone, Default)]
pub struct VerificationsFilter {
    /// Of this log only.
    pub log: Option<String>,
    /// Only those that have found something, or failed.
    pub found: bool,
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// Rows of a page; 100 if absent, at most 1,000.
    pub limit: Option<u32>,
}

/// The check that is being made; the others wait in `state.db`.
#[derive(Default)]
pub(super) struct Verifications {
    /// Held for a copy; the check itself writes it some times a second.
    running: Mutex<Option<(JobId, VerificationProgress)>>,
    /// One permit is kept, so that a check that is asked for just before the wait is not
    /// overlooked.
    wake: Arc<Notify>,
}

impl Audit {
    /// Makes the checks that wait, and those that are due.
    pub(super) fn spawn_verifications(self: &Arc<Self>) {
        let wake = self.verifications.wake.clone();
        tokio::spawn(run::run(Arc::downgrade(self), wake));
        tokio::spawn(schedule::run(Arc::downgrade(self)));
    }

    /// Asks for the verification of a log.
    pub async fn request_verification(
        &self,
        caller: &Caller,
        log: &str,
        request: VerificationRequest,
        lang: Lang,
    ) -> Result<VerificationView, AuditError> {
        caller.require(rights::VERIFY)?;
        let log = self.covered_log(caller, log)?;
        self.check_range(&log, &request).await?;
        let mut what = json!(request);
        what["log"] = log.name.to_string().into();
        self.record(caller, &Reading::operation("verify", what))
            .await?;
        let row = self
            .add_verification(&log.name, caller.id(), request, false)
            .await?;
        Ok(self.verification_view(&row, lang))
    }

    /// Asks for the verification of several logs, or of all that the account covers; gives how
    /// many were asked for.
    pub async fn request_verifications(
        &self,
        caller: &Caller,
        request: &VerificationsRequest,
    ) -> Result<u64, AuditError> {
        caller.require(rights::VERIFY)?;
        let logs = match &request.logs {
            Some(names) => self.requested_logs(caller, Some(names))?,
            None => self.covered_logs(caller),
        };
        let one = VerificationRequest {
            incremental: request.incremental,
            deep: request.deep,
            ..VerificationRequest::default()
        };
        let mut what = json!(one);
        what["logs"] = json!(request.logs);
        self.record(caller, &Reading::operation("verify", what))
            .await?;
        let mut asked = 0;
        for log in logs.iter().filter(|log| log.head().links > 0) {
            self.add_verification(&log.name, caller.id(), one, false)
                .await?;
            asked += 1;
        }
        Ok(asked)
    }

    /// A verification's state.
    pub async fn verification(
        &self,
        caller: &Caller,
        id: &str,
        lang: Lang,
    ) -> Result<VerificationView, AuditError> {
        caller.require(rights::VERIFY)?;
        let id = JobId::parse(id).ok_or(AuditError::NotFound("thing-verification"))?;
        let row = self
            .parts
            .state
            .verification(id)
            .await?
            .ok_or(AuditError::NotFound("thing-verification"))?;
        match caller.token().covers(&row.log) {
            true => Ok(self.verification_view(&row, lang)),
            false => Err(AuditError::NotFound("thing-verification")),
        }
    }

    /// Verifications of the logs that the account covers.
    pub async fn verifications(
        &self,
        caller: &Caller,
        filter: &VerificationsFilter,
        lang: Lang,
    ) -> Result<VerificationsPage, AuditError> {
        caller.require(rights::VERIFY)?;
        let limit = page_rows(filter.limit)?;
        let before = filter.cursor.as_deref().map(parse_cursor).transpose()?;
        let one = match &filter.log {
            Some(log) => Some(vec![self.covered_log(caller, log)?.name.clone()]),
            None => caller.token().logs.clone(),
        };
        let query = VerificationQuery {
            logs: one.as_deref(),
            found: filter.found,
            before,
            limit: limit + 1,
        };
        let mut rows = self.parts.state.verifications(query).await?;
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let last = rows.last().filter(|_| more);
        Ok(VerificationsPage {
            cursor: last.map(|row| format!("{}-{}", row.created_at.0, row.id)),
            waiting: self.parts.state.waiting_verifications().await?,
            verifications: rows
                .iter()
                .map(|row| self.verification_view(row, lang))
                .collect(),
        })
    }

    /// The newest finished verification of a log.
    pub async fn last_verification(
        &self,
        caller: &Caller,
        log: &str,
        lang: Lang,
    ) -> Result<Option<VerificationView>, AuditError> {
        caller.require(rights::SEE_VERDICTS)?;
        let log = self.covered_log(caller, log)?;
        let row = self.parts.state.last_verification(&log.name).await?;
        Ok(row.map(|row| self.verification_view(&row, lang)))
    }

    /// Puts a check behind those that wait.
    async fn add_verification(
        &self,
        log: &LogName,
        asker: TokenId,
        request: VerificationRequest,
        scheduled: bool,
    ) -> Result<VerificationRow, AuditError> {
        if self.parts.state.waiting_verifications().await? >= MAX_WAITING_CHECKS {
            return Err(AuditError::Unavailable("refusal-checks-waiting".into()));
        }
        let request = serde_json::to_string(&request);
        let row = VerificationRow {
            id: JobId(random::bytes(&*self.parts.random)),
            token: asker,
            log: log.clone(),
            status: JobStatus::Queued,
            created_at: self.now(),
            finished_at: None,
            covered: 0,
            outcome: None,
            request: request.map_err(|error| AuditError::Internal(error.to_string()))?,
            scheduled,
        };
        self.parts.state.add_verification(&row).await?;
        self.verifications.wake.notify_one();
        Ok(row)
    }

    /// Refuses a range of segments that are not there.
    async fn check_range(
        &self,
        log: &Log,
        request: &VerificationRequest,
    ) -> Result<(), AuditError> {
        let first = request.first_segment.unwrap_or(0);
        let Some(most) = request.last_segment.max(request.first_segment) else {
            return Ok(());
        };
        if request.last_segment.is_some_and(|last| last < first) {
            return Err(AuditError::invalid(
                "last_segment",
                "refusal-segments-order",
            ));
        }
        let end = self.closed_segments(&log.name).await?;
        if most < end {
            return Ok(());
        }
        let there = match end {
            0 => Said::new("refusal-segments-none"),
            end => Said::new("refusal-segments").count("last", end - 1),
        };
        let field = match first < end {
            true => "last_segment",
            false => "first_segment",
        };
        Err(AuditError::invalid(field, there))
    }

    /// How many closed segments of a log the catalog knows.
    async fn closed_segments(&self, log: &LogName) -> Result<u64, AuditError> {
        let row = self
            .parts
            .catalog
            .last_segment_within(log, i64::MAX as u64)
            .await?;
        Ok(row.map_or(0, |row| row.number + 1))
    }

    /// A row as it is shown. `state.db` knows no check that runs: what this process is at is in
    /// memory.
    fn verification_view(&self, row: &VerificationRow, lang: Lang) -> VerificationView {
        let done = row.status == JobStatus::Done;
        let running = self.verifications.progress(row.id);
        let status = match (row.status, running) {
            (JobStatus::Queued, Some(_)) => JobStatus::Running,
            (status, _) => status,
        };
        let text = row.outcome.as_deref().filter(|_| done);
        let outcome = text.and_then(|text| VerificationOutcome::read(text, lang));
        VerificationView {
            id: row.id.to_string(),
            log: row.log.to_string(),
            status: status.to_string(),
            request: serde_json::from_str(&row.request).unwrap_or_default(),
            scheduled: row.scheduled,
            progress: running.unwrap_or_default(),
            created_at: row.created_at.to_string(),
            finished_at: row.finished_at.map(|at| at.to_string()),
            outcome,
            failure: row
                .outcome
                .clone()
                .filter(|_| row.status == JobStatus::Failed),
        }
    }
}

impl VerificationOutcome {
    /// An outcome as it rests, its findings in words.
    fn read(text: &str, lang: Lang) -> Option<Self> {
        let mut outcome: Self = serde_json::from_str(text).ok()?;
        for finding in &mut outcome.findings {
            finding.explain(lang);
        }
        Some(outcome)
    }
}

impl Verifications {
    /// Says how far the check is.
    fn note(&self, id: JobId, progress: VerificationProgress) {
        *self.lock() = Some((id, progress));
    }

    /// No check runs.
    fn end(&self) {
        *self.lock() = None;
    }

    /// How far a check is, if it is the one that runs.
    fn progress(&self, id: JobId) -> Option<VerificationProgress> {
        let running = *self.lock();
        running
            .filter(|(running, _)| *running == id)
            .map(|(_, progress)| progress)
    }

    /// The lock, poisoned or not.
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<(JobId, VerificationProgress)>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The rows of a page as asked for.
pub(super) fn page_rows(limit: Option<u32>) -> Result<u32, AuditError> {
    match limit.unwrap_or(100) {
        limit if limit > 0 && limit <= MAX_PAGE_ROWS => Ok(limit),
        _ => Err(AuditError::page_rows(MAX_PAGE_ROWS.into())),
    }
}

/// `MICROSECONDS-ID` of the last row of the page before.
fn parse_cursor(text: &str) -> Result<(Timestamp, JobId), AuditError> {
    let parts = text
        .split_once('-')
        .and_then(|(at, id)| Some((Timestamp(at.parse().ok()?), JobId::parse(id)?)));
    parts.ok_or_else(|| AuditError::invalid("cursor", "refusal-cursor"))
}
