//! The checkpoints that a log has signed: listed, handed out, and compared with the log.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::form::{Fields, Form, Outcome, Pairs};
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::{
    Caller, CheckpointCheck, CheckpointRequest, CheckpointsPage, KeptCheckpoint, KeyView, rights,
};
use crate::limits::{CHECKPOINT_DAYS, CHECKPOINT_HOURS};
use crate::web::Web;
use crate::web::auth::SignedIn;

/// Rows of a page.
const ROWS: u32 = 50;

#[derive(Template)]
#[template(path = "checkpoints.html")]
struct CheckpointsTemplate {
    nav: Nav,
    form: Form,
    log: String,
    key: Option<KeyView>,
    /// Absent where the form says what cannot be.
    list: Option<CheckpointsPage>,
    check: Option<CheckpointCheck>,
    /// Whether whoever looks may compare.
    may_check: bool,
}

/// The list.
pub async fn list(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(log): Path<String>,
    Query(pairs): Query<Pairs>,
) -> Result<Response, PageError> {
    let fields = Fields::of(pairs);
    let found = async {
        let range = fields.range(ROWS)?;
        web.audit.checkpoints(&caller, &log, &range).await
    };
    let found = found.await;
    let outcome = Outcome::of(fields, found)?;
    let template = CheckpointsTemplate {
        list: outcome.made,
        ..CheckpointsTemplate::of(&web, &caller, &log, outcome.form).await?
    };
    Ok(page(outcome.status, &template))
}

/// Compares one with the log.
pub async fn check(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(log): Path<String>,
    fields: Fields,
) -> Result<Response, PageError> {
    caller.require(rights::VERIFY)?;
    // Never by its size: what a page lists as the newest may have been followed by another.
    let request = CheckpointRequest {
        size: None,
        note: fields.given("note"),
    };
    let checked = web.audit.check_checkpoint(&caller, &log, &request).await;
    let outcome = Outcome::of(fields, checked)?;
    let newest = Fields::default().range(ROWS)?;
    let template = CheckpointsTemplate {
        list: Some(web.audit.checkpoints(&caller, &log, &newest).await?),
        check: outcome.made,
        ..CheckpointsTemplate::of(&web, &caller, &log, outcome.form).await?
    };
    Ok(page(outcome.status, &template))
}

/// The signed note of one that is kept, as a file.
pub async fn note(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path((log, size)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let checkpoint = web.audit.checkpoint(&caller, &log, &size).await?;
    Ok(file(&format!("{log}.{}", checkpoint.size), checkpoint.note))
}

/// A signed note as a file of this name.
pub fn file(name: &str, note: String) -> Response {
    let name = format!("attachment; filename=\"{name}.checkpoint.txt\"");
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    (StatusCode::OK, headers, note).into_response()
}

impl CheckpointsTemplate {
    async fn of(web: &Web, caller: &Caller, log: &str, form: Form) -> Result<Self, PageError> {
        let log = web.audit.log_view(caller, log).await?;
        let mut keys = web.audit.keys().into_iter();
        Ok(Self {
            nav: Nav::of(caller, "/logs").back_to(format!("/logs/{}/checkpoints", log.log)),
            form,
            key: keys.find(|key| key.name == log.origin),
            log: log.log,
            list: None,
            check: None,
            may_check: caller.may(rights::VERIFY),
        })
    }

    /// What is kept, in words.
    fn keeps(&self) -> String {
        let words = self.nav.t.with("checkpoints-keeps");
        let words = words.count("hours", u64::from(CHECKPOINT_HOURS));
        words.count("days", u64::from(CHECKPOINT_DAYS)).to_string()
    }

    /// Why one is kept, in words.
    fn kept(&self, one: &KeptCheckpoint) -> String {
        let key = match one.kept.as_str() {
            "newest" => "checkpoints-newest",
            "hour" => "checkpoints-hour",
            "day" => "checkpoints-day",
            _ => "checkpoints-export",
        };
        self.nav.t.get(key)
    }

    /// The key of what a comparison means.
    fn meaning(check: &CheckpointCheck) -> &'static str {
        match check.verdict.as_str() {
            "VERIFIED" => "checkpoints-holds",
            "TRUNCATED" => "checkpoints-truncated",
            "UNKNOWN KEY" => "checkpoints-unknown-key",
            _ => "checkpoints-altered",
        }
    }
}
