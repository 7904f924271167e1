//! In which language a page speaks: as the reader has chosen, else as the browser asks, else English.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use super::Web;
use super::auth;
use super::pages::{Fields, PageError};
use crate::messages::Lang;

/// The cookie of a reader's choice.
const COOKIE: &str = "estreat_language";
/// How long a choice is kept, in seconds: a year.
const KEPT_SECONDS: u32 = 365 * 24 * 3600;

/// Who reads the answer to a request.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    /// The language.
    pub lang: Lang,
    /// The path asked for.
    pub path: String,
}

tokio::task_local! {
    // Every page needs it, error pages and those of the framework's own refusals included, which
    // no extractor reaches.
    static READER: Reader;
}

/// The reader of the request being answered.
pub fn reader() -> Reader {
    READER.try_with(Clone::clone).unwrap_or_default()
}

/// The language of the request being answered.
pub fn current() -> Lang {
    READER.try_with(|reader| reader.lang).unwrap_or_default()
}

/// Notes who reads the answer.
pub async fn of_reader(request: Request, next: Next) -> Response {
    let reader = Reader {
        lang: of_headers(request.headers()),
        path: request.uri().path().to_owned(),
    };
    READER.scope(reader, next.run(request)).await
}

/// Keeps a reader's choice, and goes back to the page.
pub async fn choose(State(web): State<Web>, fields: Fields) -> Result<Response, PageError> {
    let lang = Lang::parse(fields.text("language")).unwrap_or_default();
    let to = fields.text("to");
    let place = if auth::is_own_page(to) { to } else { "/" };
    let secure = if web.options.secure_cookies {
        "; Secure"
    } else {
        ""
    };
    let cookie = HeaderValue::from_str(&format!(
        "{COOKIE}={}; HttpOnly; SameSite=Lax; Path=/; Max-Age={KEPT_SECONDS}{secure}",
        lang.code()
    ));
    let cookie = cookie.map_err(|_| PageError::internal())?;
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(place)).into_response())
}

fn of_headers(headers: &HeaderMap) -> Lang {
    let chosen = auth::cookie(headers, COOKIE).and_then(Lang::parse);
    let accepted = headers.get(header::ACCEPT_LANGUAGE);
    let accepted = accepted.and_then(|value| value.to_str().ok());
    chosen
        .or_else(|| accepted.and_then(Lang::accepted))
        .unwrap_or_default()
}
