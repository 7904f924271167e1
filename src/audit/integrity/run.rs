//! Making the checks that wait, one at a time, on half of the cores at most.

use std::io;
use std::ops::ControlFlow;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::{FindingView, VerificationOutcome, VerificationProgress, VerificationRequest};
use crate::audit::tree::LogTree;
use crate::audit::{Audit, AuditError};
use crate::cores;
use crate::finding::{Finding, Step, Verdict};
use crate::ids::SegmentNumber;
use crate::ingest::{Log, Phase};
use crate::merkle::partial;
use crate::sequencer::Sequencer;
use crate::state::{Finished, StoredCheckpoint, VerificationRow};
use crate::store::LogFolder;
use crate::verifier::{self, LogReport, Progress, Secrets, check_log};

/// How long to wait where nothing can be done now.
const PAUSE: Duration = Duration::from_secs(1);
/// How often at most it is noted where a check may go on.
const NOTE_INTERVAL: Duration = Duration::from_millis(250);

/// Makes checks as long as there is a server.
pub(super) async fn run(audit: Weak<Audit>, wake: Arc<Notify>) {
    loop {
        let Some(audit) = audit.upgrade().filter(|it| !it.ingest().is_stopping()) else {
            return;
        };
        let went_on = match audit.parts.state.next_verification().await {
            Ok(Some(row)) => audit.verify(row).await,
            Ok(None) => Ok(false),
            Err(error) => Err(error.into()),
        };
        drop(audit);
        match went_on {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => tracing::error!("verifications: {error}"),
        }
        // Whatever is missed here is seen a moment later.
        let _ = tokio::time::timeout(PAUSE, wake.notified()).await;
    }
}

/// What a check covers.
struct Scope {
    /// Behind what it begins; at the log's start, if absent.
    start: Option<Sequencer>,
    /// Before which segment it ends; behind the last, if absent.
    end: Option<SegmentNumber>,
    /// Closed segments that there are.
    closed: SegmentNumber,
    /// Where it goes on after it was cut off.
    resumed_at: Option<SegmentNumber>,
}

impl Audit {
    /// Makes a check; whether there is anything new to be done. One that a stop cuts off stays
    /// as it is, and goes on at the next start.
    async fn verify(self: &Arc<Self>, row: VerificationRow) -> Result<bool, AuditError> {
        let Some(log) = self.parts.ingest.log(&row.log) else {
            let why = "there is no such log any more";
            self.parts
                .state
                .fail_verification(row.id, self.now(), why)
                .await?;
            return Ok(true);
        };
        // What recovery moves aside would look like damage; those behind wait too, to stay in their
        // order.
        if log.phase() == Phase::Recovering {
            return Ok(false);
        }
        self.verifications
            .note(row.id, VerificationProgress::default());
        let done = self.check(&row, &log).await;
        self.verifications.end();
        match done {
            Ok((outcome, segments)) => self.keep(&row, &outcome, segments).await?,
            Err(_) if self.ingest().is_stopping() => return Ok(false),
            Err(error) => {
                let (now, why) = (self.now(), error.to_string());
                self.parts
                    .state
                    .fail_verification(row.id, now, &why)
                    .await?;
            }
        }
        Ok(true)
    }

    /// Keeps what came of a check. The line for the log has no finding: those name places in files.
    async fn keep(
        &self,
        row: &VerificationRow,
        outcome: &VerificationOutcome,
        segments: (SegmentNumber, SegmentNumber),
    ) -> Result<(), AuditError> {
        let text = serde_json::to_string(outcome);
        let text = text.map_err(|error| AuditError::Internal(error.to_string()))?;
        let done = Finished {
            id: row.id,
            log: &row.log,
            at: self.now(),
            covered: outcome.covered,
            verdict: &outcome.verdict,
            findings: outcome.findings.len() as u64 + outcome.unlisted_findings,
            outcome: &text,
            segments,
        };
        self.parts.state.finish_verification(&done).await?;
        if outcome.verdict != Verdict::Verified.word() {
            tracing::error!("verification of {}: {}", row.log, outcome.summary);
        }
        Ok(())
    }

    /// Makes a check: what came of it, and which segments it has covered, `first ≤ segment < end`.
    async fn check(
        self: &Arc<Self>,
        row: &VerificationRow,
        log: &Arc<Log>,
    ) -> Result<(VerificationOutcome, (SegmentNumber, SegmentNumber)), AuditError> {
        let request: VerificationRequest = serde_json::from_str(&row.request).unwrap_or_default();
        let scope = self.scope(row, log, &request).await?;
        self.parts.ingest.sign(log).await;
        let checkpoint = self.parts.state.checkpoint(&log.name).await?;
        // The checkpoint of state.db, not its copy.
        let mut files = LogFolder::new(&self.parts.folder.logs().join(log.name.as_str()));
        if let Some(checkpoint) = checkpoint {
            files = files.with_checkpoint(checkpoint.note.into_bytes());
        }
        let first = scope.start.as_ref().map_or(0, |start| start.chain.segment);
        let (this, row, its_log) = (self.clone(), row.clone(), log.clone());
        let (start, end) = (scope.start, scope.end);
        let checked = tokio::task::spawn_blocking(move || {
            this.check_files(&row, &its_log, &files, (start, end), request.deep)
        });
        let mut report = checked
            .await
            .map_err(|error| AuditError::Internal(error.to_string()))??;
        let mut coverage = Vec::new();
        if scope.end.is_some() {
            coverage.extend(self.anchor(log, &mut report).await?);
        }
        coverage.extend(unread(request.first_segment.unwrap_or(0)));
        // What an incremental check had read before it was cut off is known to the check before.
        let whole = scope.resumed_at.filter(|_| !request.incremental);
        let begins = whole.map(|_| request.first_segment.unwrap_or(0));
        let mut outcome = VerificationOutcome::of(&report, first);
        outcome.coverage.extend(coverage);
        outcome.resumed_at = scope.resumed_at;
        if request.first_segment.or(request.last_segment).is_some() {
            // A part vouches for no beginning: the next incremental check must not begin behind it.
            outcome.covered = 0;
        }
        Ok((
            outcome,
            (begins.unwrap_or(first), scope.end.unwrap_or(scope.closed)),
        ))
    }

    /// Where a check begins and ends. What the catalog says of the place to begin is compared
    /// with the checkpoint's root at the end: a wrong row would be a finding.
    async fn scope(
        &self,
        row: &VerificationRow,
        log: &Log,
        request: &VerificationRequest,
    ) -> Result<Scope, AuditError> {
        let closed = self.closed_segments(&log.name).await?;
        let last = request.last_segment.map(|last| last + 1);
        let end = last.filter(|end| *end < closed);
        let catalog = &self.parts.catalog;
        let cut_off = catalog.last_segment_within(&log.name, row.covered).await?;
        if let Some(cut_off) = cut_off {
            let resumed_at = Some(cut_off.number + 1);
            return Ok(Scope {
                start: cut_off.behind(log.log_id),
                end,
                closed,
                resumed_at,
            });
        }
        let before = match request.first_segment.and_then(|first| first.checked_sub(1)) {
            Some(before) => {
                let found = catalog.segment(&log.name, before).await?;
                let (_, row) = found.ok_or(AuditError::NotFound("thing-segment"))?;
                Some(row)
            }
            None if request.incremental => {
                let state = &self.parts.state;
                let sound = state.sound_links(&log.name, request.deep).await?;
                catalog.last_segment_within(&log.name, sound).await?
            }
            None => None,
        };
        Ok(Scope {
            start: before.and_then(|row| row.behind(log.log_id)),
            end,
            closed,
            resumed_at: None,
        })
    }

    /// Reads the files, on a blocking thread; a stop of the server breaks it off with an error.
    fn check_files(
        &self,
        row: &VerificationRow,
        log: &Log,
        files: &LogFolder,
        (start, end): (Option<Sequencer>, Option<SegmentNumber>),
        deep: bool,
    ) -> io::Result<LogReport> {
        let keyring = &self.parts.keyring;
        let key = keyring.log_verifier(&log.name);
        let options = verifier::Options {
            name: Some(&log.name),
            keys: key.as_slice(),
            own_keys: false,
            secrets: deep.then_some(Secrets {
                kek: &keyring.kek,
                index: Some(&keyring.index),
            }),
            start,
            end,
            spread: Some(&|count, piece| cores::spread(cores::half(), count, piece)),
        };
        let mut noted = (row.covered, Instant::now());
        check_log(files, options, &mut |progress| {
            self.verifications
                .note(row.id, VerificationProgress::of(progress));
            if progress.sound_links > noted.0 && noted.1.elapsed() >= NOTE_INTERVAL {
                noted = (progress.sound_links, Instant::now());
                let note = self
                    .parts
                    .state
                    .note_verification(row.id, progress.sound_links);
                // Lost, it means only that a check goes on from further back.
                if let Err(error) = tokio::runtime::Handle::current().block_on(note) {
                    tracing::warn!("verification {}: {error}", row.id);
                }
            }
            match self.parts.ingest.is_stopping() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
    }

    /// Ties the end of a range to the checkpoint: its last link, which holds the hash of the one
    /// before, and so on, must lie under the root. Gives what could not be checked.
    async fn anchor(
        &self,
        log: &Arc<Log>,
        report: &mut LogReport,
    ) -> Result<Option<String>, AuditError> {
        let Some(behind) = report.resume.clone() else {
            return Ok(None);
        };
        let closed: Option<StoredCheckpoint> = log
            .closed_head()
            .borrow()
            .as_ref()
            .map(|closed| closed.checkpoint.clone());
        let number = behind.chain.next_link.saturating_sub(1);
        let loose = || Some(UNANCHORED.to_owned());
        let Some(checkpoint) = closed.filter(|it| it.size > number) else {
            return Ok(loose());
        };
        let mut tree = LogTree::new(&self.parts.catalog, &log.name);
        let Ok(nodes) = tree.partial(checkpoint.size, &[number]).await else {
            return Ok(loose());
        };
        let root = partial::root(checkpoint.size, &[(number, behind.chain.head)], &nodes);
        if root.is_ok_and(|root| root == checkpoint.root) {
            return Ok(None);
        }
        report.verdict = Verdict::Altered;
        report.resume = None;
        report.findings.push(Finding {
            step: Step::Links,
            verdict: Verdict::Altered,
            place: format!("logs/{}/checkpoint.txt", log.name),
            what: "the range's last link does not lie under the checkpoint".into(),
            expected: format!("link {number} under the root {}", checkpoint.root),
            found: format!("link {number} with the hash {}", behind.chain.head),
        });
        Ok(None)
    }
}

/// What is said of the segments before a range.
pub(super) fn unread(first: SegmentNumber) -> Option<String> {
    let last = first.checked_sub(1)?;
    Some(format!(
        "NOT COVERED, segments 0 to {last}: this check begins behind them, at the chain head that \
         the catalog has of them, and has not read them"
    ))
}

/// What is said of a range that could not be tied to the checkpoint.
pub(super) const UNANCHORED: &str = "the range was checked link by link; that it lies under the checkpoint could not be \
     checked now: check again in a moment, or the whole log";

impl VerificationProgress {
    /// As the verifier counts.
    fn of(progress: &Progress) -> Self {
        Self {
            segment: progress.segment,
            segments: progress.segments,
            links: progress.counts.links,
            entries: progress.counts.entries,
        }
    }
}

impl VerificationOutcome {
    /// A report as it rests. `covered` is 0 unless the verifier found nothing: `resume` says so.
    fn of(report: &LogReport, first_segment: SegmentNumber) -> Self {
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
            findings: report.findings.iter().map(FindingView::of).collect(),
            unlisted_findings: report.unlisted_findings,
            coverage: coverage.chain(notes).collect(),
            extents: report.coverage.clone(),
            counts: serde_json::to_value(counts).unwrap_or_default(),
            covered: report
                .resume
                .as_ref()
                .map_or(0, |resume| resume.tree.size()),
            first_segment,
            resumed_at: None,
        }
    }
}
