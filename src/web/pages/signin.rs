//! Signing in with a token, and out.

use askama::Template;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::form::Fields;
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::AuditError;
use crate::web::Web;
use crate::web::auth::{self, Visitor};

#[derive(Template)]
#[template(path = "signin.html")]
struct SignInPage {
    nav: Nav,
    refused: bool,
    /// The page to go to afterwards.
    to: String,
}

/// The page that was asked for.
#[derive(Deserialize)]
pub struct SignInQuery {
    #[serde(default)]
    to: String,
}

/// The form.
pub async fn view(Visitor(caller): Visitor, Query(query): Query<SignInQuery>) -> Response {
    match caller {
        Some(_) => Redirect::to("/").into_response(),
        None => sign_in_page(false, query.to),
    }
}

/// Begins a session, and ends the one before.
pub async fn sign_in(
    State(web): State<Web>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, PageError> {
    let to = fields.text("to");
    let (_, cookie) = match web.audit.sign_in(fields.text("token")).await {
        Err(AuditError::Unauthorized) => return Ok(sign_in_page(true, to.to_owned())),
        signed_in => signed_in?,
    };
    if let Some(before) = auth::session(&headers) {
        web.audit.sign_out(before, false).await?;
    }
    let place = if auth::is_own_page(to) { to } else { "/" };
    leave_to(&web, place, &cookie)
}

/// Ends the session; with the field `everywhere`, all sessions of the token.
pub async fn sign_out(
    State(web): State<Web>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, PageError> {
    if let Some(cookie) = auth::session(&headers) {
        let everywhere = fields.given("everywhere").is_some();
        web.audit.sign_out(cookie, everywhere).await?;
    }
    leave_to(&web, "/signin", "")
}

fn sign_in_page(refused: bool, to: String) -> Response {
    let nav = Nav::for_anyone("/signin");
    let status = match refused {
        true => StatusCode::UNAUTHORIZED,
        false => StatusCode::OK,
    };
    page(status, &SignInPage { nav, refused, to })
}

fn leave_to(web: &Web, place: &str, cookie: &str) -> Result<Response, PageError> {
    let cookie =
        auth::set_cookie(cookie, web.options.secure_cookies).ok_or_else(PageError::internal)?;
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(place)).into_response())
}
