//! Verification jobs: the server checks its own logs as `estreat verify` does, beside its work.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::access::Reading;
use super::{Audit, AuditError, Caller};
use crate::cores;
use crate::finding::{Finding, Verdict};
use crate::ids::JobId;
use crate::ingest::Log;
use crate::random;
use crate::sequencer::Sequencer;
use crate::state::{JobStatus, Role, VerificationRow};
use crate::store::LogFolder;
use crate::verifier::{self, Counts, LogReport, Secrets, check_log};

/// What is to be checked.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct VerificationRequest {
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
    /// Findings: step, verdict, where, what, expected, found.
    #[schema(value_type = Vec<Object>)]
    pub findings: Vec<Value>,
    /// What is covered and what is not, and what could not be checked.
    pub coverage: Vec<String>,
    /// Segments, links, entries and bytes read.
    #[schema(value_type = Object)]
    pub counts: Value,
    /// Links that were in force at its end, for the next incremental check.
    pub covered: u64,
}

/// Verifications that run; one at a time reads the disk.
pub(super) struct Verifications {
    running: Mutex<HashMap<JobId, VerificationProgress>>,
    turn: Arc<tokio::sync::Semaphore>,
}

impl Default for Verifications {
    fn default() -> Self {
        Self {
            running: Mutex::default(),
            turn: Arc::new(tokio::sync::Semaphore::new(1)),
        }
    }
}

impl Audit {
    /// Asks for the verification of a log.
    pub async fn request_verification(
        self: &Arc<Self>,
        caller: &Caller,
        log: &str,
        request: VerificationRequest,
    ) -> Result<VerificationView, AuditError> {
        caller.require(&[Role::Auditor])?;
        let log = self.covered_log(caller, log)?;
        let id = JobId(random::bytes(&*self.parts.random));
        let what = json!({
            "verification": id.to_string(), "log": log.name.to_string(),
            "incremental": request.incremental, "deep": request.deep,
        });
        self.record(caller, &Reading::operation("verify", what))
            .await?;
        let row = VerificationRow {
            id,
            token: caller.id(),
            log: log.name.clone(),
            status: JobStatus::Queued,
            created_at: self.now(),
            finished_at: None,
            covered: 0,
            outcome: None,
        };
        self.parts.state.add_verification(&row).await?;
        self.verifications.note(id, VerificationProgress::default());
        tokio::spawn(self.clone().verify(id, log, request));
        Ok(self.verification_view(&row))
    }

    /// A verification's state.
    pub async fn verification(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<VerificationView, AuditError> {
        caller.require(&[Role::Auditor])?;
        let id = JobId::parse(id).ok_or(AuditError::NotFound("verification"))?;
        let row = self
            .parts
            .state
            .verification(id)
            .await?
            .ok_or(AuditError::NotFound("verification"))?;
        match caller.token().covers(&row.log) {
            true => Ok(self.verification_view(&row)),
            false => Err(AuditError::NotFound("verification")),
        }
    }

    /// The newest finished verification of a log.
    pub async fn last_verification(
        &self,
        caller: &Caller,
        log: &str,
    ) -> Result<Option<VerificationView>, AuditError> {
        caller.require(&[Role::Auditor, Role::Admin])?;
        let log = self.covered_log(caller, log)?;
        let row = self.parts.state.last_verification(&log.name).await?;
        Ok(row.map(|row| self.verification_view(&row)))
    }

    async fn verify(self: Arc<Self>, id: JobId, log: Arc<Log>, request: VerificationRequest) {
        let turn = self.verifications.turn.clone().acquire_owned().await;
        let done = self.clone().check(id, log, request).await;
        drop(turn);
        let (covered, outcome) = match done {
            Ok(outcome) => (
                outcome.covered,
                serde_json::to_string(&outcome).map_err(|error| error.to_string()),
            ),
            Err(error) => (0, Err(error.to_string())),
        };
        if let Err(error) = self
            .parts
            .state
            .finish_verification(id, self.now(), covered, outcome)
            .await
        {
            tracing::error!("verification {id}: {error}");
        }
        self.verifications.end(id);
    }

    async fn check(
        self: Arc<Self>,
        id: JobId,
        log: Arc<Log>,
        request: VerificationRequest,
    ) -> Result<VerificationOutcome, AuditError> {
        let start = if request.incremental {
            self.resume(&log).await?
        } else {
            None
        };
        self.parts.ingest.sign(&log).await;
        let checkpoint = self.parts.state.checkpoint(&log.name).await?;
        // The checkpoint of state.db, not its copy.
        let mut files = LogFolder::new(&self.parts.folder.logs().join(log.name.as_str()));
        if let Some(checkpoint) = checkpoint {
            files = files.with_checkpoint(checkpoint.note.into_bytes());
        }
        let this = self.clone();
        let checked = tokio::task::spawn_blocking(move || {
            this.check_files(id, &log, &files, start, request.deep)
        });
        let report = checked
            .await
            .map_err(|error| AuditError::Internal(error.to_string()))??;
        Ok(VerificationOutcome::of(&report))
    }

    fn check_files(
        &self,
        id: JobId,
        log: &Log,
        files: &LogFolder,
        start: Option<Sequencer>,
        deep: bool,
    ) -> io::Result<LogReport> {
        let keyring = &self.parts.keyring;
        let keys: Vec<_> = keyring.log_verifier(&log.name).into_iter().collect();
        let options = verifier::Options {
            name: Some(&log.name),
            keys: &keys,
            own_keys: false,
            secrets: deep.then_some(Secrets {
                kek: &keyring.kek,
                index: Some(&keyring.index),
            }),
            start,
            end: None,
            spread: Some(&|count, piece| cores::spread(cores::half(), count, piece)),
        };
        check_log(files, options, &mut |progress| {
            let Counts { links, entries, .. } = progress.counts;
            let (segment, segments) = (progress.segment, progress.segments);
            self.verifications.note(
                id,
                VerificationProgress {
                    segment,
                    segments,
                    links,
                    entries,
                },
            );
            match self.parts.ingest.is_stopping() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
    }

    /// Behind what the last check that found nothing has covered. The root is compared at the end
    /// all the same, so that a wrong row of the catalog would be a finding.
    async fn resume(&self, log: &Log) -> Result<Option<Sequencer>, AuditError> {
        let Some(last) = self.parts.state.last_verification(&log.name).await? else {
            return Ok(None);
        };
        let outcome: Option<VerificationOutcome> = last
            .outcome
            .as_deref()
            .and_then(|text| serde_json::from_str(text).ok());
        if outcome.is_none_or(|outcome| outcome.verdict != Verdict::Verified.to_string()) {
            return Ok(None);
        }
        let row = self
            .parts
            .catalog
            .last_segment_within(&log.name, last.covered)
            .await?;
        Ok(row.and_then(|row| row.behind(log.log_id)))
    }

    fn verification_view(&self, row: &VerificationRow) -> VerificationView {
        let done = row.status == JobStatus::Done;
        let outcome = row
            .outcome
            .as_deref()
            .filter(|_| done)
            .and_then(|text| serde_json::from_str(text).ok());
        let running = self.verifications.progress(row.id);
        let status = match (row.status, running) {
            (JobStatus::Queued, Some(progress)) if progress.segments > 0 => JobStatus::Running,
            (status, _) => status,
        };
        VerificationView {
            id: row.id.to_string(),
            log: row.log.to_string(),
            status: status.to_string(),
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

impl Verifications {
    fn note(&self, id: JobId, progress: VerificationProgress) {
        self.lock().insert(id, progress);
    }

    fn end(&self, id: JobId) {
        self.lock().remove(&id);
    }

    fn progress(&self, id: JobId) -> Option<VerificationProgress> {
        self.lock().get(&id).copied()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<JobId, VerificationProgress>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl VerificationOutcome {
    fn of(report: &LogReport) -> Self {
        let findings = report
            .findings
            .iter()
            .map(|finding: &Finding| serde_json::to_value(finding).unwrap_or_default());
        let coverage = report.coverage.iter().map(ToString::to_string);
        let notes = report.notes.iter().map(|note| note.text().to_owned());
        let count = report.findings.len() as u64 + report.unlisted_findings;
        let counts = &report.counts;
        let summary = match report.verdict {
            Verdict::Verified => format!(
                "VERIFIED: {} links, {} entries under the checkpoint",
                counts.links, counts.covered
            ),
            verdict if count == 1 => format!("{verdict}: 1 finding"),
            verdict => format!("{verdict}: {count} findings"),
        };
        Self {
            verdict: report.verdict.to_string(),
            summary,
            findings: findings.collect(),
            coverage: coverage.chain(notes).collect(),
            counts: serde_json::to_value(counts).unwrap_or_default(),
            covered: report
                .resume
                .as_ref()
                .map_or(0, |resume| resume.tree.size()),
        }
    }
}
