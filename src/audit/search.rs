//! Searching: every entry that names exactly one data subject, over all logs.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::access::{self, Purpose, Reading};
use super::reader::Reader;
use super::window::{Bounds, Hit, Key, Window};
use super::{Audit, AuditError, Caller, rights};
use crate::catalog::{BatchPlace, SegmentId};
use crate::event::View;
use crate::format::payload::Content;
use crate::format::subject_index::postings;
use crate::ids::{LogName, SegmentNumber, SubjectId};
use crate::ingest::{Log, subject_key};
use crate::limits::{MAX_PAGE_ENTRIES, REPORT_ENTRIES, SEARCH_WINDOW};
use crate::vrf::{self, Tag};

/// What is asked.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// The data subject's id, exactly.
    pub subject: String,
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, ToSchema)]
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
struct Question {
    subject: SubjectId,
    logs: Vec<Arc<Log>>,
    bounds: Bounds,
    limit: usize,
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
        for log in &question.logs {
            self.require_case(&log.name, &purpose).await?;
        }
        let names: Vec<_> = question
            .logs
            .iter()
            .map(|log| log.name.to_string())
            .collect();
        let what = json!({"logs": names, "from": request.from, "to": request.to, "page": request.cursor.is_some()});
        let reading = Reading {
            operation: "search",
            subject: Some(question.subject.clone()),
            purpose: Some(purpose),
            what,
        };
        self.record(caller, &reading).await?;
        self.find(&question, &request.filter).await
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
            return Err(AuditError::invalid(
                "logs",
                "name at least one log, or leave `logs` out for all",
            ));
        }
        let mut logs = Vec::new();
        for name in names {
            let name = LogName::new(name)
                .map_err(|error| AuditError::invalid("logs", error.to_string()))?;
            caller.require_log(&name)?;
            logs.push(
                self.parts
                    .ingest
                    .log(&name)
                    .ok_or(AuditError::NotFound("log"))?,
            );
        }
        logs.sort_by(|a, b| a.name.cmp(&b.name));
        logs.dedup_by(|a, b| a.name == b.name);
        Ok(logs)
    }

    fn question(&self, caller: &Caller, request: &SearchRequest) -> Result<Question, AuditError> {
        let limit = request.limit.unwrap_or(100);
        if limit == 0 || limit > MAX_PAGE_ENTRIES {
            return Err(AuditError::invalid("limit", "1 to 1,000 entries a page"));
        }
        let (from, to) = access::range(request.from.as_deref(), request.to.as_deref())?;
        let after = request.cursor.as_deref().map(|text| {
            Key::parse(text).ok_or_else(|| {
                AuditError::invalid("cursor", "send the cursor of the page before, unchanged")
            })
        });
        Ok(Question {
            subject: access::subject(&request.subject)?,
            logs: self.requested_logs(caller, request.logs.as_deref())?,
            bounds: Bounds {
                from,
                to,
                after: after.transpose()?,
            },
            limit,
        })
    }

    /// What `_access` holds of a subject, the earliest first: for a report about it, whose maker
    /// has recorded why.
    pub(super) async fn readings_of(&self, subject: &SubjectId) -> Result<SearchPage, AuditError> {
        let question = Question {
            subject: subject.clone(),
            logs: self
                .parts
                .ingest
                .log(&LogName::access())
                .into_iter()
                .collect(),
            bounds: Bounds {
                from: None,
                to: None,
                after: None,
            },
            limit: REPORT_ENTRIES,
        };
        self.find(&question, &Filter::default()).await
    }

    async fn find(&self, question: &Question, filter: &Filter) -> Result<SearchPage, AuditError> {
        let mut window = Window {
            hits: Vec::new(),
            more: false,
        };
        let mut complete = Vec::new();
        for log in &question.logs {
            let entries = self.hits_of_log(question, log, &mut window).await?;
            complete.push(Completeness {
                log: log.name.to_string(),
                entries,
            });
        }
        window.cut(SEARCH_WINDOW);
        self.read_hits(window, filter, question.limit, complete)
            .await
    }

    /// Puts a log's entries that name the subject into the window; gives the number of entries
    /// that were searched.
    async fn hits_of_log(
        &self,
        question: &Question,
        log: &Arc<Log>,
        window: &mut Window,
    ) -> Result<u64, AuditError> {
        // Memory before the catalog: a segment that moves from one to the other is seen twice,
        // never not at all.
        let recent = self
            .parts
            .ingest
            .recent(log, &subject_key(question.subject.expose()))
            .await?;
        let beta = self
            .parts
            .keyring
            .index
            .beta(&[&log.log_id.0, question.subject.expose().as_bytes()]);
        let segments = self
            .parts
            .catalog
            .segments_in_range(&log.name, question.bounds.from, question.bounds.to)
            .await?;
        let numbers: HashMap<SegmentId, SegmentNumber> = segments.iter().copied().collect();
        let pairs: Vec<(SegmentId, Tag)> = segments
            .iter()
            .map(|(id, number)| (*id, vrf::tag(&beta, *number)))
            .collect();
        for (id, list) in self.parts.catalog.lists(&pairs).await? {
            let number = numbers.get(&id).copied().unwrap_or_default();
            for (entry, time) in postings(&list).into_iter().flatten() {
                window.add(&question.bounds, log, number, Some(id), entry, time);
            }
        }
        let known = |segment: SegmentNumber| numbers.values().any(|number| *number == segment);
        for hit in recent.hits.iter().filter(|hit| !known(hit.segment)) {
            for (entry, time) in &hit.entries {
                window.add(&question.bounds, log, hit.segment, None, *entry, *time);
            }
        }
        let mut searched = recent.entries;
        for segment in recent.unknown {
            if self
                .parts
                .catalog
                .segment(&log.name, segment)
                .await?
                .is_none()
            {
                // It is being indexed; the answer says that it is not complete.
                let behind = segment.checked_sub(1);
                let row = match behind {
                    Some(number) => self.parts.catalog.segment(&log.name, number).await?,
                    None => None,
                };
                searched =
                    searched.min(row.map_or(0, |(_, row)| row.first_entry + row.entry_count));
            }
        }
        Ok(searched)
    }

    async fn read_hits(
        &self,
        window: Window,
        filter: &Filter,
        limit: usize,
        complete: Vec<Completeness>,
    ) -> Result<SearchPage, AuditError> {
        let mut readers: HashMap<LogName, Reader> = HashMap::new();
        let mut page = SearchPage {
            entries: Vec::new(),
            cursor: None,
            complete,
            findings: Vec::new(),
        };
        let mut last = None;
        let count = window.hits.len();
        for (seen, hit) in window.hits.into_iter().enumerate() {
            let place = self.place(&hit).await?;
            let reader = match readers.remove(&hit.log.name) {
                Some(reader) => reader,
                None => self.reader(&hit.log),
            };
            let name = hit.log.name.clone();
            let key = hit.key;
            let (reader, found) = read_hit(reader, hit, place).await?;
            readers.insert(name.clone(), reader);
            last = Some(key);
            match found {
                Ok(found) => page
                    .entries
                    .extend(found.filter(|found| filter.admits(found.event.get()))),
                // What is sound is shown all the same.
                Err(AuditError::Finding(what)) => page
                    .findings
                    .push(format!("{name}, entry {}: {what}", key.entry)),
                Err(other) => return Err(other),
            }
            if page.entries.len() + page.findings.len() == limit {
                let more = window.more || seen + 1 < count;
                page.cursor = last.filter(|_| more).map(Key::write);
                return Ok(page);
            }
        }
        page.cursor = last.filter(|_| window.more).map(Key::write);
        Ok(page)
    }

    async fn place(&self, hit: &Hit) -> Result<BatchPlace, AuditError> {
        let recent = || hit.log.recent_batch(hit.key.entry).map(|(_, place)| place);
        if let Some(place) = hit.row.is_none().then(recent).flatten() {
            return Ok(place);
        }
        let row = match hit.row {
            Some(row) => Some(row),
            None => self
                .parts
                .catalog
                .segment(&hit.log.name, hit.segment)
                .await?
                .map(|(id, _)| id),
        };
        let place = match row {
            Some(row) => self.parts.catalog.batch_of(row, hit.key.entry).await?,
            None => None,
        };
        place.ok_or_else(|| {
            AuditError::Unavailable("an entry's place is not known yet; search again".into())
        })
    }
}

/// Reads an entry on a blocking thread. An erased entry is there no more.
async fn read_hit(
    mut reader: Reader,
    hit: Hit,
    place: BatchPlace,
) -> Result<(Reader, Result<Option<FoundEntry>, AuditError>), AuditError> {
    let read = tokio::task::spawn_blocking(move || {
        let found = find_entry(&mut reader, &hit, &place);
        (reader, found)
    });
    read.await
        .map_err(|error| AuditError::Internal(error.to_string()))
}

fn find_entry(
    reader: &mut Reader,
    hit: &Hit,
    place: &BatchPlace,
) -> Result<Option<FoundEntry>, AuditError> {
    let batch = reader.batch(hit.segment, place)?;
    let position = (hit.key.entry - place.first_entry) as usize;
    let Some(Content::Kept(_, entry)) = batch.batch.get(position) else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(entry).into_owned();
    let event =
        RawValue::from_string(text).map_err(|error| AuditError::Internal(error.to_string()))?;
    Ok(Some(FoundEntry {
        log: hit.log.name.to_string(),
        entry: hit.key.entry,
        time: hit.key.time.to_string(),
        link: place.link,
        segment: hit.segment,
        event,
    }))
}

impl Filter {
    fn admits(&self, entry: &str) -> bool {
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
