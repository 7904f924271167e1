//! Searching: every entry that names exactly one data subject, or one of several ids of one
//! person, over all logs.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::access::{self, Purpose, Reading};
use super::days::Days;
use super::window::{Bounds, Key};
use super::{Audit, AuditError, Caller, rights};
use crate::event::View;
use crate::ids::{LogName, SubjectId};
use crate::ingest::Log;
use crate::limits::{MAX_CASE_SUBJECTS, MAX_PAGE_ENTRIES, REPORT_ENTRIES};
use crate::messages::Said;

/// What is asked.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// The data subject's id, exactly.
    pub subject: Option<String>,
    /// Several ids of one person, at most 16, instead of `subject`. An entry that names more than
    /// one of them is given once.
    pub subjects: Option<Vec<String>>,
    /// The logs; all that the token covers, if absent.
    pub logs: Option<Vec<String>>,
    /// Event times from this moment on, RFC 3339.
    pub from: Option<String>,
    /// Event times before this moment, RFC 3339.
    pub to: Option<String>,
    /// Only entries whose fields have these values.
    #[serde(default, rename = "where")]
    pub filter: Filter,
    /// What the search is for.
    pub purpose: String,
    /// The case it belongs to.
    pub case: Option<String>,
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// Entries of a page, 100 if absent, at most 1,000.
    pub limit: Option<usize>,
}

/// Values that an entry's fields must have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Filter {
    /// What was done.
    pub operation: Option<String>,
    /// What for.
    pub purpose: Option<String>,
    /// Who acted.
    pub actor: Option<String>,
    /// How it ended.
    pub outcome: Option<String>,
}

/// One page of what was found, by event time, then log, then entry.
#[derive(Serialize, ToSchema)]
pub struct SearchPage {
    /// The entries.
    pub entries: Vec<FoundEntry>,
    /// Entries that name the subject in the range, on all pages; `where` is not applied to them.
    pub total: u64,
    /// Where the next page begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Up to where each log was searched.
    pub complete: Vec<Completeness>,
    /// Entries that name the subject and cannot be shown, since what was read is not what was
    /// recorded: each with its place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
}

/// An entry found.
#[derive(Serialize, ToSchema)]
pub struct FoundEntry {
    /// The log.
    pub log: String,
    /// Its index in the log.
    pub entry: u64,
    /// Its event time.
    pub time: String,
    /// The link of its batch.
    pub link: u64,
    /// The segment it stands in.
    pub segment: u64,
    /// The entry, to the letter.
    #[schema(value_type = Object)]
    pub event: Box<RawValue>,
}

/// Up to where a log was searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Completeness {
    /// The log.
    pub log: String,
    /// Every entry with a smaller index was searched.
    pub entries: u64,
}

/// A question, checked.
pub(super) struct Question {
    pub(super) subjects: Vec<SubjectId>,
    /// By name, none of them twice.
    pub(super) logs: Vec<Arc<Log>>,
    pub(super) bounds: Bounds,
    pub(super) limit: usize,
}

impl Audit {
    /// Searches. The search is in `_access` before anything is read.
    pub async fn search(
        &self,
        caller: &Caller,
        request: &SearchRequest,
    ) -> Result<SearchPage, AuditError> {
        caller.require(rights::READ)?;
        let purpose = Purpose::new(&request.purpose, request.case.as_deref())?;
        let question = self.question(caller, request)?;
        let what = json!({
            "logs": names(&question.logs), "from": request.from, "to": request.to,
            "page": request.cursor.is_some(),
        });
        self.record_search(caller, &question, purpose, what).await?;
        let (page, _) = self.find(&question, &request.filter).await?;
        Ok(page)
    }

    /// Writes a search to `_access`, if its logs may be read for this purpose. The values of
    /// `where` are not in it: whatever they leave out, all of the subject's entries are read.
    pub(super) async fn record_search(
        &self,
        caller: &Caller,
        question: &Question,
        purpose: Purpose,
        what: serde_json::Value,
    ) -> Result<(), AuditError> {
        for log in &question.logs {
            self.require_case(&log.name, &purpose).await?;
        }
        let reading = Reading {
            operation: "search",
            subjects: question.subjects.clone(),
            purpose: Some(purpose),
            what,
        };
        self.record(caller, &reading).await
    }

    /// The logs of a request: those named, or all that the caller covers but the server's own.
    pub(super) fn requested_logs(
        &self,
        caller: &Caller,
        names: Option<&[String]>,
    ) -> Result<Vec<Arc<Log>>, AuditError> {
        let Some(names) = names else {
            let all = self.parts.ingest.logs().into_iter();
            return Ok(all
                .filter(|log| !log.name.is_reserved() && caller.token().covers(&log.name))
                .collect());
        };
        if names.is_empty() {
            return Err(AuditError::invalid("logs", "refusal-logs-none"));
        }
        let mut logs = Vec::new();
        for name in names {
            let name =
                LogName::new(name).map_err(|_| AuditError::invalid("logs", "refusal-log-name"))?;
            caller.require_log(&name)?;
            logs.push(
                self.parts
                    .ingest
                    .log(&name)
                    .ok_or(AuditError::NotFound("thing-log"))?,
            );
        }
        // The order of `_access`, and each log searched once.
        logs.sort_by(|a, b| a.name.cmp(&b.name));
        logs.dedup_by(|a, b| a.name == b.name);
        Ok(logs)
    }

    /// Checks a request, before anything is written to `_access`.
    fn question(&self, caller: &Caller, request: &SearchRequest) -> Result<Question, AuditError> {
        let limit = request.limit.unwrap_or(100);
        if limit == 0 || limit > MAX_PAGE_ENTRIES {
            return Err(AuditError::page_rows(MAX_PAGE_ENTRIES as u64));
        }
        let (from, to) = access::range(request.from.as_deref(), request.to.as_deref())?;
        let after = request.cursor.as_deref().map(|text| {
            Key::parse(text).ok_or_else(|| AuditError::invalid("cursor", "refusal-cursor"))
        });
        Ok(Question {
            subjects: request.subjects()?,
            logs: self.requested_logs(caller, request.logs.as_deref())?,
            bounds: Bounds {
                from,
                to,
                after: after.transpose()?,
            },
            limit,
        })
    }

    /// A page of what `_access` holds of a subject, the earliest first: for a report about it,
    /// whose maker has recorded why.
    pub(super) async fn readings_of(
        &self,
        subject: &SubjectId,
        cursor: Option<&str>,
    ) -> Result<SearchPage, AuditError> {
        let question = Question {
            subjects: vec![subject.clone()],
            logs: self
                .parts
                .ingest
                .log(&LogName::access())
                .into_iter()
                .collect(),
            bounds: Bounds {
                from: None,
                to: None,
                after: cursor.and_then(Key::parse),
            },
            limit: REPORT_ENTRIES,
        };
        let (page, _) = self.find(&question, &Filter::default()).await?;
        Ok(page)
    }

    /// The first results of a question, and how many there are on each day.
    pub(super) async fn find(
        &self,
        question: &Question,
        filter: &Filter,
    ) -> Result<(SearchPage, Days), AuditError> {
        let found = self.look_up(question).await?;
        let (read, cursor) = self.read_hits(found.window, filter, question.limit).await?;
        let page = SearchPage {
            entries: read.entries,
            total: found.days.total,
            cursor: cursor.map(Key::write),
            complete: found.complete,
            findings: read.findings,
        };
        Ok((page, found.days))
    }
}

impl SearchRequest {
    /// One of the two ways to name whom it is about, and not both.
    fn subjects(&self) -> Result<Vec<SubjectId>, AuditError> {
        match (&self.subject, &self.subjects) {
            (Some(one), None) => Ok(vec![access::subject(one)?]),
            (None, Some(several)) => subjects(several),
            _ => Err(AuditError::invalid(
                "subject",
                "refusal-subject-or-subjects",
            )),
        }
    }
}

/// Ids of one person as asked for, each once.
pub(super) fn subjects(ids: &[String]) -> Result<Vec<SubjectId>, AuditError> {
    if ids.is_empty() || ids.len() > MAX_CASE_SUBJECTS {
        return Err(AuditError::invalid(
            "subjects",
            Said::new("refusal-subjects").count("n", MAX_CASE_SUBJECTS as u64),
        ));
    }
    let mut subjects: Vec<SubjectId> = Vec::new();
    for id in ids {
        let subject = access::subject(id)?;
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
    }
    Ok(subjects)
}

/// The names of logs.
pub(super) fn names(logs: &[Arc<Log>]) -> Vec<String> {
    logs.iter().map(|log| log.name.to_string()).collect()
}

impl Filter {
    /// Whether an entry has these values. An entry that cannot be read has no values.
    pub(super) fn admits(&self, entry: &str) -> bool {
        if *self == Self::default() {
            return true;
        }
        let Ok(view) = View::read(entry.as_bytes()) else {
            return false;
        };
        let is = |wanted: &Option<String>, value: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| value == Some(wanted))
        };
        is(&self.operation, view.operation.as_deref())
            && is(&self.purpose, view.purpose.as_deref())
            && is(&self.actor, view.actor.as_deref())
            && is(&self.outcome, view.outcome.as_deref())
    }
}
