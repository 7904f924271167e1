//! One closed segment with its links, as they stand in its file.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::{AuditError, SegmentLinks};
use crate::web::Web;
use crate::web::auth::SignedIn;

/// Links of a page.
const LINKS: u32 = 100;

/// Which links.
#[derive(Deserialize)]
pub struct LinksQuery {
    cursor: Option<String>,
}

#[derive(Template)]
#[template(path = "segment.html")]
struct SegmentPage {
    nav: Nav,
    log: String,
    number: u64,
    further: bool,
    page: SegmentLinks,
}

/// The page.
pub async fn view(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path((log, number)): Path<(String, String)>,
    Query(query): Query<LinksQuery>,
) -> Result<Response, PageError> {
    let number = number.parse();
    let number = number.map_err(|_| AuditError::NotFound("thing-segment"))?;
    let cursor = query.cursor.as_deref();
    let links = web
        .audit
        .segment_links(&caller, &log, number, cursor, Some(LINKS));
    let segment = SegmentPage {
        page: links.await?,
        nav: Nav::of(&caller, "/integrity"),
        further: cursor.is_some(),
        log,
        number,
    };
    Ok(page(StatusCode::OK, &segment))
}
