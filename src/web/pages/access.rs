//! The access log: who read what, and the names behind its pseudonyms. Everything is posted:
//! purposes and cases stand in no URL.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};

use super::form::{Fields, Form, Outcome};
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::{
    AccessPage, AccessRequest, AuditError, DecisionRequest, NameRequest, NameView, ShownName,
    rights,
};
use crate::time::Timestamp;
use crate::web::Web;
use crate::web::auth::SignedIn;

/// The fields that a further page needs again.
const QUESTION: [&str; 7] = ["purpose", "case", "from", "to", "operation", "role", "log"];

/// `question` goes along with the button for the next page, in a form.
#[derive(Template)]
#[template(path = "access.html")]
struct AccessTemplate {
    nav: Nav,
    form: Form,
    found: Option<AccessPage>,
    question: Vec<(String, String)>,
}

/// `shown` is a name that was looked at just now, and never again.
#[derive(Template)]
#[template(path = "access_names.html")]
struct NamesPage {
    nav: Nav,
    now: Timestamp,
    names: Vec<NameView>,
    shown: Option<ShownName>,
}

/// The question.
pub async fn ask(SignedIn(caller): SignedIn) -> Result<Response, PageError> {
    caller.require(rights::READ)?;
    let template = AccessTemplate {
        nav: Nav::of(&caller, "/access"),
        form: Form::default(),
        found: None,
        question: Vec::new(),
    };
    Ok(page(StatusCode::OK, &template))
}

/// The answer.
pub async fn read(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    fields: Fields,
) -> Result<Response, PageError> {
    caller.require(rights::READ)?;
    let found = async { web.audit.access_log(&caller, &request(&fields)?).await }.await;
    let question = fields.only(&QUESTION);
    let outcome = Outcome::of(fields, found)?;
    let template = AccessTemplate {
        nav: Nav::of(&caller, "/access"),
        form: outcome.form,
        found: outcome.made,
        question,
    };
    Ok(page(outcome.status, &template))
}

/// The requests for names.
pub async fn names(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
) -> Result<Response, PageError> {
    let names = NamesPage {
        nav: Nav::of(&caller, "/access"),
        now: web.audit.now(),
        names: web.audit.names(&caller).await?,
        shown: None,
    };
    Ok(page(StatusCode::OK, &names))
}

/// Asks for a name.
pub async fn ask_for_name(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    fields: Fields,
) -> Result<Response, PageError> {
    let request = NameRequest {
        entry: fields.text("entry").parse().ok(),
        purpose: fields.text("purpose").to_owned(),
        case: fields.given("case"),
    };
    web.audit.ask_for_name(&caller, &request).await?;
    Ok(Redirect::to("/access/names").into_response())
}

/// Allows or refuses that a name is shown.
pub async fn decide(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, PageError> {
    let request = DecisionRequest {
        decision: fields.text("decision").to_owned(),
    };
    web.audit.decide_name(&caller, &id, &request).await?;
    Ok(Redirect::to("/access/names").into_response())
}

/// Shows a name, this once.
pub async fn show_name(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    // Nothing that can fail stands behind the name, which is never shown again.
    let mut names = web.audit.names(&caller).await?;
    let shown = web.audit.show_name(&caller, &id).await?;
    let one = names.iter_mut().filter(|name| name.id == id);
    one.for_each(|name| name.status = "shown".into());
    let names = NamesPage {
        nav: Nav::of(&caller, "/access"),
        now: web.audit.now(),
        names,
        shown: Some(shown),
    };
    Ok(page(StatusCode::OK, &names))
}

/// The question, its days as moments in UTC.
fn request(fields: &Fields) -> Result<AccessRequest, AuditError> {
    Ok(AccessRequest {
        purpose: fields.text("purpose").to_owned(),
        case: fields.given("case"),
        from: fields.day_begin("from")?,
        to: fields.day_end("to")?,
        operation: fields.given("operation"),
        role: fields.given("role"),
        log: fields.given("log"),
        cursor: fields.given("cursor"),
        limit: None,
    })
}

impl NamesPage {
    /// A request's state, in words.
    fn status(&self, name: &NameView) -> String {
        let key = match name.status.as_str() {
            "waiting" => "access-waiting",
            "approved" => "access-approved",
            "refused" => "access-refused",
            "shown" => "access-shown",
            _ => "access-expired",
        };
        self.nav.t.get(key)
    }
}
