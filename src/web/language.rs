//! In which language a page speaks: as the reader has chosen, else as the browser asks, else English.

use axum::extract::Request;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};

use super::auth::{self, LANGUAGE};
use super::client::Client;
use super::pages::{Fields, PageError};
use crate::messages::Lang;

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

impl Reader {
    /// The reader of the answer to a request.
    pub fn of(request: &Request, client: Option<Client>) -> Self {
        Self {
            lang: asked_for(request.headers(), client),
            path: request.uri().path().to_owned(),
        }
    }

    /// Has an answer made for this reader.
    pub async fn scope<F: Future>(self, answer: F) -> F::Output {
        READER.scope(self, answer).await
    }
}

/// Keeps a reader's choice, and goes back to the page.
pub async fn choose(client: Client, fields: Fields) -> Result<Response, PageError> {
    let lang = Lang::parse(fields.text("language")).unwrap_or_default();
    let to = fields.text("to");
    let place = if auth::is_own_page(to) { to } else { "/" };
    let cookie = LANGUAGE.set(lang.code(), client);
    let cookie = cookie.ok_or_else(PageError::internal)?;
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(place)).into_response())
}

/// The reader's choice, else what the browser asks for, else English.
fn asked_for(headers: &HeaderMap, client: Option<Client>) -> Lang {
    let chosen = client.and_then(|client| LANGUAGE.of(headers, client));
    let chosen = chosen.and_then(Lang::parse);
    let accepted = headers.get(header::ACCEPT_LANGUAGE);
    let accepted = accepted.and_then(|value| value.to_str().ok());
    chosen
        .or_else(|| accepted.and_then(Lang::accepted))
        .unwrap_or_default()
}
