//! Errors as pages: the same statuses and words as the API's problems.

use askama::Template;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use super::nav::Nav;
use super::show;
use crate::audit::AuditError;
use crate::web::problem::Problem;

/// An error that a person reads in a browser.
pub struct PageError(Box<Problem>);

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    nav: Nav,
    problem: &'a Problem,
    advice: &'static str,
}

impl PageError {
    /// There is no such page.
    pub fn no_such_page() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not-found",
            "There is no such page",
            "The address may be mistyped, or what stood here is gone.",
        )
    }

    /// The page is there, but takes no such request.
    pub fn no_such_method() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method",
            "This page is not opened this way",
            "Go to it from the overview.",
        )
    }

    /// The server is at fault.
    pub fn internal() -> Self {
        AuditError::Internal("a page".into()).into()
    }

    /// A form sent from somewhere else.
    pub fn cross_site() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "cross-site",
            "This was sent from another site",
            "Nothing was done. Forms are taken only from this server's own pages. If a proxy stands \
             before the server, it must pass on the Host and Origin headers unchanged.",
        )
    }

    /// A body that is no form.
    pub fn bad_form() -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "form",
            "This form cannot be read",
            "Nothing was done. Go back and send it again.",
        )
    }

    fn new(status: StatusCode, kind: &str, title: &'static str, detail: &str) -> Self {
        Self(Box::new(Problem::new(status, kind, title, detail)))
    }

    fn advice(&self) -> &'static str {
        match self.0.status {
            401 => "Sign in again.",
            403 => "An administrator can give you a token that may.",
            409 => {
                "Nothing was shown, since what is stored is not what was recorded. Leave the data \
                 folder as it is, and have the operator run estreat verify --deep on it."
            }
            410 => "If it is needed again, ask whoever made it for a new one.",
            429 => "Go back then. Nothing is locked, and nothing else has happened.",
            503 => {
                "Try again in a moment. If it stays, the overview and the server's log say what \
                 the operator can do."
            }
            _ => "",
        }
    }
}

impl From<Problem> for PageError {
    fn from(problem: Problem) -> Self {
        Self(Box::new(problem))
    }
}

impl From<AuditError> for PageError {
    fn from(error: AuditError) -> Self {
        Self(Box::new(error.into()))
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let page = ErrorPage {
            nav: Nav::for_error(),
            problem: &self.0,
            advice: self.advice(),
        };
        let text = page.render().unwrap_or_else(|_| self.0.title.to_owned());
        let mut response = (status, Html(text)).into_response();
        self.0.put_headers(response.headers_mut());
        response
    }
}

/// Whether whoever asks wants to read a page rather than a problem.
pub fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok());
    accepted
        .flat_map(|value| value.split(','))
        .any(|range| range.trim_start().starts_with("text/html"))
}
