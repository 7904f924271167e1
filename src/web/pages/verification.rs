//! A log's verification: asked for on the log's page, shown on its own.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use serde_json::Value;

use super::form::{Fields, Outcome};
use super::nav::Nav;
use super::{PageError, log, page, show};
use crate::audit::{AuditError, FindingView, VerificationRequest, VerificationView, rights};
use crate::web::Web;
use crate::web::auth::SignedIn;
use crate::web::language;

#[derive(Template)]
#[template(path = "verification.html")]
struct VerificationPage {
    nav: Nav,
    verification: VerificationView,
    findings: Vec<FindingView>,
    counts: Vec<(String, u64)>,
}

/// Asks for a verification, and goes to its page.
pub async fn request(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(log): Path<String>,
    fields: Fields,
) -> Result<Response, PageError> {
    caller.require(rights::VERIFY)?;
    let asked = async {
        let (request, lang) = (what(&fields)?, language::current());
        let asked = web.audit.request_verification(&caller, &log, request, lang);
        asked.await
    };
    let asked = asked.await;
    let outcome = Outcome::of(fields, asked)?;
    match outcome.made {
        Some(view) => Ok(Redirect::to(&format!("/verifications/{}", view.id)).into_response()),
        None => log::refuse(&web, &caller, &log, outcome.status, outcome.form).await,
    }
}

/// What a form asks to be checked.
fn what(fields: &Fields) -> Result<VerificationRequest, AuditError> {
    Ok(VerificationRequest {
        incremental: fields.given("incremental").is_some(),
        deep: fields.given("deep").is_some(),
        first_segment: segment(fields, "first_segment")?,
        last_segment: segment(fields, "last_segment")?,
    })
}

/// A segment's number of a form, if one is given.
fn segment(fields: &Fields, name: &'static str) -> Result<Option<u64>, AuditError> {
    let number = fields.given(name).map(|text| text.trim().parse());
    let number = number.transpose();
    number.map_err(|_| AuditError::invalid(name, "refusal-segment-number"))
}

/// A verification's page.
pub async fn view(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let verification = web
        .audit
        .verification(&caller, &id, language::current())
        .await?;
    let outcome = verification.outcome.as_ref();
    let verification_page = VerificationPage {
        nav: Nav::of(&caller, "/integrity"),
        findings: outcome.map_or_else(Vec::new, |outcome| outcome.findings.clone()),
        counts: outcome.map_or_else(Vec::new, |outcome| counts(&outcome.counts)),
        verification,
    };
    Ok(page(StatusCode::OK, &verification_page))
}

fn counts(counts: &Value) -> Vec<(String, u64)> {
    let members = counts.as_object().into_iter().flatten();
    members
        .filter_map(|(name, number)| Some((count_words(name), number.as_u64()?)))
        .collect()
}

/// What a count counts, in the page's language.
fn count_words(name: &str) -> String {
    let key = match name {
        "segments" => "verification-segments",
        "links" => "log-links",
        "entries" => "export-entries",
        "opened" => "verification-opened",
        "covered" => "verification-covered",
        "bytes" => "export-bytes",
        other => return other.to_owned(),
    };
    language::current().get(key)
}

impl VerificationPage {
    fn is_over(&self) -> bool {
        matches!(self.verification.status.as_str(), "done" | "failed")
    }
}

/// The key of what a verdict can mean, and what to do.
fn advice(verdict: &str) -> Option<&'static str> {
    Some(match verdict {
        "ALTERED" => "verification-altered",
        "MISSING" => "verification-missing",
        "TRUNCATED" => "verification-truncated",
        "UNKNOWN KEY" => "verification-unknown-key",
        _ => return None,
    })
}
