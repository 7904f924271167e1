//! Exports: jobs, their progress, their files.

use std::convert::Infallible;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};

use serde::Serialize;
use utoipa::ToSchema;

use super::page::PageQuery;
use crate::audit::export::{Download, ExportRequest, ExportView, Progress};
use crate::web::Web;
use crate::web::auth::Authenticated;
use crate::web::body::JsonBody;
use crate::web::problem::Problem;

/// Exports that are shown in a list.
const LISTED: u32 = 1000;

/// Ask for a verified export of one data subject.
#[utoipa::path(post, path = "/api/v1/exports", tag = "exports", request_body = ExportRequest,
    responses((status = 202, body = ExportView), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json"), (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn request(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    JsonBody(request): JsonBody<ExportRequest>,
) -> Result<(StatusCode, Json<ExportView>), Problem> {
    Ok((
        StatusCode::ACCEPTED,
        Json(web.audit.request_export(&caller, &request).await?),
    ))
}

/// A page of exports.
#[derive(Serialize, ToSchema)]
pub struct ExportsPage {
    /// The rows.
    exports: Vec<ExportView>,
    /// Where the next page begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
}

/// The exports that the token may see, the newest first.
#[utoipa::path(get, path = "/api/v1/exports", tag = "exports", params(PageQuery),
    responses((status = 200, body = ExportsPage), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn list(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Query(page): Query<PageQuery>,
) -> Result<Json<ExportsPage>, Problem> {
    let (exports, cursor) = page.of(web.audit.exports(&caller, LISTED).await?, |export| {
        &export.id
    })?;
    Ok(Json(ExportsPage { exports, cursor }))
}

/// An export's status, progress and outcome.
#[utoipa::path(get, path = "/api/v1/exports/{id}", tag = "exports", params(("id" = String, Path)),
    responses((status = 200, body = ExportView), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 410, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn one(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<Json<ExportView>, Problem> {
    Ok(Json(web.audit.export(&caller, &id).await?))
}

/// An export's progress as server-sent events; the last one, `done`, says that it is over.
#[utoipa::path(get, path = "/api/v1/exports/{id}/events", tag = "exports", params(("id" = String, Path)),
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 410, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn events(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let progress = web.audit.export_progress(&caller, &id).await?;
    Ok(Sse::new(progress_events(progress))
        .keep_alive(KeepAlive::default())
        .into_response())
}

fn progress_events(
    progress: Option<tokio::sync::watch::Receiver<Progress>>,
) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold((progress, false), |(mut progress, over)| async move {
        if over {
            return None;
        }
        let now = progress
            .as_mut()
            .map(|progress| progress.borrow_and_update().clone());
        let changed = match &mut progress {
            Some(progress) => progress.changed().await.is_ok(),
            None => false,
        };
        match (now, changed) {
            (Some(now), true) => {
                let event = Event::default()
                    .event("progress")
                    .json_data(now)
                    .unwrap_or_default();
                Some((Ok(event), (progress, false)))
            }
            _ => Some((Ok(Event::default().event("done").data("{}")), (None, true))),
        }
    })
}

/// Download a file of a finished export: bundle.zip, report.html, report.pdf, entries.ndjson, entries.csv,
/// masked.ndjson. Each download is an entry in `_access`.
#[utoipa::path(get, path = "/api/v1/exports/{id}/{file}", tag = "exports",
    params(("id" = String, Path), ("file" = String, Path)),
    responses((status = 200, content_type = "application/octet-stream", body = String), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 410, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn file(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path((id, file)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let download = web.audit.download(&caller, &id, &file).await?;
    let shown = file == "report.html";
    let disposition = match shown {
        true => "inline".to_owned(),
        false => format!(
            "attachment; filename=\"estreat-{}-{file}\"",
            id.get(..8).unwrap_or_default()
        ),
    };
    let mut response = Response::builder()
        .header(header::CONTENT_TYPE, download.content_type)
        .header(header::CONTENT_LENGTH, download.bytes)
        .header(header::CONTENT_DISPOSITION, disposition);
    if shown {
        // The report carries its one style sheet inside, for it must look the same from a disk.
        response = response.header(
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        );
    }
    response
        .body(Body::from_stream(pieces(download)))
        .map_err(|error| {
            Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                "The server failed",
                error.to_string(),
            )
        })
}

/// A download piece by piece, read on blocking threads.
fn pieces(download: Download) -> impl Stream<Item = std::io::Result<Vec<u8>>> {
    stream::try_unfold(download, |mut download| async move {
        let read = tokio::task::spawn_blocking(move || {
            download.next_piece().map(|piece| (piece, download))
        });
        let (piece, download) = read.await.map_err(std::io::Error::other)??;
        Ok((!piece.is_empty()).then_some((piece, download)))
    })
}
