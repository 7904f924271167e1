//! Who calls: a bearer token, or the portal's session cookie.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::{IntoResponse, Redirect, Response};

use super::Web;
use super::pages::PageError;
use super::problem::Problem;
use crate::audit::{AuditError, Caller};

/// The session cookie's name.
const COOKIE: &str = "estreat_session";

/// A caller that was let in, for calls of the API.
pub struct Authenticated(pub Caller);

/// A caller that was let in, for pages: whoever was not is sent to the sign-in page.
pub struct SignedIn(pub Caller);

/// Whoever looks at a page that anyone may see.
pub struct Visitor(pub Option<Caller>);

impl FromRequestParts<Web> for Authenticated {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Problem> {
        let caller = match bearer(&parts.headers) {
            Some(secret) => web.audit.authenticate(secret).await,
            None => match session(&parts.headers) {
                Some(cookie) => web.audit.session(cookie).await,
                None => Err(AuditError::Unauthorized),
            },
        };
        Ok(Self(caller?))
    }
}

impl FromRequestParts<Web> for SignedIn {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Response> {
        match Visitor::from_request_parts(parts, web).await {
            Ok(Visitor(Some(caller))) => Ok(Self(caller)),
            Ok(Visitor(None)) => Err(to_sign_in(parts)),
            Err(error) => Err(error.into_response()),
        }
    }
}

impl FromRequestParts<Web> for Visitor {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, PageError> {
        let Some(cookie) = session(&parts.headers) else {
            return Ok(Self(None));
        };
        match web.audit.session(cookie).await {
            Ok(caller) => Ok(Self(Some(caller))),
            Err(AuditError::Unauthorized) => Ok(Self(None)),
            Err(error) => Err(error.into()),
        }
    }
}

/// To the sign-in page, and from there back to the page asked for.
fn to_sign_in(parts: &Parts) -> Response {
    let path = parts.uri.path();
    let place = match is_own_page(path) && path != "/" && parts.method == Method::GET {
        true => format!("/signin?to={path}"),
        false => "/signin".into(),
    };
    Redirect::to(&place).into_response()
}

/// Whether a path can be nothing but a page of this server.
pub fn is_own_page(path: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    path.starts_with('/') && !path.starts_with("//") && path.bytes().all(plain)
}

/// The session cookie's value, if one was sent.
pub fn session(headers: &HeaderMap) -> Option<&str> {
    cookie(headers, COOKIE)
}

/// A cookie's value, if one was sent.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// A cookie that begins a session, or with an empty value ends it.
pub fn set_cookie(value: &str, secure: bool) -> Option<HeaderValue> {
    let age = if value.is_empty() { "; Max-Age=0" } else { "" };
    let secure = if secure { "; Secure" } else { "" };
    HeaderValue::from_str(&format!(
        "{COOKIE}={value}; HttpOnly; SameSite=Strict; Path=/{age}{secure}"
    ))
    .ok()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}
