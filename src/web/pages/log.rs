//! One log: its state, keys, segments; for administrators its settings.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::form::{Fields, Form, Outcome};
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::{
    AuditError, Caller, KeyView, LogRequest, LogView, SegmentsPage, VerificationView, rights,
};
use crate::time::Timestamp;
use crate::web::Web;
use crate::web::auth::SignedIn;

/// Segments of a page.
const SEGMENTS: u32 = 50;

/// A page of segments.
#[derive(Deserialize)]
pub struct SegmentsQuery {
    pub(super) cursor: Option<String>,
}

#[derive(Template)]
#[template(path = "log.html")]
struct LogPage {
    nav: Nav,
    form: Form,
    now: Timestamp,
    log: LogView,
    key: Option<KeyView>,
    /// For auditors.
    segments: Option<SegmentsPage>,
    /// Whether these are not the first.
    further: bool,
    verified: Option<VerificationView>,
    is_admin: bool,
}

/// A log's page.
pub async fn view(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(log): Path<String>,
    Query(query): Query<SegmentsQuery>,
) -> Result<Response, PageError> {
    let log = web.audit.log_view(&caller, &log).await?;
    let segments = match caller.may(rights::SEE_SEGMENTS) {
        true => {
            let cursor = query.cursor.as_deref();
            let page = web
                .audit
                .segments(&caller, &log.log, cursor, Some(SEGMENTS));
            Some(page.await?)
        }
        false => None,
    };
    let log_page = LogPage {
        segments,
        further: query.cursor.is_some(),
        ..LogPage::of(&web, &caller, log, Form::default()).await?
    };
    Ok(page(StatusCode::OK, &log_page))
}

/// The newest checkpoint's signed note, as a file.
pub async fn checkpoint(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(log): Path<String>,
) -> Result<Response, PageError> {
    let log = web.audit.log_view(&caller, &log).await?;
    let checkpoint = log.checkpoint.ok_or(AuditError::NotFound("checkpoint"))?;
    let name = format!("attachment; filename=\"{}.checkpoint.txt\"", log.log);
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, checkpoint.note).into_response())
}

/// Sets a log's settings.
pub async fn set(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(log): Path<String>,
    fields: Fields,
) -> Result<Response, PageError> {
    let set = web.audit.set_log(&caller, &log, &settings(&fields)).await;
    let outcome = Outcome::of(fields, set)?;
    if let Some(view) = outcome.made {
        return Ok(Redirect::to(&format!("/logs/{}", view.log)).into_response());
    }
    let log = web.audit.log_view(&caller, &log).await?;
    let log_page = LogPage::of(&web, &caller, log, outcome.form).await?;
    Ok(page(outcome.status, &log_page))
}

/// A log's settings, of a form.
pub fn settings(fields: &Fields) -> LogRequest {
    LogRequest {
        description: fields.text("description").trim().to_owned(),
        require_case: fields.given("require_case").is_some(),
    }
}

impl LogPage {
    async fn of(web: &Web, caller: &Caller, log: LogView, form: Form) -> Result<Self, PageError> {
        let mut keys = web.audit.keys().into_iter();
        let verified = web
            .audit
            .last_verification(caller, &log.log, crate::web::language::current())
            .await?;
        Ok(Self {
            nav: Nav::of(caller, "/logs"),
            now: web.audit.now(),
            key: keys.find(|key| key.name == log.origin),
            segments: None,
            further: false,
            is_admin: caller.may(rights::SET_LOGS),
            verified,
            form,
            log,
        })
    }

    fn description(&self) -> &str {
        match self.form.fault() {
            Some(_) => self.form.value("description"),
            None => &self.log.description,
        }
    }

    fn requires_case(&self) -> bool {
        match self.form.fault() {
            Some(_) => self.form.has("require_case", "yes"),
            None => self.log.require_case,
        }
    }
}
