//! Exports: jobs, their progress, their files.

use std::convert::Infallible;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};

use serde::Serialize;
use utoipa::ToSchema;

use super::page::PageQuery;
use crate::audit::export::{ExportRequest, ExportView, Progress};
use crate::web::Web;
use crate::web::auth::Authenticated;
use crate::web::body::JsonBody;
use crate::web::download::{self, Way};
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
    // The report is read in the browser; everything else is kept.
    let way = match file.as_str() {
        "report.html" => Way::Shown,
        _ => Way::Kept,
    };
    download::respond(download, &id, &file, way)
}
