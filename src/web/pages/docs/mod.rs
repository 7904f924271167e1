//! The API to browse, made of its own description.

mod read;

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

use self::read::{Call, Schema};
use super::nav::Nav;
use super::{PageError, page, show};
use crate::web::auth::Visitor;

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage {
    nav: Nav,
    groups: Vec<(String, Vec<Call>)>,
    schemas: Vec<Schema>,
}

/// The API.
pub async fn view(Visitor(caller): Visitor) -> Result<Response, PageError> {
    let nav = match &caller {
        Some(caller) => Nav::of(caller, "/docs"),
        None => Nav::for_anyone("/docs"),
    };
    let api = serde_json::to_value(crate::web::openapi()).map_err(|_| PageError::internal())?;
    let docs = DocsPage {
        nav,
        groups: read::groups(&api),
        schemas: read::schemas(&api),
    };
    Ok(page(StatusCode::OK, &docs))
}
