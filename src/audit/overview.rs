//! The overview: every log's state at a glance, and what needs a person. The number of queries
//! does not grow with the logs.
//!
//! What it says of the machine and of accounts is the same for everybody who may see it; what it
//! says of logs is about those that the account covers.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde::Serialize;
use utoipa::ToSchema;

use super::integrity::page_rows;
use super::logs::LogView;
use super::{Audit, AuditError, Caller, rights};
use crate::finding::Verdict;
use crate::ids::LogName;
use crate::ingest::{Log, Phase, Space};
use crate::limits::{MANY_REFUSED_SIGN_INS, MAX_ATTENTION, NAME_ASKED_MICROS, NEW_ACCOUNT_MICROS};
use crate::messages::Lang;
use crate::state::LogCheck;

/// Which logs are shown.
#[derive(Debug, Clone, Default)]
pub struct OverviewFilter {
    /// Only logs with this in their name.
    pub name: Option<String>,
    /// Only logs that need a person.
    pub attention: bool,
    /// The last log of the page before.
    pub cursor: Option<String>,
    /// Logs of a page; 100 if absent, at most 1,000.
    pub limit: Option<u32>,
}

/// The overview.
#[derive(Debug, Serialize, ToSchema)]
pub struct Overview {
    /// What needs a person, the gravest first; then what they should know of.
    pub attention: Vec<Attention>,
    /// Some logs, by name.
    pub logs: Vec<LogState>,
    /// How many logs there are under the filter.
    pub count: u64,
    /// Since when entries by the hour, refusals and quarantined entries are counted.
    pub counted_since: String,
    /// Free bytes of the disk, where they can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_bytes: Option<u64>,
    /// Where the next page begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Something that needs a person, or that they should know of.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Attention {
    /// What it is, one word.
    pub kind: String,
    /// Whether somebody must do something; else it is good to know.
    pub urgent: bool,
    /// The log, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// What happened.
    pub words: String,
    /// What to do.
    pub advice: String,
    /// Where to look, a page of this server.
    pub link: String,
}

/// A log at a glance.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LogState {
    /// The log.
    #[serde(flatten)]
    pub view: LogView,
    /// Entries of each of the last 24 hours, the present one last, since the server's start.
    pub hours: Vec<u64>,
    /// Quarantined entries since the server's start.
    pub quarantined: u64,
    /// The last check; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<LastCheck>,
    /// Since when a check of the schedule has been missed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missed_since: Option<String>,
}

/// The last check of a log.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LastCheck {
    /// The check.
    pub verification: String,
    /// Its verdict.
    pub verdict: String,
    /// How many findings it has.
    pub findings: u64,
    /// When it ended.
    pub finished_at: String,
}

impl Audit {
    /// The overview of the logs that the account covers.
    pub async fn overview(
        &self,
        caller: &Caller,
        filter: &OverviewFilter,
        lang: Lang,
    ) -> Result<Overview, AuditError> {
        caller.require(rights::SEE_LOGS)?;
        let limit = page_rows(filter.limit)? as usize;
        let checks = self.parts.state.log_checks().await?;
        let checks: HashMap<LogName, LogCheck> =
            checks.into_iter().map(|it| (it.log.clone(), it)).collect();
        let logs = self.covered_logs(caller);
        let attention = self.attention(&logs, &checks, lang).await?;
        let wanted = |log: &&Arc<Log>| {
            let name = filter.name.as_deref().unwrap_or_default();
            log.name.as_str().contains(name)
                && (!filter.attention || self.needs_a_person(log, checks.get(&log.name)))
        };
        let found: Vec<_> = logs.iter().filter(wanted).cloned().collect();
        let count = found.len() as u64;
        let after = filter.cursor.as_deref().unwrap_or_default();
        let rest = found.into_iter().filter(|log| log.name.as_str() > after);
        let mut page: Vec<_> = rest.take(limit + 1).collect();
        let more = page.len() > limit;
        page.truncate(limit);
        let cursor = page.last().filter(|_| more).map(|log| log.name.to_string());
        let views = self.views(&page).await?;
        let states = page.iter().zip(views);
        let states = states.map(|(log, view)| self.state(log, view, checks.get(&log.name)));
        Ok(Overview {
            attention,
            logs: states.collect(),
            count,
            counted_since: self.started_at.to_string(),
            free_bytes: self.parts.storage.free_bytes().ok(),
            cursor,
        })
    }

    /// A log at a glance, out of memory and of the rows that were read for all logs at once.
    fn state(&self, log: &Log, view: LogView, check: Option<&LogCheck>) -> LogState {
        let missed = check.and_then(|check| self.missed_since(check));
        LogState {
            view,
            hours: log.hours(self.now()).to_vec(),
            quarantined: log.quarantined(),
            verified: check.and_then(LastCheck::of),
            missed_since: missed.map(|since| since.to_string()),
        }
    }

    /// What the filter `attention` asks; the list on the page says more.
    fn needs_a_person(&self, log: &Log, check: Option<&LogCheck>) -> bool {
        log.phase() != Phase::Open
            || log.quarantined() > 0
            || check.is_some_and(|check| self.missed_since(check).is_some() || has_findings(check))
    }

    // ── What needs a person ─────────────────────────────────────────────────────────────

    /// All that needs a person, urgent things first, in the order in which they are looked for.
    async fn attention(
        &self,
        logs: &[Arc<Log>],
        checks: &HashMap<LogName, LogCheck>,
        lang: Lang,
    ) -> Result<Vec<Attention>, AuditError> {
        let mut list = List {
            lang,
            all: Vec::new(),
        };
        self.attend_to_machine(&mut list);
        let known = || logs.iter().filter_map(|log| checks.get(&log.name));
        self.attend_to_logs(logs, &mut list);
        let found = known().filter(|check| has_findings(check));
        list.some(found, |list, check| list.finding(check));
        let missed = known().filter_map(|check| Some((check, self.missed_since(check)?)));
        list.some(missed, |list, (check, since)| {
            list.add("missed", true, Some(&check.log), &since.to_string());
        });
        for (reason, count) in self.refusals.counts().filter(|(_, count)| *count > 0) {
            let count = lang.number(count);
            list.refused(reason, &count);
        }
        let refused = self.sign_ins.last_hour(self.now());
        if refused >= MANY_REFUSED_SIGN_INS {
            list.add("sign-ins", true, None, &lang.number(refused));
        }
        let quarantined = logs.iter().filter(|log| log.quarantined() > 0);
        list.some(quarantined, |list, log| {
            let count = lang.number(log.quarantined());
            list.add("quarantined", true, Some(&log.name), &count);
        });
        let since = self.now().plus_micros(-NEW_ACCOUNT_MICROS);
        let readers = rights::readers();
        let (count, _) = self.parts.state.new_readers(&readers, since).await?;
        if count > 0 {
            list.add("new-readers", false, None, &lang.number(count));
        }
        let asked = self.now().plus_micros(-NAME_ASKED_MICROS);
        let names = self.parts.state.waiting_reveals(asked).await?;
        if names > 0 {
            list.add("names-asked", false, None, &lang.number(names));
        }
        list.all.sort_by_key(|it| !it.urgent);
        Ok(list.all)
    }

    /// Disk and clock. Failed writes stay until a restart: somebody should look at the disk even
    /// where the log was repaired.
    fn attend_to_machine(&self, list: &mut List) {
        let ingest = &self.parts.ingest;
        match ingest.space() {
            Space::Enough => {}
            Space::ReserveOnly => list.add("disk-reserve", true, None, ""),
            Space::Spent => list.add("disk-spent", true, None, ""),
        }
        let counters = ingest.counters();
        let failed = counters.failed_writes.load(Ordering::Relaxed);
        if failed > 0 {
            let last = ingest.last_trouble().unwrap_or_default();
            list.add("failed-writes", true, None, &last);
        }
        let back = counters.clock_back_micros.load(Ordering::Relaxed) / 1_000_000;
        if back > 0 {
            let lang = list.lang;
            list.add("clock-back", true, None, &lang.number(back));
        }
    }

    /// Logs that take no entries, and why.
    fn attend_to_logs(&self, logs: &[Arc<Log>], list: &mut List) {
        let closed = logs.iter().map(|log| (log, log.phase()));
        let closed = closed.filter_map(|(log, phase)| match phase {
            Phase::Open => None,
            Phase::Recovering => Some((log, "recovering", String::new())),
            Phase::Repairing(why) => Some((log, "repairing", why)),
            Phase::Refused(why) => Some((log, "refused-log", why)),
        });
        list.some(closed, |list, (log, kind, why)| {
            list.add(kind, kind != "recovering", Some(&log.name), &why);
        });
    }
}

/// What needs a person, as it is put together.
struct List {
    lang: Lang,
    all: Vec<Attention>,
}

impl List {
    /// Adds the first of some things of one kind, and counts the others.
    fn some<T>(&mut self, things: impl Iterator<Item = T>, mut add: impl FnMut(&mut Self, T)) {
        let mut others = 0_u64;
        for (at, thing) in things.enumerate() {
            match at < MAX_ATTENTION {
                true => add(self, thing),
                false => others += 1,
            }
        }
        if others > 0 {
            let count = self.lang.number(others);
            self.add("others", true, None, &count);
        }
    }

    /// Adds a thing of a kind, with what `words` says of it.
    fn add(&mut self, kind: &'static str, urgent: bool, log: Option<&LogName>, value: &str) {
        let (words, advice, link) = words(kind);
        let name = log.map(LogName::to_string).unwrap_or_default();
        let words = self.lang.with(words).arg("log", &name).arg("value", value);
        let link = match log {
            Some(log) if link == "/logs/" => format!("/logs/{log}"),
            _ => link.to_owned(),
        };
        self.all.push(Attention {
            kind: kind.into(),
            urgent,
            log: log.map(LogName::to_string),
            words: words.to_string(),
            advice: self.lang.get(advice),
            link,
        });
    }

    /// Requests to append that were refused, by reason; senders may not say so themselves.
    fn refused(&mut self, reason: &'static str, count: &str) {
        let kind = match reason {
            "unreadable" => "refused-unreadable",
            "too_large" => "refused-too-large",
            "invalid" => "refused-invalid",
            "not_allowed" => "refused-not-allowed",
            "busy" => "queue-full",
            "no_space" => "refused-no-space",
            _ => "refused-not-open",
        };
        self.add(kind, true, None, count);
    }

    /// A check that has found something; it leads to the check's own page.
    fn finding(&mut self, check: &LogCheck) {
        let Some((id, verdict, findings, _)) = &check.last else {
            return;
        };
        let word = Verdict::of(verdict).map(|verdict| self.lang.get(verdict.key()));
        let word = word.as_ref().unwrap_or(verdict);
        let value = format!("{word} ({})", self.lang.number(*findings));
        self.add("finding", true, Some(&check.log), &value);
        if let Some(last) = self.all.last_mut() {
            last.link = format!("/verifications/{id}");
        }
    }
}

/// What is said of a kind: what happened, what to do, where to look.
fn words(kind: &'static str) -> (&'static str, &'static str, &'static str) {
    match kind {
        "disk-reserve" => ("attend-disk-reserve", "remedy-disk", "/docs"),
        "disk-spent" => ("attend-disk-spent", "remedy-disk", "/docs"),
        "failed-writes" => ("attend-failed-writes", "remedy-failed-writes", "/integrity"),
        "clock-back" => ("attend-clock-back", "remedy-clock-back", "/docs"),
        "recovering" => ("attend-recovering", "remedy-recovering", "/logs/"),
        "repairing" => ("attend-repairing", "remedy-repairing", "/logs/"),
        "refused-log" => ("attend-log-refused", "remedy-log-refused", "/logs/"),
        "finding" => ("attend-finding", "remedy-finding", "/integrity"),
        "missed" => ("attend-missed", "remedy-missed", "/integrity"),
        "queue-full" => ("attend-queue-full", "remedy-queue-full", "/docs"),
        "refused-unreadable" => ("attend-unreadable", "remedy-unreadable", "/docs"),
        "refused-too-large" => ("attend-too-large", "remedy-too-large", "/docs"),
        "refused-invalid" => ("attend-invalid", "remedy-unreadable", "/docs"),
        "refused-not-allowed" => ("attend-not-allowed", "remedy-not-allowed", "/docs"),
        "refused-no-space" => ("attend-no-space", "remedy-disk", "/docs"),
        "refused-not-open" => ("attend-not-open", "remedy-not-open", "/docs"),
        "sign-ins" => ("attend-sign-ins", "remedy-sign-ins", "/docs"),
        "quarantined" => ("attend-quarantined", "remedy-quarantined", "/logs/"),
        "new-readers" => ("attend-new-readers", "remedy-new-readers", "/access"),
        "names-asked" => ("attend-names-asked", "remedy-names-asked", "/access/names"),
        _ => ("attend-others", "remedy-others", "/?attention=yes"),
    }
}

/// Whether the last check of a log has found something.
fn has_findings(check: &LogCheck) -> bool {
    let last = check.last.as_ref();
    last.is_some_and(|(_, verdict, _, _)| verdict != Verdict::Verified.word())
}

impl LastCheck {
    /// None if the log was never checked.
    fn of(check: &LogCheck) -> Option<Self> {
        let (id, verdict, findings, at) = check.last.as_ref()?;
        Some(Self {
            verification: id.to_string(),
            verdict: verdict.clone(),
            findings: *findings,
            finished_at: at.to_string(),
        })
    }
}
