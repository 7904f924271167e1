//! Signing in, with a name and a password or with a token; and out.

use askama::Template;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::form::Fields;
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::{AuditError, SignIn, Whence};
use crate::web::Web;
use crate::web::auth::{self, DEVICE, SESSION, Visitor};
use crate::web::client::Client;

/// `to` is not believed until it is followed: `is_own_page` decides then.
#[derive(Template)]
#[template(path = "signin.html")]
struct SignInPage {
    nav: Nav,
    refused: Option<Way>,
    /// The page to go to afterwards.
    to: String,
}

/// How somebody signs in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Password,
    Token,
}

/// The page that was asked for.
#[derive(Deserialize)]
pub struct SignInQuery {
    #[serde(default)]
    to: String,
}

/// The forms.
pub async fn view(Visitor(caller): Visitor, Query(query): Query<SignInQuery>) -> Response {
    match caller {
        Some(_) => Redirect::to("/").into_response(),
        None => sign_in_page(None, query.to),
    }
}

/// Begins a session, and ends the one before.
pub async fn sign_in(
    State(web): State<Web>,
    client: Client,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, PageError> {
    let to = fields.text("to");
    let (way, signed_in) = match fields.given("token") {
        Some(token) => (Way::Token, web.audit.sign_in_with_token(&token).await),
        None => {
            let whence = Whence {
                address: client.address,
                device: DEVICE.of(&headers, client),
            };
            let (name, password) = (fields.text("name"), fields.text("password"));
            let signed_in = web.audit.sign_in_with_password(name, password, whence);
            (Way::Password, signed_in.await)
        }
    };
    let signed_in = match signed_in {
        Err(AuditError::Unauthorized) => return Ok(sign_in_page(Some(way), to.to_owned())),
        signed_in => signed_in?,
    };
    if let Some(before) = SESSION.of(&headers, client) {
        web.audit.sign_out(before, false).await?;
    }
    let place = if auth::is_own_page(to) { to } else { "/" };
    let SignIn {
        session, device, ..
    } = signed_in;
    let session = SESSION.set(&session, client);
    let session = session.ok_or_else(PageError::internal)?;
    let device = device.and_then(|device| DEVICE.set(&device, client));
    let cookies = [Some(session), device].into_iter().flatten();
    let cookies = cookies.map(|cookie| (header::SET_COOKIE, cookie));
    Ok((AppendHeaders(cookies), Redirect::to(place)).into_response())
}

/// Ends the session; with the field `everywhere`, all sessions of the account.
pub async fn sign_out(
    State(web): State<Web>,
    client: Client,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, PageError> {
    if let Some(cookie) = SESSION.of(&headers, client) {
        let everywhere = fields.given("everywhere").is_some();
        web.audit.sign_out(cookie, everywhere).await?;
    }
    let cookie = SESSION.set("", client).ok_or_else(PageError::internal)?;
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/signin")).into_response())
}

/// The same page for whatever was wrong, so that it does not tell names that there are.
fn sign_in_page(refused: Option<Way>, to: String) -> Response {
    let nav = Nav::for_anyone("/signin");
    let status = match refused {
        Some(_) => StatusCode::UNAUTHORIZED,
        None => StatusCode::OK,
    };
    page(status, &SignInPage { nav, refused, to })
}

impl SignInPage {
    /// Beside which form the refusal stands.
    fn refuses(&self, way: Way) -> bool {
        self.refused == Some(way)
    }
}
