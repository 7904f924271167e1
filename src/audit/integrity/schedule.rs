//! Checks that nobody asks for: of everything new, as often as the settings say.

use std::collections::HashMap;
use std::sync::Weak;
use std::time::Duration;

use super::VerificationRequest;
use crate::audit::{Audit, AuditError};
use crate::ids::{LogName, TokenId};
use crate::ingest::Phase;
use crate::limits::CHECKS_KEEP_MICROS;
use crate::state::LogCheck;
use crate::time::Timestamp;

/// How often it is looked which logs are due.
const INTERVAL: Duration = Duration::from_secs(60);
/// How often it is looked whether logs can be asked about after a start.
const RECOVERY_INTERVAL: Duration = Duration::from_millis(100);
/// Who asks. No account has this id, for ids are random.
const NOBODY: TokenId = TokenId([0; 16]);

/// Asks for the checks that are due as long as there is a server.
pub(super) async fn run(audit: Weak<Audit>) {
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let Some(audit) = audit.upgrade().filter(|it| !it.ingest().is_stopping()) else {
            return;
        };
        let mut logs = audit.parts.ingest.logs().into_iter();
        if logs.any(|log| log.phase() == Phase::Recovering) {
            ticks.reset_after(RECOVERY_INTERVAL);
            continue;
        }
        if let Err(error) = audit.ask_for_due().await {
            tracing::error!("the schedule of verifications: {error}");
        }
    }
}

impl Audit {
    /// Due is what was checked a period ago, or first seen then: a log that is new is not checked
    /// at once, and a restart makes nothing due.
    async fn ask_for_due(&self) -> Result<(), AuditError> {
        let Some(period) = self.options.verify_micros else {
            return Ok(());
        };
        let now = self.now();
        let state = &self.parts.state;
        state
            .forget_verifications(now.plus_micros(-CHECKS_KEEP_MICROS))
            .await?;
        let logs = self.parts.ingest.logs().into_iter();
        let logs: Vec<LogName> = logs
            .filter(|log| log.head().links > 0)
            .map(|log| log.name.clone())
            .collect();
        let known = by_log(state.log_checks().await?);
        let new = logs.iter().filter(|log| !known.contains_key(*log));
        let new: Vec<LogName> = new.cloned().collect();
        state.see_logs(&new, now).await?;
        let waiting = state.logs_in_verification().await?;
        let request = VerificationRequest {
            incremental: true,
            deep: self.options.verify_deep,
            ..VerificationRequest::default()
        };
        let is_due = |log: &&LogName| {
            known
                .get(*log)
                .is_some_and(|check| check.due_at(period) <= now)
                && !waiting.contains(*log)
        };
        for log in logs.iter().filter(is_due) {
            self.add_verification(log, NOBODY, request, true).await?;
        }
        Ok(())
    }

    /// Hours between the checks of the schedule; none, if there is no schedule.
    pub fn schedule_hours(&self) -> Option<u64> {
        let period = self.options.verify_micros?;
        Some(period as u64 / 3_600_000_000)
    }

    /// Since when a log's check has been missed: half a period late, if there is a schedule.
    pub(in crate::audit) fn missed_since(&self, check: &LogCheck) -> Option<Timestamp> {
        let period = self.options.verify_micros?;
        let due = check.due_at(period);
        (due.plus_micros(period / 2) <= self.now()).then_some(due)
    }
}

impl LogCheck {
    /// When the next check of the schedule is due; any check counts, also one of
    /// a part that somebody asked for.
    fn due_at(&self, period: i64) -> Timestamp {
        let last = self.last.as_ref().map_or(self.seen_at, |(_, _, _, at)| *at);
        last.plus_micros(period)
    }
}

/// Checks by their log.
fn by_log(checks: Vec<LogCheck>) -> HashMap<LogName, LogCheck> {
    let pairs = checks.into_iter().map(|check| (check.log.clone(), check));
    pairs.collect()
}
