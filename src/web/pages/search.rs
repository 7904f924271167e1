//! Searching by data subject, and what was found as a timeline.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use super::entry::Exact;
use super::form::{Fields, Form};
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::{
    AuditError, Caller, Completeness, Filter, FoundEntry, LogView, SearchPage, SearchRequest,
    rights,
};
use crate::event::View;
use crate::web::Web;
use crate::web::auth::SignedIn;

/// Entries of a page.
const ENTRIES: usize = 50;
/// Pages that one can go back.
const TRAIL: usize = 200;
/// The fields of the question.
const QUESTION: [&str; 10] = [
    "subject",
    "logs",
    "from",
    "to",
    "operation",
    "entry_purpose",
    "actor",
    "outcome",
    "purpose",
    "case",
];

#[derive(Template)]
#[template(path = "search.html")]
struct SearchTemplate {
    nav: Nav,
    form: Form,
    logs: Vec<LogView>,
    results: Option<Results>,
}

/// What was found.
struct Results {
    searched_at: String,
    rows: Vec<Row>,
    complete: Vec<Completeness>,
    findings: Vec<String>,
    number: usize,
    next: Option<Step>,
    previous: Option<Step>,
    question: Vec<(String, String)>,
}

/// Where another page begins: its cursor, and those of the pages before it.
struct Step {
    cursor: String,
    trail: Vec<String>,
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
    others: usize,
    exact: Exact,
}

/// The form.
pub async fn ask(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
) -> Result<Response, PageError> {
    caller.require(rights::READ)?;
    let template = SearchTemplate::of(&web, &caller, Form::default(), None).await?;
    Ok(page(StatusCode::OK, &template))
}

/// The answer.
pub async fn search(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    fields: Fields,
) -> Result<Response, PageError> {
    caller.require(rights::READ)?;
    let found = match request(&fields) {
        Ok(request) => web.audit.search(&caller, &request).await,
        Err(error) => Err(error),
    };
    let (status, form, results) = match found {
        Ok(found) => {
            let results = Results::of(&web, &fields, found);
            (StatusCode::OK, Form::filled(fields), Some(results))
        }
        Err(error) => {
            let form = Form::refused(fields, error)?;
            (StatusCode::UNPROCESSABLE_ENTITY, form, None)
        }
    };
    let template = SearchTemplate::of(&web, &caller, form, results).await?;
    Ok(page(status, &template))
}

fn request(fields: &Fields) -> Result<SearchRequest, AuditError> {
    Ok(SearchRequest {
        subject: fields.text("subject").to_owned(),
        logs: fields.some("logs"),
        from: fields.day_begin("from")?,
        to: fields.day_end("to")?,
        filter: Filter {
            operation: fields.given("operation"),
            purpose: fields.given("entry_purpose"),
            actor: fields.given("actor"),
            outcome: fields.given("outcome"),
        },
        purpose: fields.text("purpose").to_owned(),
        case: fields.given("case"),
        cursor: fields.given("cursor"),
        limit: Some(ENTRIES),
    })
}

impl SearchTemplate {
    async fn of(
        web: &Web,
        caller: &Caller,
        form: Form,
        results: Option<Results>,
    ) -> Result<Self, PageError> {
        Ok(Self {
            nav: Nav::of(caller, "/search"),
            form,
            logs: web.audit.logs(caller).await?,
            results,
        })
    }

    /// Whether more is asked than an export would hold apart.
    fn is_filtered(&self) -> bool {
        let filters = ["operation", "entry_purpose", "actor", "outcome"];
        filters.iter().any(|name| !self.form.value(name).is_empty())
    }

    /// Whether the id asked for begins or ends with white space.
    fn has_edge_space(&self) -> bool {
        let subject = self.form.value("subject");
        subject.trim() != subject
    }
}

impl Results {
    fn of(web: &Web, fields: &Fields, found: SearchPage) -> Self {
        let here = fields.text("cursor");
        let trail: Vec<String> = fields.all("trail").map(str::to_owned).collect();
        let number: usize = fields.text("number").parse().unwrap_or(1);
        let previous = trail.split_last().map(|(cursor, trail)| Step {
            cursor: cursor.clone(),
            trail: trail.to_vec(),
        });
        let next = found.cursor.map(|cursor| {
            let skipped = (trail.len() + 1).saturating_sub(TRAIL);
            let passed = trail.into_iter().chain([here.to_owned()]);
            Step {
                cursor,
                trail: passed.skip(skipped).collect(),
            }
        });
        Self {
            searched_at: web.audit.now().to_string(),
            rows: found.entries.iter().map(Row::of).collect(),
            complete: found.complete,
            findings: found.findings,
            number,
            next,
            previous,
            question: fields.only(&QUESTION),
        }
    }

    /// Whether this is all there is.
    fn is_whole(&self) -> bool {
        self.next.is_none() && self.number == 1
    }
}

impl Row {
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
            row.others = subjects.saturating_sub(1);
        }
        row
    }
}
