//! Open cases, for administrators: closed here where their makers cannot; nothing of them is read.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::OpenCasesPage;
use crate::time::Timestamp;
use crate::web::Web;
use crate::web::auth::SignedIn;

/// Rows of a page.
const ROWS: u32 = 100;

/// Where a page is.
#[derive(Deserialize)]
pub struct Place {
    cursor: Option<String>,
}

#[derive(Template)]
#[template(path = "cases.html")]
struct CasesPage {
    nav: Nav,
    now: Timestamp,
    further: bool,
    page: OpenCasesPage,
}

/// The list.
pub async fn list(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Query(place): Query<Place>,
) -> Result<Response, PageError> {
    let cursor = place.cursor.as_deref();
    let cases = CasesPage {
        page: web.audit.open_cases(&caller, cursor, Some(ROWS)).await?,
        nav: Nav::of(&caller, "/cases"),
        now: web.audit.now(),
        further: cursor.is_some(),
    };
    Ok(page(StatusCode::OK, &cases))
}

/// Closes one.
pub async fn end(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    web.audit.end_case(&caller, &id).await?;
    Ok(Redirect::to("/cases").into_response())
}
