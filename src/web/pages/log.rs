//! One log: its state, keys, segments; for administrators its settings.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};

use super::form::{Fields, Form, Outcome, Pairs};
use super::nav::Nav;
use super::{PageError, checkpoints, page, show};
use crate::audit::{
    AuditError, Caller, KeyView, LogRequest, LogView, SegmentsPage, VerificationView, rights,
};
use crate::time::Timestamp;
use crate::web::Web;
use crate::web::auth::SignedIn;
use crate::web::language;

/// Segments of a page.
const SEGMENTS: u32 = 50;

#[derive(Template)]
#[template(path = "log.html")]
struct LogPage {
    nav: Nav,
    form: Form,
    now: Timestamp,
    log: LogView,
    key: Option<KeyView>,
    /// Absent where the form says what cannot be.
    segments: Option<SegmentsPage>,
    verified: Option<VerificationView>,
    /// Whether whoever looks sees segments and verifies.
    is_auditor: bool,
    is_admin: bool,
}

/// A log's page.
pub async fn view(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(log): Path<String>,
    Query(pairs): Query<Pairs>,
) -> Result<Response, PageError> {
    let fields = Fields::of(pairs);
    let segments = segments(&web, &caller, &log, &fields).await;
    let outcome = Outcome::of(fields, segments)?;
    let log_page = LogPage {
        segments: outcome.made.flatten(),
        ..LogPage::of(&web, &caller, &log, outcome.form).await?
    };
    Ok(page(outcome.status, &log_page))
}

/// The newest checkpoint's signed note, as a file.
pub async fn checkpoint(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(log): Path<String>,
) -> Result<Response, PageError> {
    let log = web.audit.log_view(&caller, &log).await?;
    let checkpoint = log
        .checkpoint
        .ok_or(AuditError::NotFound("thing-checkpoint"))?;
    Ok(checkpoints::file(&log.log, checkpoint.note))
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
    match outcome.made {
        Some(view) => Ok(Redirect::to(&format!("/logs/{}", view.log)).into_response()),
        None => refuse(&web, &caller, &log, outcome.status, outcome.form).await,
    }
}

/// A log's page, which says what was wrong with one of its forms.
pub async fn refuse(
    web: &Web,
    caller: &Caller,
    log: &str,
    status: StatusCode,
    form: Form,
) -> Result<Response, PageError> {
    let log_page = LogPage {
        segments: segments(web, caller, log, &Fields::default()).await?,
        ..LogPage::of(web, caller, log, form).await?
    };
    Ok(page(status, &log_page))
}

/// A log's settings, of a form.
pub fn settings(fields: &Fields) -> LogRequest {
    LogRequest {
        description: fields.text("description").trim().to_owned(),
        require_case: fields.given("require_case").is_some(),
    }
}

/// A page of segments, for whoever may see them.
async fn segments(
    web: &Web,
    caller: &Caller,
    log: &str,
    fields: &Fields,
) -> Result<Option<SegmentsPage>, AuditError> {
    if !caller.may(rights::SEE_SEGMENTS) {
        return Ok(None);
    }
    let range = fields.range(SEGMENTS)?;
    web.audit.segments(caller, log, &range).await.map(Some)
}

impl LogPage {
    async fn of(web: &Web, caller: &Caller, log: &str, form: Form) -> Result<Self, PageError> {
        let log = web.audit.log_view(caller, log).await?;
        let mut keys = web.audit.keys().into_iter();
        let verified = web
            .audit
            .last_verification(caller, &log.log, language::current())
            .await?;
        Ok(Self {
            nav: Nav::of(caller, "/logs").back_to(format!("/logs/{}", log.log)),
            now: web.audit.now(),
            key: keys.find(|key| key.name == log.origin),
            segments: None,
            is_auditor: caller.may(rights::SEE_SEGMENTS),
            is_admin: caller.may(rights::SET_LOGS),
            verified,
            form,
            log,
        })
    }

    /// Whether the segments shown need not be the first ones, nor all.
    fn is_narrowed(&self) -> bool {
        let mut names = ["cursor", "from", "to"].into_iter();
        names.any(|name| !self.form.value(name).is_empty())
    }

    /// Whether the settings were sent and refused.
    fn are_settings_refused(&self) -> bool {
        !self.form.error("description").is_empty()
    }

    fn description(&self) -> &str {
        match self.are_settings_refused() {
            true => self.form.value("description"),
            false => &self.log.description,
        }
    }

    fn requires_case(&self) -> bool {
        match self.are_settings_refused() {
            true => self.form.has("require_case", "yes"),
            false => self.log.require_case,
        }
    }
}
