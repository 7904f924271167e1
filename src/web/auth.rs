//! Who calls: a bearer token, or the portal's session cookie.
//!
//! Both kinds of secret come with each request, and neither stands in a URL. A form that another
//! site sends is refused before it gets here (the CSRF layer of `router`); `SameSite` is the second
//! line.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::{IntoResponse, Redirect, Response};

use super::Web;
use super::client::Client;
use super::pages::PageError;
use super::problem::Problem;
use crate::audit::{AuditError, Caller};
use crate::limits::DEVICE_MICROS;

/// The cookie of a session.
pub const SESSION: Cookie = Cookie {
    name: "estreat_session",
    prefixed: "__Host-estreat_session",
    seconds: None,
    same_site: "Strict",
};

/// The cookie of a browser in which a person has signed in: it lets nobody in, but is not slowed
/// by what others try elsewhere.
pub const DEVICE: Cookie = Cookie {
    name: "estreat_device",
    prefixed: "__Host-estreat_device",
    seconds: Some(DEVICE_MICROS / 1_000_000),
    same_site: "Strict",
};

/// The cookie of a reader's choice of language. It goes along from foreign pages too, so that a
/// link in a mail opens in it.
pub const LANGUAGE: Cookie = Cookie {
    name: "estreat_language",
    prefixed: "__Host-estreat_language",
    // A year.
    seconds: Some(365 * 24 * 3600),
    same_site: "Lax",
};

/// A kind of cookie. Over TLS it has the prefix that keeps neighbouring hosts, and whoever comes
/// between without TLS, from setting it.
pub struct Cookie {
    name: &'static str,
    prefixed: &'static str,
    /// How long browsers keep it; without it, until they are closed.
    seconds: Option<i64>,
    /// Whether browsers send it when a page of another site leads here (RFC 6265bis, 5.6.7).
    same_site: &'static str,
}

/// A caller that was let in, for calls of the API.
pub struct Authenticated(pub Caller);

/// A caller that was let in, for pages: whoever was not is sent to the sign-in page.
pub struct SignedIn(pub Caller);

/// Whoever looks at a page that anyone may see. A session that does not hold makes a visitor of its
/// browser, not an error.
pub struct Visitor(pub Option<Caller>);

impl FromRequestParts<Web> for Authenticated {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Problem> {
        let client = Client::from_request_parts(parts, web).await?;
        // A token before a cookie: a program on a machine with a browser is who it says that it is.
        let caller = match bearer(&parts.headers)? {
            Some(secret) => web.audit.authenticate(secret).await,
            None => match SESSION.of(&parts.headers, client) {
                Some(cookie) => web.audit.session(cookie).await,
                None => Err(AuditError::Unauthorized),
            },
        };
        Ok(Self(caller?.from_address(client.address)))
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
        let client = Client::from_request_parts(parts, web).await?;
        let Some(cookie) = SESSION.of(&parts.headers, client) else {
            return Ok(Self(None));
        };
        match web.audit.session(cookie).await {
            Ok(caller) => Ok(Self(Some(caller.from_address(client.address)))),
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

impl Cookie {
    /// Its value, if one was sent.
    pub fn of<'a>(&self, headers: &'a HeaderMap, client: Client) -> Option<&'a str> {
        let cookies = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|value| value.split(';'));
        pairs.find_map(|pair| {
            let rest = pair.trim().strip_prefix(self.name_for(client))?;
            rest.strip_prefix('=')
        })
    }

    /// The header that sets it, or with an empty value ends it.
    pub fn set(&self, value: &str, client: Client) -> Option<HeaderValue> {
        let (name, same_site) = (self.name_for(client), self.same_site);
        let age = match (value.is_empty(), self.seconds) {
            (true, _) => "; Max-Age=0".to_owned(),
            (false, Some(seconds)) => format!("; Max-Age={seconds}"),
            (false, None) => String::new(),
        };
        let secure = if client.secure { "; Secure" } else { "" };
        HeaderValue::from_str(&format!(
            "{name}={value}; HttpOnly; SameSite={same_site}; Path=/{age}{secure}"
        ))
        .ok()
    }

    /// Over TLS a cookie without the prefix is not looked at: whoever stands between could have set
    /// it.
    fn name_for(&self, client: Client) -> &'static str {
        if client.secure {
            self.prefixed
        } else {
            self.name
        }
    }
}

/// The secret of an `Authorization` header. Two of them are none: what stands before the server
/// may have looked at the other one.
fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let mut sent = headers.get_all(header::AUTHORIZATION).iter();
    let (first, second) = (sent.next(), sent.next());
    if second.is_some() {
        return Err(Problem::bad_request(
            "authorization",
            "There are several Authorization headers",
            "send one, with one token",
        ));
    }
    let value = first.and_then(|value| value.to_str().ok());
    let secret = value.and_then(|value| value.split_once(' '));
    Ok(secret
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, secret)| secret.trim()))
}
