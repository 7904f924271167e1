//! Searching by data subject: what is asked becomes a case, whose page shows what was found.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};

use super::form::{Fields, Form, Outcome};
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::{
    AuditError, Caller, CaseFilter, CaseRequest, CaseSummary, Filter, LogView, rights,
};
use crate::web::Web;
use crate::web::auth::SignedIn;

/// The question alone: what is found is shown on the page of the case that it makes.
#[derive(Template)]
#[template(path = "search.html")]
struct SearchTemplate {
    nav: Nav,
    form: Form,
    logs: Vec<LogView>,
    cases: Vec<CaseSummary>,
}

/// The form, and the cases made with it.
pub async fn ask(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
) -> Result<Response, PageError> {
    let template = SearchTemplate::of(&web, &caller, Form::default()).await?;
    Ok(page(StatusCode::OK, &template))
}

/// Makes a case, and goes to its page.
pub async fn make(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    fields: Fields,
) -> Result<Response, PageError> {
    let made = async { web.audit.create_case(&caller, &request(&fields)?).await }.await;
    let outcome = Outcome::of(fields, made)?;
    if let Some(id) = outcome.made {
        return Ok(Redirect::to(&format!("/cases/{id}")).into_response());
    }
    let template = SearchTemplate::of(&web, &caller, outcome.form).await?;
    Ok(page(outcome.status, &template))
}

fn request(fields: &Fields) -> Result<CaseRequest, AuditError> {
    let lines = fields.text("subjects").split('\n');
    // Spaces count: an id is kept as it was written.
    let lines = lines.map(|line| line.strip_suffix('\r').unwrap_or(line));
    Ok(CaseRequest {
        subjects: lines
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect(),
        purpose: fields.text("purpose").to_owned(),
        case: fields.given("case"),
        filter: filter(fields)?,
    })
}

/// What a form says that is to be shown.
pub fn filter(fields: &Fields) -> Result<CaseFilter, AuditError> {
    Ok(CaseFilter {
        logs: fields.some("logs"),
        from: fields.day_begin("from")?,
        to: fields.day_end("to")?,
        fields: Filter {
            operation: fields.given("operation"),
            purpose: fields.given("entry_purpose"),
            actor: fields.given("actor"),
            outcome: fields.given("outcome"),
        },
    })
}

impl SearchTemplate {
    async fn of(web: &Web, caller: &Caller, form: Form) -> Result<Self, PageError> {
        caller.require(rights::READ)?;
        Ok(Self {
            nav: Nav::of(caller, "/search"),
            form,
            logs: web.audit.logs(caller).await?,
            cases: web.audit.cases(caller).await?,
        })
    }
}
