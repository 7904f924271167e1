//! Metrics, in the Prometheus text format. No name of a person is a label; logs are.
//!
//! Whoever may read metrics may not read entries: counts and names of logs are all that is in them.

use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use super::{Audit, AuditError, Caller, rights};
use crate::ingest::{Phase, Space};

impl Audit {
    /// All metrics.
    pub async fn metrics(&self, caller: &Caller) -> Result<String, AuditError> {
        caller.require(rights::SEE_METRICS)?;
        let ingest = &self.parts.ingest;
        let counters = ingest.counters();
        let (fill, capacity) = ingest.queue_fill();
        let space = match ingest.space() {
            Space::Enough => 0,
            Space::ReserveOnly => 1,
            Space::Spent => 2,
        };
        let mut text = String::new();
        let mut metric = |name: &str, kind: &str, help: &str, value: u64| {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "# HELP estreat_{name} {help}\n# TYPE estreat_{name} {kind}\nestreat_{name} {value}"
            );
        };
        let load = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        metric(
            "entries_total",
            "counter",
            "Entries taken since the start.",
            load(&counters.entries),
        );
        metric(
            "requests_total",
            "counter",
            "Requests taken since the start.",
            load(&counters.requests),
        );
        metric(
            "busy_total",
            "counter",
            "Requests refused since the queue was full.",
            load(&counters.busy),
        );
        metric(
            "failed_writes_total",
            "counter",
            "Failed writes and syncs.",
            load(&counters.failed_writes),
        );
        metric(
            "queue_bytes",
            "gauge",
            "Bytes on their way to the disk.",
            fill as u64,
        );
        metric(
            "queue_capacity_bytes",
            "gauge",
            "Bytes that may be.",
            capacity as u64,
        );
        metric(
            "disk_space_state",
            "gauge",
            "0 enough, 1 only the reserve, 2 spent.",
            space,
        );
        self.refusal_metrics(&mut text);
        self.log_metrics(&mut text);
        self.check_metrics(&mut text).await?;
        Ok(text)
    }

    /// What was refused or quarantined, by reason.
    fn refusal_metrics(&self, text: &mut String) {
        let counters = self.parts.ingest.counters();
        let quarantined = counters.quarantined.load(Ordering::Relaxed);
        let back = counters.clock_back_micros.load(Ordering::Relaxed) / 1_000_000;
        let _ = writeln!(
            text,
            "# HELP estreat_quarantined_total Events kept though they could not be read.\n# TYPE estreat_quarantined_total counter\nestreat_quarantined_total {quarantined}\n# HELP estreat_clock_back_seconds The largest step by which the clock stood behind what was recorded.\n# TYPE estreat_clock_back_seconds gauge\nestreat_clock_back_seconds {back}"
        );
        text.push_str("# HELP estreat_refused_total Requests to append that were refused.\n# TYPE estreat_refused_total counter\n");
        for (reason, count) in self.refusals.counts() {
            let _ = writeln!(text, "estreat_refused_total{{reason=\"{reason}\"}} {count}");
        }
        text.push_str("# HELP estreat_sign_in_refused_total Sign-ins that were refused.\n# TYPE estreat_sign_in_refused_total counter\n");
        for (kind, count) in self.sign_ins.counts() {
            let _ = writeln!(
                text,
                "estreat_sign_in_refused_total{{kind=\"{kind}\"}} {count}"
            );
        }
    }

    /// Verifications, with the log as the label.
    async fn check_metrics(&self, text: &mut String) -> Result<(), AuditError> {
        let waiting = self.parts.state.waiting_verifications().await?;
        let _ = writeln!(
            text,
            "# HELP estreat_verifications_waiting Verifications that wait or run.\n# TYPE estreat_verifications_waiting gauge\nestreat_verifications_waiting {waiting}"
        );
        let checks = self.parts.state.log_checks().await?;
        text.push_str("# HELP estreat_log_findings Findings of the last verification.\n# TYPE estreat_log_findings gauge\n");
        let last = checks
            .iter()
            .filter_map(|check| Some((&check.log, check.last.as_ref()?)));
        for (log, (_, _, findings, _)) in last.clone() {
            let _ = writeln!(text, "estreat_log_findings{{log=\"{log}\"}} {findings}");
        }
        text.push_str("# HELP estreat_log_verified_timestamp_seconds When the last verification ended.\n# TYPE estreat_log_verified_timestamp_seconds gauge\n");
        for (log, (_, _, _, at)) in last {
            let seconds = at.0 / 1_000_000;
            let _ = writeln!(
                text,
                "estreat_log_verified_timestamp_seconds{{log=\"{log}\"}} {seconds}"
            );
        }
        let missed = checks.iter().filter(|it| self.missed_since(it).is_some());
        let _ = writeln!(
            text,
            "# HELP estreat_verifications_missed Logs whose scheduled verification is late.\n# TYPE estreat_verifications_missed gauge\nestreat_verifications_missed {}",
            missed.count()
        );
        Ok(())
    }

    /// Entries and state of each log: two lines a log, at most 20,000.
    fn log_metrics(&self, text: &mut String) {
        let logs = self.parts.ingest.logs();
        text.push_str(
            "# HELP estreat_log_entries Entries on disk.\n# TYPE estreat_log_entries gauge\n",
        );
        for log in &logs {
            let _ = writeln!(
                text,
                "estreat_log_entries{{log=\"{}\"}} {}",
                log.name,
                log.head().entries
            );
        }
        text.push_str("# HELP estreat_log_open Whether the log takes entries.\n# TYPE estreat_log_open gauge\n");
        for log in &logs {
            let open = u8::from(log.phase() == Phase::Open);
            let _ = writeln!(text, "estreat_log_open{{log=\"{}\"}} {open}", log.name);
        }
    }
}
