//! The one mapper from errors to HTTP: RFC 9457 `application/problem+json`.
//!
//! `type` is a contract: programs go by it, and it is never renamed; title and detail are for
//! people. What is `Internal` says nothing of itself outside: it is in the server's log.

use std::any::Any;

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::audit::{AuditError, IngestError};
use crate::event::{Refusal, RefusalKind, UnpackError};
use crate::messages::Said;

/// A problem, as RFC 9457 has it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Problem {
    /// A stable name of the kind of problem.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind in words.
    pub title: &'static str,
    /// The status code.
    pub status: u16,
    /// What happened and what to do.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Where, for events and fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// Seconds after which to try again, for the header.
    #[serde(skip)]
    pub retry_after: Option<u32>,
    /// What happened and what to do, for pages, in whichever language they speak (boxed: a problem
    /// is handed on by value).
    #[serde(skip)]
    pub said: Option<Box<Said>>,
}

/// One place of a problem.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FieldError {
    /// The line of the body, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What is wrong.
    pub detail: String,
}

impl Problem {
    /// A problem of a kind.
    pub fn new(
        status: StatusCode,
        kind: &str,
        title: &'static str,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            kind: format!("urn:estreat:problem:{kind}"),
            title,
            status: status.as_u16(),
            detail: detail.into(),
            errors: Vec::new(),
            retry_after: None,
            said: None,
        }
    }

    /// A problem that is said to people too: its detail is what is said to programs.
    pub fn saying(
        status: StatusCode,
        kind: &str,
        title: &'static str,
        said: impl Into<Said>,
    ) -> Self {
        let said = said.into();
        Self {
            said: Some(Box::new(said.clone())),
            ..Self::new(status, kind, title, said.to_string())
        }
    }

    /// Bad in its form, so that it is not even tried.
    pub fn bad_request(kind: &str, title: &'static str, detail: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, kind, title, detail)
    }

    /// A body that is larger than its call takes.
    pub fn too_large(most: usize) -> Self {
        Self::saying(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-large",
            "The request is too large",
            Said::new("refusal-too-large").count("n", most as u64),
        )
    }

    /// The server is at fault.
    pub fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "The server failed",
            "This is a fault of the server; its log says more. Nothing acknowledged is lost.",
        )
    }

    /// Sets the headers that belong to the status.
    pub fn put_headers(&self, headers: &mut HeaderMap) {
        match (self.retry_after, self.status) {
            (Some(seconds), _) => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            (None, 503) => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            (None, 401) => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
    }

    /// Names the field in `errors`, where a form looks for it.
    fn with_field(mut self, field: &str) -> Self {
        self.errors.push(FieldError {
            line: None,
            field: Some(field.into()),
            detail: self.detail.clone(),
        });
        self
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(&self)).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        self.put_headers(headers);
        response
    }
}

impl From<AuditError> for Problem {
    fn from(error: AuditError) -> Self {
        Self {
            said: error.said().map(Box::new),
            ..Self::of(error)
        }
    }
}

impl Problem {
    /// An error, as programs are told of it. Each kind of error has one status, whatever call it
    /// came from.
    fn of(error: AuditError) -> Self {
        let detail = error.to_string();
        match error {
            AuditError::Unauthorized => Self::new(
                StatusCode::UNAUTHORIZED,
                "unauthorized",
                "No valid token",
                detail,
            ),
            AuditError::Forbidden(_) => {
                Self::new(StatusCode::FORBIDDEN, "forbidden", "Not allowed", detail)
            }
            AuditError::NotFound(_) => {
                Self::new(StatusCode::NOT_FOUND, "not-found", "Not found", detail)
            }
            AuditError::Invalid { field, .. } => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "invalid",
                "A field is not valid",
                detail,
            )
            .with_field(field),
            AuditError::TooSoon(seconds) => Self {
                retry_after: Some(seconds),
                ..Self::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    "too-soon",
                    "Too many wrong attempts",
                    detail,
                )
            },
            AuditError::Events(refusal) => Self::from(refusal),
            AuditError::Unpack(UnpackError::TooLarge { .. }) => Self::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "too-large",
                "The request is too large",
                detail,
            ),
            AuditError::Unpack(_) => Self::new(
                StatusCode::BAD_REQUEST,
                "corrupt",
                "The body cannot be unpacked",
                detail,
            ),
            AuditError::Ingest(error) => Self::from(error),
            AuditError::Expired(_) => Self::new(StatusCode::GONE, "expired", "Expired", detail),
            AuditError::Unavailable(_) => unavailable("unavailable", "Not possible now", detail),
            AuditError::Finding(_) => Self::new(
                StatusCode::CONFLICT,
                "finding",
                "What was read is not what was recorded",
                detail,
            ),
            AuditError::Internal(_) => {
                tracing::error!("{detail}");
                Self::internal()
            }
        }
    }
}

impl From<IngestError> for Problem {
    /// All but two are 503: nothing was acknowledged, and the same request is good later. Only with
    /// an idempotency key is it safe to send it again, for some of it may be on disk after a crash.
    fn from(error: IngestError) -> Self {
        let detail = error.to_string();
        match error {
            IngestError::Busy => unavailable("busy", "The queue is full", detail),
            IngestError::Recovering => {
                unavailable("recovering", "The log is being recovered", detail)
            }
            IngestError::Refused(_) => {
                unavailable("refused", "The log waits for its operator", detail)
            }
            IngestError::Disk(_) => unavailable("disk", "The disk refuses", detail),
            IngestError::NoSpace => unavailable("no-space", "No disk space", detail),
            IngestError::Stopping => unavailable("stopping", "The server is stopping", detail),
            IngestError::TooManyLogs => Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too-many-logs",
                "Too many logs",
                detail,
            ),
            IngestError::KeyConflict => Self::new(
                StatusCode::CONFLICT,
                "idempotency-key",
                "The key came with another body",
                detail,
            ),
        }
    }
}

impl From<Refusal> for Problem {
    /// Names each bad event by its line, up to `MAX_REPORTED_ERRORS`.
    fn from(refusal: Refusal) -> Self {
        let (status, kind) = match refusal.kind {
            RefusalKind::Unparseable => (StatusCode::BAD_REQUEST, "unparseable"),
            RefusalKind::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "too-large"),
            RefusalKind::Invalid => (StatusCode::UNPROCESSABLE_ENTITY, "invalid-event"),
        };
        let mut problem = Self::new(
            status,
            kind,
            refusal.kind.title(),
            "Nothing of this request was kept.",
        );
        problem.errors = refusal
            .errors
            .into_iter()
            .map(|error| FieldError {
                line: Some(error.line),
                field: error.field,
                detail: error.detail,
            })
            .collect();
        problem
    }
}

/// 503; `put_headers` adds when to come again.
fn unavailable(kind: &str, title: &'static str, detail: String) -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, kind, title, detail)
}

/// The answer where no route is.
pub fn no_such_route() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "not-found",
        "Not found",
        "There is no such page or call; /docs lists the calls.",
    )
}

/// The answer where the route has no such method.
pub fn no_such_method() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method",
        "No such method",
        "This path does not take this method; /docs lists the calls.",
    )
}

/// The answer if a handler panics, which none should.
pub fn panicked(_: Box<dyn Any + Send>) -> Response {
    tracing::error!("a handler panicked");
    Problem::internal().into_response()
}
