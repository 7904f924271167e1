//! Appending events, and one entry in full.

use axum::Json;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::audit::{AppendRequest, Durability, EntryRequest, EntryView, Receipt};
use crate::event::{Encoding, OnInvalid};
use crate::web::Web;
use crate::web::auth::Authenticated;
use crate::web::body::{self, JsonBody, unsupported};
use crate::web::problem::Problem;

/// What to do with events that cannot be read.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct AppendQuery {
    /// `quarantine` keeps what cannot be read, as entries of their own; without it one bad event
    /// refuses the request.
    invalid: Option<String>,
}

/// Append events: one JSON object, an array, or values one after another (NDJSON).
///
/// 201 only when every event is on disk and chained; all or nothing.
#[utoipa::path(
    post, path = "/api/v1/logs/{log}/entries", tag = "entries",
    params(("log" = String, Path, description = "the log; made on first use"), AppendQuery,
        ("Idempotency-Key" = Option<String>, Header, description = "the same key and body again gives the first answer again, for 24 h"),
        ("Content-Encoding" = Option<String>, Header, description = "gzip or zstd"),
        ("Prefer" = Option<String>, Header, description = "respond-async: answer 202 once queued")),
    request_body(content((String = "application/x-ndjson"), (Object = "application/json"))),
    responses((status = 201, body = Receipt), (status = 202, body = Receipt),
        (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json"), (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json"), (status = 429, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json"))
)]
pub async fn append(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(log): Path<String>,
    Query(query): Query<AppendQuery>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let on_invalid = match query.invalid.as_deref() {
        None => OnInvalid::Refuse,
        Some("quarantine") => OnInvalid::Quarantine,
        Some(_) => {
            return Err(crate::audit::AuditError::invalid("invalid", "refusal-quarantine").into());
        }
    };
    let encoding = encoding(&parts.headers)?;
    check_content_type(&parts.headers)?;
    let respond_async = prefers_async(&parts.headers);
    let key = text(&parts.headers, &HeaderName::from_static("idempotency-key"))?;
    body::check_length(&parts.headers, web.audit.max_request_bytes())?;
    let mut intake = web.audit.intake();
    let body = body::read(body, &mut intake).await?;
    let durability = if respond_async {
        Durability::Queued
    } else {
        Durability::Synced
    };
    let request = AppendRequest {
        log: &log,
        body,
        encoding,
        key,
        on_invalid,
        durability,
        intake,
    };
    let receipt = web.audit.append(&caller, request).await?;
    let status = if receipt.link.is_some() {
        StatusCode::CREATED
    } else {
        StatusCode::ACCEPTED
    };
    let mut response = (status, Json(&receipt)).into_response();
    if receipt.repeated {
        response
            .headers_mut()
            .insert("idempotency-replayed", HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// Read one entry: its exact bytes, its link, its proof.
#[utoipa::path(
    post, path = "/api/v1/logs/{log}/entries/{index}", tag = "entries",
    params(("log" = String, Path), ("index" = u64, Path)),
    request_body = EntryRequest,
    responses((status = 200, body = EntryView), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 409, body = Problem, content_type = "application/problem+json"),
        (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json"))
)]
pub async fn entry(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path((log, index)): Path<(String, String)>,
    JsonBody(request): JsonBody<EntryRequest>,
) -> Result<Json<EntryView>, Problem> {
    let index = index
        .parse()
        .map_err(|_| crate::audit::AuditError::NotFound("thing-entry"))?;
    Ok(Json(web.audit.entry(&caller, &log, index, &request).await?))
}

fn encoding(headers: &HeaderMap) -> Result<Encoding, Problem> {
    match text(headers, &header::CONTENT_ENCODING)?.map(str::trim) {
        None | Some("" | "identity") => Ok(Encoding::Identity),
        Some(word) if word.eq_ignore_ascii_case("gzip") || word.eq_ignore_ascii_case("x-gzip") => {
            Ok(Encoding::Gzip)
        }
        Some(word) if word.eq_ignore_ascii_case("zstd") => Ok(Encoding::Zstd),
        Some(_) => Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "content-encoding",
            "The content encoding is not taken here",
            "send the body plain, or with Content-Encoding: gzip or zstd",
        )),
    }
}

fn check_content_type(headers: &HeaderMap) -> Result<(), Problem> {
    const TAKEN: [&str; 4] = [
        "application/json",
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
    ];
    let Some(content_type) = text(headers, &header::CONTENT_TYPE)? else {
        return Ok(());
    };
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    match TAKEN
        .iter()
        .any(|taken| essence.eq_ignore_ascii_case(taken))
    {
        true => Ok(()),
        false => Err(unsupported("application/json or application/x-ndjson")),
    }
}

/// RFC 7240: preferences separated by commas, in any number of headers.
fn prefers_async(headers: &HeaderMap) -> bool {
    let values = headers
        .get_all("prefer")
        .iter()
        .filter_map(|value| value.to_str().ok());
    values
        .flat_map(|value| value.split(','))
        .any(|word| word.trim().eq_ignore_ascii_case("respond-async"))
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Problem> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    // None of these headers is a list here; to pick one would be to guess.
    if values.next().is_some() {
        return Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "header",
            "A header is there twice",
            format!("send {name} once"),
        ));
    }
    // HTTP allows bytes beyond ASCII; a key is compared as it came, if it is UTF-8.
    std::str::from_utf8(value.as_bytes())
        .map(Some)
        .map_err(|_| {
            Problem::new(
                StatusCode::BAD_REQUEST,
                "header",
                "A header is not text",
                format!("{name} is not UTF-8"),
            )
        })
}
