//! The check of a bundle in the browser: for anyone, and nothing is sent here.

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::export::{VERIFY_PAGE, verify_page, verify_words};
use crate::messages::Lang;
use crate::web::auth::Visitor;
use crate::web::language;

#[derive(Template)]
#[template(path = "verify.html")]
struct Verify {
    nav: Nav,
    t: Lang,
    langs: [Lang; 1],
    words: String,
}

/// The page.
pub async fn view(Visitor(caller): Visitor) -> Result<Response, PageError> {
    let nav = match &caller {
        Some(caller) => Nav::of(caller, "/verify"),
        None => Nav::for_anyone("/verify"),
    };
    let t = nav.t;
    let view = Verify {
        nav,
        t,
        langs: [t],
        words: verify_words(&[t]),
    };
    Ok(page(StatusCode::OK, &view))
}

/// The same page as one file, to be kept: its own policy is for a disk, so it is not shown here.
pub async fn alone() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{VERIFY_PAGE}\""),
        ),
    ];
    (headers, verify_page(language::current())).into_response()
}
