//! Errors as pages: the same statuses and words as the API's problems.
//!
//! A page that fails cannot ask who looks at it, so none of these shows an account.

use askama::Template;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use super::nav::Nav;
use super::show;
use crate::audit::AuditError;
use crate::messages::{Lang, Shown};
use crate::web::problem::Problem;

/// An error that a person reads in a browser.
pub struct PageError {
    problem: Box<Problem>,
    /// Keys of a title and a detail of the page's own.
    own: Option<[&'static str; 2]>,
}

/// `detail` may hold text from outside; the template escapes it.
#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    nav: Nav,
    problem: &'a Problem,
    title: String,
    /// What happened, in the page's language.
    sentence: Option<Shown>,
    /// What only programs are told: shown as it is, beside what says the same to people.
    detail: &'a str,
    advice: Option<&'static str>,
}

impl PageError {
    /// There is no such page.
    pub fn no_such_page() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            ["error-no-such-page-title", "error-no-such-page"],
        )
    }

    /// The page is there, but takes no such request.
    pub fn no_such_method() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            ["error-no-such-method-title", "error-no-such-method"],
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
            ["error-cross-site-title", "error-cross-site"],
        )
    }

    /// A body that is no form.
    pub fn bad_form() -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            ["error-form-title", "error-form"],
        )
    }

    /// An address, or what came with it, that cannot be read.
    pub fn unreadable(status: StatusCode) -> Self {
        Self::new(status, ["error-title-refused", "error-unreadable"])
    }

    /// An error that only pages have.
    fn new(status: StatusCode, own: [&'static str; 2]) -> Self {
        Self {
            problem: Box::new(Problem::new(status, "page", "", "")),
            own: Some(own),
        }
    }

    /// The title, in the page's language.
    fn title(&self, t: Lang) -> String {
        if let Some([title, _]) = self.own {
            return t.get(title);
        }
        let key = match self.problem.status {
            401 => "error-title-unauthorized",
            403 => "error-title-forbidden",
            404 => "error-title-not-found",
            409 => "error-title-finding",
            410 => "error-title-expired",
            413 => "error-title-too-large",
            422 => "error-title-invalid",
            429 => "error-title-too-soon",
            503 => "error-title-unavailable",
            _ => "error-title-refused",
        };
        t.get(key)
    }

    /// What happened, in the page's language.
    fn sentence(&self, t: Lang) -> Option<Shown> {
        match (self.own, &self.problem.said) {
            (Some([_, detail]), _) => Some(t.html(detail)),
            (None, said) => said.as_ref().map(|said| said.html(t)),
        }
    }

    /// What only programs are told, unless it says the same.
    fn detail(&self) -> &str {
        let is_data = self.problem.said.is_none() || self.problem.status == FINDING;
        match self.own.is_none() && is_data {
            true => &self.problem.detail,
            false => "",
        }
    }

    /// The key of what to do.
    fn advice(&self) -> Option<&'static str> {
        Some(match self.problem.status {
            401 => "error-advice-unauthorized",
            403 => "error-advice-forbidden",
            409 => "error-advice-finding",
            410 => "error-advice-expired",
            429 => "error-advice-too-soon",
            503 => "error-advice-unavailable",
            _ => return None,
        })
    }
}

impl From<Problem> for PageError {
    fn from(problem: Problem) -> Self {
        let internal = problem.status == StatusCode::INTERNAL_SERVER_ERROR.as_u16();
        Self {
            problem: Box::new(problem),
            own: internal.then_some(["error-title-internal", "error-internal"]),
        }
    }
}

impl From<AuditError> for PageError {
    fn from(error: AuditError) -> Self {
        Problem::from(error).into()
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let nav = Nav::for_error();
        let page = ErrorPage {
            title: self.title(nav.t),
            sentence: self.sentence(nav.t),
            detail: self.detail(),
            nav,
            problem: &self.problem,
            advice: self.advice(),
        };
        // Of an error nothing more can be said than its title.
        let text = page.render().unwrap_or_else(|_| page.title.clone());
        let mut response = (status, Html(text)).into_response();
        self.problem.put_headers(response.headers_mut());
        response
    }
}

/// The status of what was read and is not what was recorded: its detail says where.
const FINDING: u16 = StatusCode::CONFLICT.as_u16();

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
