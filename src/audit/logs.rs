//! What is known of logs and segments, without opening any entry.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::access::{self, Reading};
use super::integrity::{SegmentVerdict, page_rows};
use super::{Audit, AuditError, Caller, rights};
use crate::catalog::{LogTotals, SegmentRow};
use crate::checkpoint::VerifierKey;
use crate::ids::LogName;
use crate::ingest::{Log, Phase, Space};
use crate::messages::Said;
use crate::state::{LogSettings, StoredCheckpoint};

/// A log's state.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LogView {
    /// Its name.
    pub log: String,
    /// Its origin, as in checkpoints.
    pub origin: String,
    /// open, recovering, repairing or refused.
    pub phase: String,
    /// Why, where it is not open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// What it is for.
    pub description: String,
    /// Whether reading it asks for a case number.
    pub require_case: bool,
    /// Entries on disk.
    pub entries: u64,
    /// Links on disk.
    pub links: u64,
    /// Leaf hash of the last link, hex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// When the last link was committed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub committed_at: Option<String>,
    /// Closed segments in the catalog.
    pub closed_segments: u64,
    /// Bytes of their files.
    pub closed_bytes: u64,
    /// The active segment, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_segment: Option<u64>,
    /// The newest checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<CheckpointView>,
}

/// Settings of a log.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LogRequest {
    /// What the log is for, shown to auditors.
    pub description: String,
    /// Whether reading it asks for a case number besides the purpose.
    pub require_case: bool,
}

/// A checkpoint.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CheckpointView {
    /// Links that it covers.
    pub size: u64,
    /// Root over them, hex.
    pub root: String,
    /// When it was signed.
    pub signed_at: String,
    /// The signed note.
    pub note: String,
}

/// A closed segment.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SegmentView {
    /// Its number.
    pub segment: u64,
    /// Its first link.
    pub first_link: u64,
    /// Its close link.
    pub close_link: u64,
    /// Its first entry.
    pub first_entry: u64,
    /// Number of its entries.
    pub entries: u64,
    /// Distinct data subjects.
    pub subjects: u32,
    /// Earliest event time; absent without entries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earliest: Option<String>,
    /// Latest event time; absent without entries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest: Option<String>,
    /// When it was closed.
    pub closed_at: String,
    /// Bytes of its file.
    pub bytes: u64,
    /// Leaf hash of its close link, hex.
    pub head: String,
    /// What the last check that covered it said; absent if none has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<SegmentVerdict>,
}

/// A page of segments.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SegmentsPage {
    /// The segments, ascending.
    pub segments: Vec<SegmentView>,
    /// Where the next page begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Which rows of a log are listed: checkpoints, by when they were signed; segments, by the event
/// times of their entries.
#[derive(Debug, Clone, Default)]
pub struct RangeFilter {
    /// From this moment on, RFC 3339.
    pub from: Option<String>,
    /// Before this moment, RFC 3339.
    pub to: Option<String>,
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// Rows of a page; 100 if absent, at most 1,000.
    pub limit: Option<u32>,
}

/// A key that checks signatures.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct KeyView {
    /// Whose it is: a log's origin, or the server's.
    pub name: String,
    /// The key as `--key` takes it.
    pub vkey: String,
    /// To be read over the telephone.
    pub fingerprint: String,
}

/// Whether the server can do its work.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Health {
    /// Whether anything acknowledged could be at risk, or entries are refused.
    pub ready: bool,
    /// What is wrong, each with what to do.
    pub troubles: Vec<String>,
}

impl Audit {
    /// The logs that the caller covers, by name.
    pub async fn logs(&self, caller: &Caller) -> Result<Vec<LogView>, AuditError> {
        caller.require(rights::SEE_LOGS)?;
        let logs = self.covered_logs(caller);
        let mut views = Vec::with_capacity(logs.len());
        for some in logs.chunks(LOGS_PER_QUERY) {
            views.extend(self.views(some).await?);
        }
        Ok(views)
    }

    /// One log.
    pub async fn log_view(&self, caller: &Caller, name: &str) -> Result<LogView, AuditError> {
        caller.require(rights::SEE_LOGS)?;
        let log = self.covered_log(caller, name)?;
        self.view(&log).await
    }

    /// A log's closed segments, from a cursor on: all, or those with an entry whose event time may
    /// lie in a range.
    pub async fn segments(
        &self,
        caller: &Caller,
        name: &str,
        filter: &RangeFilter,
    ) -> Result<SegmentsPage, AuditError> {
        caller.require(rights::SEE_SEGMENTS)?;
        let log = self.covered_log(caller, name)?;
        let limit = page_rows(filter.limit)?;
        let times = access::range(filter.from.as_deref(), filter.to.as_deref())?;
        let first = filter.cursor.as_deref().map(str::parse).transpose();
        let first = first.map_err(|_| AuditError::bad_cursor())?.unwrap_or(0);
        let catalog = &self.parts.catalog;
        let mut rows = catalog
            .segments_within(&log.name, first, times, limit + 1)
            .await?;
        let cursor = (rows.len() > limit as usize).then(|| rows.pop()).flatten();
        let end = rows.last().map_or(first, |(_, row)| row.number + 1);
        let verdicts = self.verdicts(&log.name, first, end).await?;
        Ok(SegmentsPage {
            segments: rows
                .iter()
                .map(|(_, row)| SegmentView::of(row, verdicts.of(row.number)))
                .collect(),
            cursor: cursor.map(|(_, row)| row.number.to_string()),
        })
    }

    /// One closed segment.
    pub async fn segment(
        &self,
        caller: &Caller,
        name: &str,
        number: u64,
    ) -> Result<SegmentView, AuditError> {
        caller.require(rights::SEE_SEGMENTS)?;
        let log = self.covered_log(caller, name)?;
        let row = self.parts.catalog.segment(&log.name, number).await?;
        let (_, row) = row.ok_or(AuditError::NotFound("thing-segment"))?;
        let verdicts = self.verdicts(&log.name, number, number.saturating_add(1));
        Ok(SegmentView::of(&row, verdicts.await?.of(number)))
    }

    /// Sets a log's settings; makes the log if there is none. What it says of a log is shown to
    /// readers; it changes nothing that was recorded. Whether reading asks for a case number is in
    /// `_access` before it changes.
    pub async fn set_log(
        &self,
        caller: &Caller,
        name: &str,
        request: &LogRequest,
    ) -> Result<LogView, AuditError> {
        caller.require(rights::SET_LOGS)?;
        let name =
            LogName::new(name).map_err(|_| AuditError::invalid("log", "refusal-log-name"))?;
        caller.require_log(&name)?;
        if request.description.len() > crate::limits::MAX_PURPOSE_BYTES {
            let why = Said::new("refusal-description");
            let why = why.count("n", crate::limits::MAX_PURPOSE_BYTES as u64);
            return Err(AuditError::invalid("description", why));
        }
        let log = self.parts.ingest.log_or_new(&name)?;
        let LogRequest {
            description,
            require_case,
        } = request.clone();
        let settings = LogSettings {
            description,
            require_case,
        };
        let old = self.parts.state.log_settings(&name).await?;
        if old.require_case != require_case {
            let what = json!({
                "log": name.to_string(), "old": old.require_case, "new": require_case,
            });
            self.record(caller, &Reading::operation("set_require_case", what))
                .await?;
        }
        self.parts.state.set_log_settings(&name, &settings).await?;
        self.view(&log).await
    }

    /// The keys that check this server's signatures: its own, and each log's.
    pub fn keys(&self) -> Vec<KeyView> {
        let keyring = &self.parts.keyring;
        let logs = self.parts.ingest.logs();
        let logs = logs
            .iter()
            .filter_map(|log| keyring.log_verifier(&log.name));
        keyring
            .server_verifier()
            .into_iter()
            .chain(logs)
            .map(|key| KeyView::of(&key))
            .collect()
    }

    /// Whether everything works.
    pub fn health(&self) -> Health {
        let mut troubles = Vec::new();
        match self.parts.ingest.space() {
            Space::Enough => {}
            Space::ReserveOnly => troubles.push("only the disk reserve is left: free disk space; entries are refused meanwhile".into()),
            Space::Spent => troubles.push("the disk is full: free disk space; entries and audited reads are refused meanwhile".into()),
        }
        for log in self.parts.ingest.logs() {
            let (word, why) = phase(&log.phase());
            if let Some(why) = why {
                troubles.push(format!("log {} is {word}: {why}", log.name));
            } else if word != "open" {
                troubles.push(format!("log {} is {word}", log.name));
            }
        }
        Health {
            ready: troubles.is_empty(),
            troubles,
        }
    }

    /// All logs that the caller covers, the server's own too.
    pub(super) fn covered_logs(&self, caller: &Caller) -> Vec<Arc<Log>> {
        let all = self.parts.ingest.logs().into_iter();
        all.filter(|log| caller.token().covers(&log.name)).collect()
    }

    /// A log that the caller covers.
    pub(super) fn covered_log(&self, caller: &Caller, name: &str) -> Result<Arc<Log>, AuditError> {
        let name = LogName::new(name).map_err(|_| AuditError::NotFound("thing-log"))?;
        caller.require_log(&name)?;
        self.parts
            .ingest
            .log(&name)
            .ok_or(AuditError::NotFound("thing-log"))
    }

    /// How one log stands.
    async fn view(&self, log: &Arc<Log>) -> Result<LogView, AuditError> {
        let views = self.views(std::slice::from_ref(log)).await?;
        views
            .into_iter()
            .next()
            .ok_or(AuditError::NotFound("thing-log"))
    }

    /// How some logs stand, with two queries for all of them.
    pub(super) async fn views(&self, logs: &[Arc<Log>]) -> Result<Vec<LogView>, AuditError> {
        let names: Vec<LogName> = logs.iter().map(|log| log.name.clone()).collect();
        let mut settings = self.parts.state.settings_of(&names).await?;
        let mut totals = self.parts.catalog.totals_of(&names).await?;
        let views = logs.iter().map(|log| {
            let settings = settings.remove(&log.name).unwrap_or_default();
            LogView::of(log, settings, totals.remove(&log.name).unwrap_or_default())
        });
        Ok(views.collect())
    }
}

/// Logs that one query asks for.
const LOGS_PER_QUERY: usize = 500;

impl LogView {
    /// Head, phase and checkpoint are read one after another: they may be of different moments.
    fn of(log: &Log, settings: LogSettings, totals: LogTotals) -> Self {
        let head = log.head();
        let (word, trouble) = phase(&log.phase());
        let checkpoint = log.checkpoint().borrow().as_ref().map(CheckpointView::of);
        Self {
            log: log.name.to_string(),
            origin: log.origin.to_string(),
            phase: word.into(),
            trouble,
            description: settings.description,
            require_case: settings.require_case,
            entries: head.entries,
            links: head.links,
            head: (head.links > 0).then(|| head.head.to_string()),
            committed_at: head.committed_at.map(|at| at.to_string()),
            closed_segments: totals.segments,
            closed_bytes: totals.bytes,
            active_segment: log.active_segment(),
            checkpoint,
        }
    }
}

impl CheckpointView {
    pub(super) fn of(stored: &StoredCheckpoint) -> Self {
        Self {
            size: stored.size,
            root: stored.root.to_string(),
            signed_at: stored.signed_at.to_string(),
            note: stored.note.clone(),
        }
    }
}

impl SegmentView {
    pub(super) fn of(row: &SegmentRow, verified: Option<SegmentVerdict>) -> Self {
        let any = row.entry_count > 0;
        Self {
            segment: row.number,
            first_link: row.first_link,
            close_link: row.close_link,
            first_entry: row.first_entry,
            entries: row.entry_count,
            subjects: row.subject_count,
            earliest: any.then(|| row.earliest.to_string()),
            latest: any.then(|| row.latest.to_string()),
            closed_at: row.closed.0.to_string(),
            bytes: row.file_bytes,
            head: row.head.to_string(),
            verified,
        }
    }
}

impl KeyView {
    /// How a key is shown.
    pub fn of(key: &VerifierKey) -> Self {
        Self {
            name: key.name().to_owned(),
            vkey: key.to_string(),
            fingerprint: key.fingerprint(),
        }
    }
}

/// A phase as a word, and why.
fn phase(phase: &Phase) -> (&'static str, Option<String>) {
    match phase {
        Phase::Open => ("open", None),
        Phase::Recovering => ("recovering", None),
        Phase::Repairing(why) => ("repairing", Some(why.clone())),
        Phase::Refused(why) => ("refused", Some(why.clone())),
    }
}
