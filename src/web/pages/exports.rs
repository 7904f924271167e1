//! Exports: the list, and the form for a new one.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};

use super::form::{Fields, Form};
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::export::{Audience, ExportRequest, ExportView};
use crate::audit::{AuditError, Caller, LogView, rights};
use crate::web::Web;
use crate::web::auth::SignedIn;

/// Exports that the list shows.
const LISTED: u32 = 200;

#[derive(Template)]
#[template(path = "exports.html")]
struct ExportsPage {
    nav: Nav,
    exports: Vec<ExportView>,
    is_auditor: bool,
}

#[derive(Template)]
#[template(path = "export_new.html")]
struct NewExportPage {
    nav: Nav,
    form: Form,
    logs: Vec<LogView>,
}

/// The list.
pub async fn list(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
) -> Result<Response, PageError> {
    let exports = ExportsPage {
        nav: Nav::of(&caller, "/exports"),
        exports: web.audit.exports(&caller, LISTED).await?,
        is_auditor: caller.may(rights::EXPORT),
    };
    Ok(page(StatusCode::OK, &exports))
}

/// The form.
pub async fn ask(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
) -> Result<Response, PageError> {
    form_page(&web, &caller, StatusCode::OK, Form::default()).await
}

/// The form, with the question of a search.
pub async fn prefill(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    fields: Fields,
) -> Result<Response, PageError> {
    form_page(&web, &caller, StatusCode::OK, Form::filled(fields)).await
}

/// Asks for an export, and goes to its page.
pub async fn request(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    fields: Fields,
) -> Result<Response, PageError> {
    let made = match export_request(&fields) {
        Ok(request) => web.audit.request_export(&caller, &request).await,
        Err(error) => Err(error),
    };
    match made {
        Ok(view) => Ok(Redirect::to(&format!("/exports/{}", view.id)).into_response()),
        Err(error) => {
            let form = Form::refused(fields, error)?;
            form_page(&web, &caller, StatusCode::UNPROCESSABLE_ENTITY, form).await
        }
    }
}

async fn form_page(
    web: &Web,
    caller: &Caller,
    status: StatusCode,
    form: Form,
) -> Result<Response, PageError> {
    caller.require(rights::EXPORT)?;
    let new = NewExportPage {
        nav: Nav::of(caller, "/exports"),
        form,
        logs: web.audit.logs(caller).await?,
    };
    Ok(page(status, &new))
}

fn export_request(fields: &Fields) -> Result<ExportRequest, AuditError> {
    let audience = match fields.text("audience") {
        "authority" | "" => Audience::Authority,
        "subject" => Audience::Subject,
        _ => return Err(AuditError::invalid("audience", "choose one of the two")),
    };
    let share_with = fields.text("share_with").split_whitespace();
    Ok(ExportRequest {
        subject: fields.text("subject").to_owned(),
        logs: fields.some("logs"),
        from: fields.day_begin("from")?,
        to: fields.day_end("to")?,
        purpose: fields.text("purpose").to_owned(),
        case: fields.given("case"),
        audience,
        share_with: share_with.map(str::to_owned).collect(),
    })
}
