//! Bodies: JSON whose faults are problems, and events whose bytes are counted as they come.
//!
//! Nothing is believed of a length that was only said: it can refuse a body early, and what comes
//! is counted all the same.

use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody as _};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use futures_util::StreamExt as _;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use super::Web;
use super::problem::{FieldError, Problem};
use crate::audit::{Intake, IntakeError, Pieces};

/// A JSON body.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Web> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &Web) -> Result<Self, Problem> {
        let content_type = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok());
        let essence = content_type
            .and_then(|value| value.split(';').next())
            .map(str::trim);
        if !essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json")) {
            return Err(unsupported("application/json"));
        }
        let bytes = small(request).await?;
        serde_json::from_slice(&bytes)
            .map(Self)
            .map_err(|error| bad_json(&error))
    }
}

/// A whole small body: a form, or JSON.
pub async fn small(request: Request) -> Result<Bytes, Problem> {
    check_length(request.headers(), MAX_FORM_BYTES)?;
    let body = Limited::new(request.into_body(), MAX_FORM_BYTES);
    let collected = tokio::time::timeout(SMALL_PATIENCE, body.collect()).await;
    let collected = collected.map_err(|_| too_slow())?;
    let bytes = collected.map_err(|error| match error.is::<LengthLimitError>() {
        true => Problem::too_large(MAX_FORM_BYTES),
        false => cut(),
    })?;
    Ok(bytes.to_bytes())
}

/// Refuses a body by the length that it says to have, before it is sent.
pub fn check_length(headers: &HeaderMap, most: usize) -> Result<(), Problem> {
    let said = headers.get(header::CONTENT_LENGTH);
    let said = said.and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    match said {
        Some(bytes) if bytes > most as u64 => Err(Problem::too_large(most)),
        _ => Ok(()),
    }
}

/// The connection ended within the body: nobody may be there to read this.
fn cut() -> Problem {
    Problem::saying(
        StatusCode::BAD_REQUEST,
        "cut",
        "The body ends early",
        "refusal-cut",
    )
}

/// 408, after which a client may send again (RFC 9110 section 15.5.9).
fn too_slow() -> Problem {
    Problem::saying(
        StatusCode::REQUEST_TIMEOUT,
        "timeout",
        "The body does not go on",
        "refusal-too-slow",
    )
}

/// A content type that a call does not take.
pub fn unsupported(wanted: &str) -> Problem {
    Problem::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "media-type",
        "The content type is not taken here",
        format!("send Content-Type: {wanted}"),
    )
}

/// Why a body is not what the call takes: with its place and without its values, which may be
/// personal data and would stand in somebody's log.
fn bad_json(error: &serde_json::Error) -> Problem {
    let line = Some(error.line() as u64);
    // serde's texts of data errors may quote values; of unknown fields they are wanted.
    let (status, kind, title, detail) = if error.is_data() {
        (
            StatusCode::UNPROCESSABLE_ENTITY,
            "invalid",
            "A field is not valid",
            without_values(&error.to_string()),
        )
    } else {
        (
            StatusCode::BAD_REQUEST,
            "unparseable",
            "The body is not JSON",
            format!("at column {}", error.column()),
        )
    };
    let mut problem = Problem::new(status, kind, title, detail.clone());
    problem.errors.push(FieldError {
        line,
        field: None,
        detail,
    });
    problem
}

/// Drops what a message quotes of the values sent; names of fields stay.
fn without_values(message: &str) -> String {
    match message
        .split_once("invalid type: ")
        .or_else(|| message.split_once("invalid value: "))
    {
        Some((_, rest)) => match rest.rsplit_once(", expected ") {
            Some((_, expected)) => {
                format!("a value has another type than expected: expected {expected}")
            }
            None => "a value has another type than expected".into(),
        },
        None if message.starts_with("unknown variant") => match message.split_once(", expected ") {
            Some((_, expected)) => {
                format!("a value is none of the words taken: expected {expected}")
            }
            None => "a value is none of the words taken".into(),
        },
        None => message.to_owned(),
    }
}

/// Reads a body piece by piece; each piece takes its share of the bytes in flight.
pub async fn read(body: Body, intake: &mut Intake<'_>) -> Result<Pieces, Problem> {
    let mut stream = body.into_data_stream();
    let mut pieces = Pieces::default();
    while let Some(piece) = next_piece(&mut stream).await? {
        let piece = piece.map_err(|_| cut())?;
        intake.grow(piece.len()).map_err(|error| match error {
            IntakeError::TooLarge(max) => Problem::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "too-large",
                "The request is too large",
                format!("a request has at most {max} bytes; send the events in several"),
            ),
            IntakeError::Busy(error) => Problem::from(error),
        })?;
        pieces.push(piece);
        // Known without waiting for it, where the length was said.
        if stream.is_end_stream() {
            break;
        }
    }
    Ok(pieces)
}

/// The next piece of a body; a sender that falls silent gives its room back.
async fn next_piece(
    pieces: &mut BodyDataStream,
) -> Result<Option<Result<Bytes, axum::Error>>, Problem> {
    tokio::time::timeout(PATIENCE, pieces.next())
        .await
        .map_err(|_| too_slow())
}

/// Bodies of everything but events: forms and small JSON.
const MAX_FORM_BYTES: usize = 64 << 10;
/// How long a small body may take.
const SMALL_PATIENCE: Duration = Duration::from_secs(30);
/// How long a body may pause.
const PATIENCE: Duration = Duration::from_secs(10);
