//! A case: ids of one person, what entries say of them on a timeline, and exports of them.
//!
//! The URL has the case's random id and, for later pages, a sealed place: nothing of the person.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::entry::Exact;
use super::exports::audience;
use super::form::{Fields, Form, Outcome};
use super::nav::Nav;
use super::plot::{self, Plot};
use super::{PageError, page, search, show};
use crate::audit::{AuditError, Caller, CaseExportRequest, CaseView, Filter, FoundEntry, rights};
use crate::event::View;
use crate::messages::Lang;
use crate::time::Timestamp;
use crate::web::auth::SignedIn;
use crate::web::{Web, language};

/// Where a page is.
#[derive(Deserialize)]
pub struct Place {
    /// Sealed by this server; absent on the first page.
    page: Option<String>,
}

/// What the template shows; all of it was read after the look at it stood in `_access`.
#[derive(Template)]
#[template(path = "case.html")]
struct CasePage {
    nav: Nav,
    view: CaseView,
    plot: Plot,
    rows: Vec<Row>,
    form: Form,
}

/// One entry of the timeline.
struct Row {
    log: String,
    entry: u64,
    time: String,
    operation: String,
    outcome: String,
    actor: String,
    actor_role: String,
    purpose: String,
    recipient: String,
    resource: String,
    others: u64,
    exact: Exact,
}

/// The case.
pub async fn view(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(id): Path<String>,
    Query(place): Query<Place>,
) -> Result<Response, PageError> {
    let view = web.audit.case(&caller, &id, place.page.as_deref()).await?;
    Ok(page(StatusCode::OK, &CasePage::of(&caller, view)))
}

/// Changes what is shown.
pub async fn filter(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, PageError> {
    let done = async {
        let filter = search::filter(&fields)?;
        web.audit.filter_case(&caller, &id, filter).await
    };
    let done = done.await;
    answer(&web, &caller, &id, fields, done).await
}

/// Adds an id.
pub async fn extend(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, PageError> {
    let subject = fields.text("subject").to_owned();
    let done = web.audit.extend_case(&caller, &id, &subject).await;
    answer(&web, &caller, &id, fields, done).await
}

/// Starts an export of each id.
pub async fn export(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, PageError> {
    let done = async {
        let request = CaseExportRequest {
            audience: audience(&fields)?,
            language: Lang::parse(fields.text("language")).unwrap_or_else(language::current),
        };
        web.audit.export_case(&caller, &id, request).await
    };
    let done = done.await;
    answer(&web, &caller, &id, fields, done).await
}

/// Closes the case.
pub async fn close(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    web.audit.close_case(&caller, &id).await?;
    Ok(Redirect::to("/search").into_response())
}

/// Goes back to the case, or shows on its page what was wrong.
async fn answer(
    web: &Web,
    caller: &Caller,
    id: &str,
    fields: Fields,
    done: Result<(), AuditError>,
) -> Result<Response, PageError> {
    caller.require(rights::READ)?;
    let outcome = Outcome::of(fields, done)?;
    if outcome.made.is_some() {
        return Ok(Redirect::to(&format!("/cases/{id}")).into_response());
    }
    let mut case = CasePage::of(caller, web.audit.case(caller, id, None).await?);
    case.form = outcome.form;
    Ok(page(outcome.status, &case))
}

impl CasePage {
    /// The page, its filter's form filled with what is in force.
    fn of(caller: &Caller, view: CaseView) -> Self {
        Self {
            nav: Nav::of(caller, "/search").back_to(format!("/cases/{}", view.id)),
            plot: Plot::of(&view.days),
            rows: view.page.entries.iter().map(Row::of).collect(),
            form: Form::filled(Fields::of(shown(&view))),
            view,
        }
    }

    /// Whether only some of the entries that were counted are shown.
    fn is_filtered(&self) -> bool {
        self.view.filter.fields != Filter::default()
    }

    /// Whether anything is left out.
    fn is_narrowed(&self) -> bool {
        let filter = &self.view.filter;
        let range = filter.from.is_some() || filter.to.is_some();
        self.is_filtered() || range || filter.logs.is_some()
    }

    /// Whether an id begins or ends with white space.
    fn has_edge_space(&self) -> bool {
        let mut subjects = self.view.subjects.iter();
        subjects.any(|subject| subject.trim() != subject)
    }

    /// Whether an export is in work.
    fn is_working(&self) -> bool {
        let mut exports = self.view.exports.iter().filter_map(|it| it.export.as_ref());
        exports.any(|export| matches!(export.status.as_str(), "queued" | "running"))
    }

    /// The logs that are shown.
    fn asked_logs(&self) -> &[String] {
        self.view.filter.logs.as_ref().unwrap_or(&self.view.logs)
    }
}

/// The fields of the form that changes what is shown.
fn shown(view: &CaseView) -> Vec<(String, String)> {
    let filter = &view.filter;
    let own = |text: &Option<String>| text.clone().unwrap_or_default();
    let fields = [
        ("from", first_day(filter.from.as_deref())),
        ("to", last_day(filter.to.as_deref())),
        ("operation", own(&filter.fields.operation)),
        ("entry_purpose", own(&filter.fields.purpose)),
        ("actor", own(&filter.fields.actor)),
        ("outcome", own(&filter.fields.outcome)),
    ];
    let logs = filter.logs.iter().flatten().cloned();
    let logs = logs.map(|log| ("logs", log));
    let fields = fields.into_iter().chain(logs);
    fields.map(|(name, text)| (name.to_owned(), text)).collect()
}

/// The day of a canonical moment; empty if there is none.
fn first_day(from: Option<&str>) -> String {
    from.unwrap_or_default().chars().take(10).collect()
}

/// The day before a moment at which another begins.
fn last_day(to: Option<&str>) -> String {
    let end = to.and_then(|to| Timestamp::parse_canonical(to.as_bytes()));
    let last = end.map(|end| end.plus_micros(-1).to_string());
    first_day(last.as_deref())
}

impl Row {
    /// An entry that cannot be read keeps its place, its time and its exact bytes.
    fn of(found: &FoundEntry) -> Self {
        let text = found.event.get();
        let mut row = Self {
            log: found.log.clone(),
            entry: found.entry,
            time: found.time.clone(),
            operation: String::new(),
            outcome: String::new(),
            actor: String::new(),
            actor_role: String::new(),
            purpose: String::new(),
            recipient: String::new(),
            resource: String::new(),
            others: 0,
            exact: Exact::beginning(text),
        };
        if let Ok(view) = View::read(text.as_bytes()) {
            let subjects = view.data_subjects.len() + usize::from(view.data_subject.is_some());
            let own = |text: Option<std::borrow::Cow<'_, str>>| {
                text.map(std::borrow::Cow::into_owned).unwrap_or_default()
            };
            row.operation = own(view.operation);
            row.outcome = own(view.outcome);
            row.actor = own(view.actor);
            row.actor_role = own(view.actor_role);
            row.purpose = own(view.purpose);
            row.recipient = own(view.recipient);
            row.resource = own(view.resource);
            row.others = subjects.saturating_sub(1) as u64;
        }
        row
    }
}
