//! The checks of all logs: asked for here, and listed.

use askama::Template;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::form::Fields;
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::{
    VerificationView, VerificationsFilter, VerificationsPage, VerificationsRequest,
};
use crate::web::Web;
use crate::web::auth::SignedIn;
use crate::web::language;

/// Rows of a page.
const ROWS: u32 = 50;

/// Which checks are shown.
#[derive(Deserialize)]
pub struct ListQuery {
    #[serde(default)]
    log: String,
    #[serde(default)]
    found: String,
    cursor: Option<String>,
}

#[derive(Template)]
#[template(path = "integrity.html")]
struct IntegrityPage {
    nav: Nav,
    query: ListQuery,
    list: VerificationsPage,
    /// Hours between the checks of the schedule, if there is one.
    hours: Option<u64>,
}

/// The page.
pub async fn view(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Query(query): Query<ListQuery>,
) -> Result<Response, PageError> {
    let filter = VerificationsFilter {
        log: Some(query.log.clone()).filter(|log| !log.is_empty()),
        found: !query.found.is_empty(),
        cursor: query.cursor.clone(),
        limit: Some(ROWS),
    };
    let list = web
        .audit
        .verifications(&caller, &filter, language::current());
    let list = list.await?;
    let integrity = IntegrityPage {
        nav: Nav::of(&caller, "/integrity"),
        hours: web.audit.schedule_hours(),
        query,
        list,
    };
    Ok(page(StatusCode::OK, &integrity))
}

/// Asks for checks of all logs.
pub async fn request(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    fields: Fields,
) -> Result<Response, PageError> {
    let request = VerificationsRequest {
        logs: None,
        incremental: fields.given("incremental").is_some(),
        deep: fields.given("deep").is_some(),
    };
    web.audit.request_verifications(&caller, &request).await?;
    Ok(Redirect::to("/integrity").into_response())
}

impl IntegrityPage {
    /// What a check was asked for, in words.
    fn what(&self, check: &VerificationView) -> String {
        let t = &self.nav.t;
        let request = &check.request;
        let mut words = match (request.first_segment, request.last_segment) {
            (None, None) if request.incremental => t.get("integrity-kind-new"),
            (None, None) => t.get("integrity-kind-whole"),
            (first, last) => {
                let last =
                    last.map_or_else(|| t.get("integrity-kind-end"), |last| last.to_string());
                t.with("integrity-kind-range")
                    .arg("first", first.unwrap_or(0))
                    .arg("last", last)
                    .to_string()
            }
        };
        if request.deep {
            words.push_str(", ");
            words.push_str(&t.get("integrity-kind-deep"));
        }
        words
    }
}
