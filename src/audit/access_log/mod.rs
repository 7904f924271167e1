//! Reading the log `_access`: who read what, why and when, the newest first. People stand in it
//! by role and pseudonym; a name takes a second person ([`names`]). Reading it is itself in it.
//!
//! Batches are read from the last one back, a bounded number for each page, so that a filter that
//! admits little costs pages and not minutes. A batch that does not open is a finding of its page,
//! and the reading goes on behind it: one changed byte hides nothing older.

mod names;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use utoipa::ToSchema;

pub use names::{DecisionRequest, NameRequest, NameView, ShownName};

use super::access::{self, Purpose, Reading};
use super::caller::pseudonym;
use super::reader::Reader;
use super::{Audit, AuditError, Caller, rights};
use crate::catalog::BatchPlace;
use crate::event::View;
use crate::format::payload::Content;
use crate::ids::{LogName, SegmentNumber};
use crate::ingest::Log;
use crate::limits::{ACCESS_SCAN_BATCHES, MAX_PAGE_ENTRIES};
use crate::time::Timestamp;

/// What is asked of the access log.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AccessRequest {
    /// What it is read for.
    pub purpose: String,
    /// The case it belongs to.
    pub case: Option<String>,
    /// Acts from this moment on, RFC 3339.
    pub from: Option<String>,
    /// Acts before this moment, RFC 3339.
    pub to: Option<String>,
    /// Only this operation: search, read_entry, export, …
    pub operation: Option<String>,
    /// Only acts in this role.
    pub role: Option<String>,
    /// Only acts about this log.
    pub log: Option<String>,
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// Acts of a page, 100 if absent, at most 1,000.
    pub limit: Option<usize>,
}

/// Some acts, the newest first.
#[derive(Serialize, ToSchema)]
pub struct AccessPage {
    /// The acts.
    pub acts: Vec<AccessAct>,
    /// Places where acts may be missing, since what was read is not what was recorded; each counts
    /// as a row of the page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// How many entries were looked at for this page.
    pub looked_at: u64,
    /// Where the next page begins; absent where there is nothing older. A page may have fewer
    /// acts than asked for, and a next one all the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Something that somebody did.
#[derive(Serialize, ToSchema)]
pub struct AccessAct {
    /// Its entry in `_access`.
    pub entry: u64,
    /// When.
    pub time: String,
    /// What was done.
    pub operation: String,
    /// In which role.
    pub role: String,
    /// By whom: the same for the same account, in this installation.
    pub pseudonym: String,
    /// What for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// The case it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// The logs that it is about.
    pub logs: Vec<String>,
    /// Whether it is about data subjects; the entry itself says which.
    pub about_a_person: bool,
    /// What exactly, to the letter.
    #[schema(value_type = Object)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Box<RawValue>>,
}

/// A question, checked.
struct Question {
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    operation: Option<String>,
    role: Option<String>,
    log: Option<String>,
    limit: usize,
    /// Entries below this one.
    below: u64,
}

impl Audit {
    /// Reads the access log. The reading is in it before anything is shown.
    pub async fn access_log(
        &self,
        caller: &Caller,
        request: &AccessRequest,
    ) -> Result<AccessPage, AuditError> {
        caller.require(rights::READ)?;
        let purpose = Purpose::new(&request.purpose, request.case.as_deref())?;
        caller.require_log(&LogName::access())?;
        self.require_case(&LogName::access(), &purpose).await?;
        let mut question = Question::of(request)?;
        let what = json!({
            "log": LogName::access().as_str(), "from": request.from, "to": request.to,
            "operation": request.operation, "role": request.role, "about": request.log,
            "page": request.cursor.is_some(),
        });
        // What was there before this reading.
        let log = self.parts.ingest.log(&LogName::access());
        let entries = log.map_or(0, |log| log.head().entries);
        question.below = question.below.min(entries);
        let reading = Reading {
            purpose: Some(purpose),
            ..Reading::operation("read_access", what)
        };
        self.record(caller, &reading).await?;
        self.acts(question).await
    }

    /// Goes back batch by batch until the page is full, nothing is older, or enough was looked at.
    async fn acts(&self, question: Question) -> Result<AccessPage, AuditError> {
        let log = self.access()?;
        let mut page = AccessPage {
            acts: Vec::new(),
            findings: Vec::new(),
            looked_at: 0,
            cursor: None,
        };
        let mut below = question.below;
        let mut left = ACCESS_SCAN_BATCHES;
        while below > 0 && left > 0 {
            let (places, next) = self.places_below(&log, &question, below, left).await?;
            left = left.saturating_sub(places.len().max(1));
            let (reader, wanted) = (self.reader(&log), question.clone());
            let room = question.limit - page.rows();
            let read = tokio::task::spawn_blocking(move || {
                read_places(reader, &places, &wanted, below, room)
            });
            let read = read
                .await
                .map_err(|error| AuditError::Internal(error.to_string()))??;
            page.looked_at += read.looked_at;
            page.acts.extend(read.acts);
            page.findings.extend(read.findings);
            below = read.ended_at.unwrap_or(next);
            if page.rows() == question.limit {
                break;
            }
        }
        page.cursor = (below > 0).then(|| below.to_string());
        Ok(page)
    }

    /// Places of batches with entries below one, the last first; and below which entry to go on.
    async fn places_below(
        &self,
        log: &Arc<Log>,
        question: &Question,
        below: u64,
        limit: usize,
    ) -> Result<(Vec<(SegmentNumber, BatchPlace)>, u64), AuditError> {
        let mut places = Vec::new();
        let mut next = below;
        // Memory before the catalog, as everywhere: a segment in between is found in one of them.
        while next > 0 && places.len() < limit {
            let Some(found) = log.recent_batch(next - 1) else {
                break;
            };
            next = found.1.first_entry;
            places.push(found);
        }
        if !places.is_empty() || next == 0 {
            return Ok((places, next));
        }
        let catalog = &self.parts.catalog;
        let found = catalog.segment_of_entry(&log.name, next - 1).await?;
        let (id, row) = found.ok_or_else(|| AuditError::Unavailable("refusal-place".into()))?;
        let early = question.from.is_some_and(|from| row.latest < from);
        if early || question.to.is_some_and(|to| row.earliest >= to) {
            return Ok((places, row.first_entry));
        }
        let rows = catalog.batches_below(id, next, limit as u32).await?;
        let next = rows.last().map_or(row.first_entry, |it| it.first_entry);
        let places = rows.into_iter().map(|place| (row.number, place));
        Ok((places.collect(), next))
    }

    /// The access log.
    fn access(&self) -> Result<Arc<Log>, AuditError> {
        let log = self.parts.ingest.log(&LogName::access());
        log.ok_or(AuditError::NotFound("thing-log"))
    }
}

/// What was read of some batches.
struct Read {
    acts: Vec<AccessAct>,
    findings: Vec<String>,
    looked_at: u64,
    /// Below which entry to go on, if the page was full before all were looked at.
    ended_at: Option<u64>,
}

/// Reads batches on a blocking thread, each from its last entry to its first.
fn read_places(
    mut reader: Reader,
    places: &[(SegmentNumber, BatchPlace)],
    question: &Question,
    below: u64,
    room: usize,
) -> Result<Read, AuditError> {
    let mut read = Read {
        acts: Vec::new(),
        findings: Vec::new(),
        looked_at: 0,
        ended_at: None,
    };
    for (segment, place) in places {
        let batch = match reader.batch(*segment, place) {
            Ok(batch) => batch,
            Err(AuditError::Finding(what)) => {
                let first = place.first_entry;
                read.findings.push(format!("from entry {first} on: {what}"));
                if read.acts.len() + read.findings.len() == room {
                    read.ended_at = Some(first);
                    return Ok(read);
                }
                continue;
            }
            Err(other) => return Err(other),
        };
        let count = batch.batch.leaves().len();
        for position in (0..count).rev() {
            let entry = place.first_entry + position as u64;
            if entry >= below {
                continue;
            }
            read.looked_at += 1;
            let Some(Content::Kept(_, bytes)) = batch.batch.get(position) else {
                continue;
            };
            let act = AccessAct::read(entry, bytes);
            read.acts.extend(act.filter(|act| question.admits(act)));
            if read.acts.len() + read.findings.len() == room {
                read.ended_at = Some(entry);
                return Ok(read);
            }
        }
    }
    Ok(read)
}

impl AccessPage {
    /// Rows of the page.
    fn rows(&self) -> usize {
        self.acts.len() + self.findings.len()
    }
}

impl Clone for Question {
    fn clone(&self) -> Self {
        Self {
            operation: self.operation.clone(),
            role: self.role.clone(),
            log: self.log.clone(),
            ..*self
        }
    }
}

impl Question {
    /// Checks a request. Empty texts count as absent: forms send every field.
    fn of(request: &AccessRequest) -> Result<Self, AuditError> {
        let limit = request.limit.unwrap_or(100);
        if limit == 0 || limit > MAX_PAGE_ENTRIES {
            return Err(AuditError::page_rows(MAX_PAGE_ENTRIES as u64));
        }
        let (from, to) = access::range(request.from.as_deref(), request.to.as_deref())?;
        let below = request.cursor.as_deref().unwrap_or("18446744073709551615");
        let below = below
            .parse()
            .map_err(|_| AuditError::invalid("cursor", "refusal-cursor"))?;
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        Ok(Self {
            from,
            to,
            operation: given(&request.operation),
            role: given(&request.role),
            log: given(&request.log),
            limit,
            below,
        })
    }

    /// Whether an act is wanted. Times are those of the entries, which this server has made.
    fn admits(&self, act: &AccessAct) -> bool {
        let time = Timestamp::parse_canonical(act.time.as_bytes());
        let is = |wanted: &Option<String>, value: &str| {
            wanted.as_deref().is_none_or(|wanted| wanted == value)
        };
        self.from
            .is_none_or(|from| time.is_some_and(|it| it >= from))
            && self.to.is_none_or(|to| time.is_some_and(|it| it < to))
            && is(&self.operation, &act.operation)
            && is(&self.role, &act.role)
            && self.log.as_ref().is_none_or(|log| act.logs.contains(log))
    }
}

impl AccessAct {
    /// An entry as an act. One that cannot be read is none; the log's verification says more of it.
    fn read(entry: u64, bytes: &[u8]) -> Option<Self> {
        let view = View::read(bytes).ok()?;
        let details: Value = view
            .payload
            .and_then(|payload| serde_json::from_str(payload.get()).ok())
            .unwrap_or_default();
        let text = |field: &Option<std::borrow::Cow<'_, str>>| {
            field.as_deref().unwrap_or_default().to_owned()
        };
        let many = details["logs"].as_array().into_iter().flatten();
        let logs = many.chain([&details["log"]]).filter_map(Value::as_str);
        Some(Self {
            entry,
            time: view.time.to_string(),
            operation: text(&view.operation),
            role: text(&view.actor_role),
            pseudonym: pseudonym(view.actor.as_deref().unwrap_or_default()),
            purpose: view.purpose.as_deref().map(str::to_owned),
            case: details["case"].as_str().map(str::to_owned),
            logs: logs.map(str::to_owned).collect(),
            about_a_person: view.subjects().next().is_some(),
            details: view.payload.map(ToOwned::to_owned),
        })
    }
}
