//! Cases: several ids of one person, looked at and exported together.
//!
//! A case rests sealed, and is named by a random id, so that its page can be linked to. Each look
//! at it is a search of its own in `_access`, on disk before anything is shown.

mod alike;
mod content;
mod ending;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;

pub use ending::OpenCasesPage;

use content::{Content, OpenCase, Started, Trail};

use super::access::{self, Purpose};
use super::days::Days;
use super::export::{Audience, ExportRequest, ExportView};
use super::search::{self, Filter, Question, SearchPage};
use super::window::{Bounds, Key};
use super::{Audit, AuditError, Caller, rights};
use crate::ids::CaseId;
use crate::ingest::Log;
use crate::limits::{CASE_PAGE_ENTRIES, MAX_CASE_SUBJECTS, MAX_CASES};
use crate::messages::{Lang, Said};

/// A case to be made.
#[derive(Clone)]
pub struct CaseRequest {
    /// Ids of one person, exactly.
    pub subjects: Vec<String>,
    /// What it is looked at for.
    pub purpose: String,
    /// Its number.
    pub case: Option<String>,
    /// What is shown of it.
    pub filter: CaseFilter,
}

/// What is shown of a case.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseFilter {
    /// The logs; all of the case, if absent.
    pub logs: Option<Vec<String>>,
    /// Event times from this moment on, RFC 3339.
    pub from: Option<String>,
    /// Event times before this moment, RFC 3339.
    pub to: Option<String>,
    /// Values that fields have.
    pub fields: Filter,
}

/// A case in the list of its maker's.
pub struct CaseSummary {
    /// The case.
    pub id: String,
    /// When it was made.
    pub created_at: String,
    /// Its number.
    pub case: Option<String>,
    /// What it is looked at for.
    pub purpose: String,
    /// How many ids it has.
    pub subjects: u64,
}

/// A case, with a page of what was found.
pub struct CaseView {
    /// The case.
    pub id: String,
    /// When it was made.
    pub created_at: String,
    /// Whether whoever looks at it has made it.
    pub is_own: bool,
    /// Ids of one person.
    pub subjects: Vec<String>,
    /// What it is looked at for.
    pub purpose: String,
    /// Its number.
    pub case: Option<String>,
    /// The logs that it may see.
    pub logs: Vec<String>,
    /// What is shown of it.
    pub filter: CaseFilter,
    /// Ids that look like one of these, and that entries name.
    pub alike: Vec<String>,
    /// Its exports.
    pub exports: Vec<CaseExportView>,
    /// The page.
    pub page: SearchPage,
    /// Where other pages are.
    pub steps: CaseSteps,
    /// How many entries there are on each day, whatever values their fields have.
    pub days: Days,
    /// When it was searched.
    pub searched_at: String,
}

/// Where other pages of a case are. Places are opaque.
pub struct CaseSteps {
    /// Number of this page, from 1.
    pub number: u64,
    /// The place of the next one.
    pub next: Option<String>,
    /// The page before: its place, or `None` for the first page.
    pub previous: Option<Option<String>>,
}

/// An export of a case, as far as whoever looks may see it.
pub struct CaseExportView {
    /// The data subject.
    pub subject: String,
    /// The export; absent once it has expired.
    pub export: Option<ExportView>,
}

/// What a case's exports are made as.
#[derive(Debug, Clone, Copy, Default)]
pub struct CaseExportRequest {
    /// For whom.
    pub audience: Audience,
    /// The reports' language.
    pub language: Lang,
}

impl Audit {
    /// Makes a case; gives its id.
    pub async fn create_case(
        &self,
        caller: &Caller,
        request: &CaseRequest,
    ) -> Result<String, AuditError> {
        caller.require(rights::READ)?;
        let purpose = Purpose::new(&request.purpose, request.case.as_deref())?;
        let subjects = search::subjects(&request.subjects)?;
        let scope = caller.token().logs.as_ref();
        let mut content = Content {
            subjects: subjects.iter().map(|it| it.expose().to_owned()).collect(),
            purpose: purpose.purpose.clone(),
            case: purpose.case.clone(),
            scope: scope.map(|logs| logs.iter().map(ToString::to_string).collect()),
            filter: request.filter.clone(),
            alike: Vec::new(),
            exports: Vec::new(),
        };
        for log in self.checked_logs(caller, &content)? {
            self.require_case(&log.name, &purpose).await?;
        }
        let open = self.parts.state.cases_of(caller.id(), MAX_CASES).await?;
        if open.len() >= MAX_CASES as usize {
            let why = Said::new("refusal-cases").count("n", MAX_CASES.into());
            return Err(AuditError::invalid("subjects", why));
        }
        content.alike = self.find_alike(caller, &content, &content.subjects).await?;
        let case = self.new_case(caller, content)?;
        self.parts.state.add_case(&case.row).await?;
        Ok(case.row.id.to_string())
    }

    /// The cases that the caller has made, the newest first.
    pub async fn cases(&self, caller: &Caller) -> Result<Vec<CaseSummary>, AuditError> {
        caller.require(rights::READ)?;
        let rows = self.parts.state.cases_of(caller.id(), MAX_CASES).await?;
        let summary = |row| {
            let OpenCase { row, content, .. } = self.open_case(row)?;
            Ok(CaseSummary {
                id: row.id.to_string(),
                created_at: row.created_at.to_string(),
                case: content.case,
                purpose: content.purpose,
                subjects: content.subjects.len() as u64,
            })
        };
        rows.into_iter().map(summary).collect()
    }

    /// A page of a case. It is in `_access` before anything is read.
    pub async fn case(
        &self,
        caller: &Caller,
        id: &str,
        page: Option<&str>,
    ) -> Result<CaseView, AuditError> {
        let case = self.allowed_case(caller, id).await?;
        let trail = case.trail(page)?;
        let question = self.case_question(caller, &case, &trail)?;
        let content = &case.content;
        let what = json!({
            "logs": search::names(&question.logs), "from": content.filter.from,
            "to": content.filter.to, "page": trail.before > 0,
        });
        self.record_search(caller, &question, content.purpose(), what)
            .await?;
        let (page, days) = self.find(&question, &content.filter.fields).await?;
        let steps = self.steps(&case, &trail, page.cursor.as_deref())?;
        let mut exports = Vec::new();
        for started in &content.exports {
            exports.push(CaseExportView {
                subject: started.subject.clone(),
                export: self.export(caller, &started.export).await.ok(),
            });
        }
        let logs = self.case_logs(caller, content)?;
        let content = case.content;
        Ok(CaseView {
            id: case.row.id.to_string(),
            created_at: case.row.created_at.to_string(),
            is_own: case.row.token == caller.id(),
            subjects: content.subjects,
            purpose: content.purpose,
            case: content.case,
            logs: search::names(&logs),
            filter: content.filter,
            alike: content.alike,
            exports,
            page,
            steps,
            days,
            searched_at: self.now().to_string(),
        })
    }

    /// Changes what is shown of a case.
    pub async fn filter_case(
        &self,
        caller: &Caller,
        id: &str,
        filter: CaseFilter,
    ) -> Result<(), AuditError> {
        let mut case = self.allowed_case(caller, id).await?;
        // The content is sealed anew only behind this check: a filter that names a log outside of
        // the case's scope never rests.
        case.content.filter = filter;
        self.checked_logs(caller, &case.content)?;
        self.keep_case(case).await
    }

    /// Adds an id to a case.
    pub async fn extend_case(
        &self,
        caller: &Caller,
        id: &str,
        subject: &str,
    ) -> Result<(), AuditError> {
        let mut case = self.allowed_case(caller, id).await?;
        let subject = access::subject(subject)?.expose().to_owned();
        let content = &mut case.content;
        if content.subjects.contains(&subject) {
            return Ok(());
        }
        if content.subjects.len() >= MAX_CASE_SUBJECTS {
            let why = Said::new("refusal-case-ids").count("n", MAX_CASE_SUBJECTS as u64);
            return Err(AuditError::invalid("subject", why));
        }
        content.subjects.push(subject.clone());
        content.alike.retain(|alike| *alike != subject);
        let new = self.find_alike(caller, content, &[subject]).await?;
        let new: Vec<_> = new
            .into_iter()
            .filter(|id| !content.alike.contains(id))
            .collect();
        content.alike.extend(new);
        self.keep_case(case).await
    }

    /// Closes a case: it is forgotten, with its key. Only its maker may. It needs no entry in
    /// `_access`, since nothing is read; others' cases are closed by `end_case`.
    pub async fn close_case(&self, caller: &Caller, id: &str) -> Result<(), AuditError> {
        caller.require(rights::READ)?;
        let id = CaseId::parse(id).ok_or(AuditError::NotFound("thing-case"))?;
        match self.parts.state.remove_case(id, caller.id()).await? {
            true => Ok(()),
            false => Err(AuditError::NotFound("thing-own-case")),
        }
    }

    /// Starts an export for each id of a case, over its logs and range. Those that were started
    /// before leave the case, not the list of exports.
    pub async fn export_case(
        &self,
        caller: &Caller,
        id: &str,
        request: CaseExportRequest,
    ) -> Result<(), AuditError> {
        caller.require(rights::EXPORT)?;
        let mut case = self.allowed_case(caller, id).await?;
        let content = &mut case.content;
        let logs = search::names(&self.checked_logs(caller, content)?);
        content.exports.clear();
        for subject in &content.subjects {
            let export = ExportRequest {
                logs: Some(logs.clone()),
                from: content.filter.from.clone(),
                to: content.filter.to.clone(),
                case: content.case.clone(),
                audience: request.audience,
                language: request.language,
                ..ExportRequest::new(subject, &content.purpose)
            };
            let started = self.request_export(caller, &export).await?;
            content.exports.push(Started {
                subject: subject.clone(),
                export: started.id,
            });
        }
        self.keep_case(case).await
    }

    /// A case for somebody who may see it, opened. Who may not hears what they would hear of a case
    /// that is not there.
    async fn allowed_case(&self, caller: &Caller, id: &str) -> Result<OpenCase, AuditError> {
        caller.require(rights::READ)?;
        let id = CaseId::parse(id).ok_or(AuditError::NotFound("thing-case"))?;
        let row = self.parts.state.case(id).await?;
        let case = self.open_case(row.ok_or(AuditError::NotFound("thing-case"))?)?;
        match case.content.allows(caller) {
            true => Ok(case),
            false => Err(AuditError::NotFound("thing-case")),
        }
    }

    /// Keeps what was changed of a case. Whoever changed it in between wins, by the row's version:
    /// the other one is told to look again.
    async fn keep_case(&self, mut case: OpenCase) -> Result<(), AuditError> {
        case.row.content = self.seal_content(&case)?;
        match self.parts.state.change_case(&case.row).await? {
            true => Ok(()),
            false => Err(AuditError::Unavailable("refusal-case-changed".into())),
        }
    }

    /// All logs of a case that there are, but the server's own.
    fn case_logs(&self, caller: &Caller, content: &Content) -> Result<Vec<Arc<Log>>, AuditError> {
        let mut logs = self.requested_logs(caller, None)?;
        logs.retain(|log| content.covers(&log.name));
        Ok(logs)
    }

    /// The logs that a case's filter names, or all of the case; and a look at its range.
    fn checked_logs(
        &self,
        caller: &Caller,
        content: &Content,
    ) -> Result<Vec<Arc<Log>>, AuditError> {
        let filter = &content.filter;
        access::range(filter.from.as_deref(), filter.to.as_deref())?;
        let Some(names) = &filter.logs else {
            return self.case_logs(caller, content);
        };
        let logs = self.requested_logs(caller, Some(names))?;
        match logs.iter().all(|log| content.covers(&log.name)) {
            true => Ok(logs),
            false => Err(AuditError::invalid("logs", "refusal-logs-of-case")),
        }
    }

    /// What a look at a case asks of the indexes. Its logs and its range are checked on each look:
    /// logs of the case may have gone from the caller's account.
    fn case_question(
        &self,
        caller: &Caller,
        case: &OpenCase,
        trail: &Trail,
    ) -> Result<Question, AuditError> {
        let filter = &case.content.filter;
        let (from, to) = access::range(filter.from.as_deref(), filter.to.as_deref())?;
        Ok(Question {
            subjects: search::subjects(&case.content.subjects)?,
            logs: self.checked_logs(caller, &case.content)?,
            bounds: Bounds {
                from,
                to,
                after: trail.after(),
            },
            limit: CASE_PAGE_ENTRIES,
        })
    }

    /// Where the pages before and behind this one are, sealed for URLs.
    fn steps(
        &self,
        case: &OpenCase,
        trail: &Trail,
        cursor: Option<&str>,
    ) -> Result<CaseSteps, AuditError> {
        let next = cursor.and_then(Key::parse).map(|key| trail.next(key));
        let next = next.map(|next| self.seal_trail(case, &next)).transpose()?;
        let previous = match trail.previous() {
            Some(previous) if previous.before > 0 => Some(Some(self.seal_trail(case, &previous)?)),
            previous => previous.map(|_| None),
        };
        Ok(CaseSteps {
            number: u64::from(trail.before) + 1,
            next,
            previous,
        })
    }
}

impl Content {
    /// What each look at the case is for.
    fn purpose(&self) -> Purpose {
        Purpose {
            purpose: self.purpose.clone(),
            case: self.case.clone(),
        }
    }
}
