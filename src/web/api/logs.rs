//! Logs and their segments.

use axum::Json;
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::page::{PageQuery, RangeQuery};
use crate::audit::{
    AuditError, LogRequest, LogView, Overview, OverviewFilter, SegmentLinks, SegmentView,
    SegmentsPage,
};
use crate::web::Web;
use crate::web::auth::Authenticated;
use crate::web::body::JsonBody;
use crate::web::language;
use crate::web::problem::Problem;

/// A page of logs.
#[derive(Serialize, ToSchema)]
pub struct LogsPage {
    /// The rows.
    logs: Vec<LogView>,
    /// Where the next page begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
}

/// The logs that the token covers.
#[utoipa::path(get, path = "/api/v1/logs", tag = "logs", params(PageQuery),
    responses((status = 200, body = LogsPage), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn list(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Query(page): Query<PageQuery>,
) -> Result<Json<LogsPage>, Problem> {
    let (logs, cursor) = page.of(web.audit.logs(&caller).await?, |log| &log.log)?;
    Ok(Json(LogsPage { logs, cursor }))
}

/// One log: state, counts, chain head, checkpoint.
#[utoipa::path(get, path = "/api/v1/logs/{log}", tag = "logs", params(("log" = String, Path)),
    responses((status = 200, body = LogView), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn one(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(log): Path<String>,
) -> Result<Json<LogView>, Problem> {
    Ok(Json(web.audit.log_view(&caller, &log).await?))
}

/// Set a log's settings; makes the log if there is none.
#[utoipa::path(put, path = "/api/v1/logs/{log}", tag = "logs", params(("log" = String, Path)), request_body = LogRequest,
    responses((status = 200, body = LogView), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"),
        (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 429, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn set(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(log): Path<String>,
    JsonBody(settings): JsonBody<LogRequest>,
) -> Result<Json<LogView>, Problem> {
    Ok(Json(web.audit.set_log(&caller, &log, &settings).await?))
}

/// A log's closed segments: all, or those with an entry whose event time lies in a range.
#[utoipa::path(get, path = "/api/v1/logs/{log}/segments", tag = "logs", params(("log" = String, Path), RangeQuery),
    responses((status = 200, body = SegmentsPage), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn segments(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(log): Path<String>,
    Query(range): Query<RangeQuery>,
) -> Result<Json<SegmentsPage>, Problem> {
    let range = range.into();
    Ok(Json(web.audit.segments(&caller, &log, &range).await?))
}

/// One closed segment.
#[utoipa::path(get, path = "/api/v1/logs/{log}/segments/{number}", tag = "logs",
    params(("log" = String, Path), ("number" = u64, Path)),
    responses((status = 200, body = SegmentView), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn segment(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path((log, number)): Path<(String, String)>,
) -> Result<Json<SegmentView>, Problem> {
    let number = number
        .parse()
        .map_err(|_| AuditError::NotFound("thing-segment"))?;
    Ok(Json(web.audit.segment(&caller, &log, number).await?))
}

/// A closed segment's links, as they stand in its file.
#[utoipa::path(get, path = "/api/v1/logs/{log}/segments/{number}/links", tag = "logs",
    params(("log" = String, Path), ("number" = u64, Path), PageQuery),
    responses((status = 200, body = SegmentLinks), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn links(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path((log, number)): Path<(String, String)>,
    Query(page): Query<PageQuery>,
) -> Result<Json<SegmentLinks>, Problem> {
    let number = number
        .parse()
        .map_err(|_| AuditError::NotFound("thing-segment"))?;
    let (cursor, limit) = (page.cursor.as_deref(), page.limit);
    let links = web
        .audit
        .segment_links(&caller, &log, number, cursor, limit);
    Ok(Json(links.await?))
}

/// Which logs are shown.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OverviewQuery {
    /// Only logs with this in their name.
    name: Option<String>,
    /// Only logs that need a person.
    #[serde(default)]
    attention: bool,
    /// Where the page before ended.
    cursor: Option<String>,
    /// Logs of a page; 100 if absent, at most 1,000.
    limit: Option<u32>,
}

/// What needs a person, and how each log stands.
#[utoipa::path(get, path = "/api/v1/overview", tag = "logs", params(OverviewQuery),
    responses((status = 200, body = Overview), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn overview(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Query(query): Query<OverviewQuery>,
) -> Result<Json<Overview>, Problem> {
    let filter = OverviewFilter {
        name: query.name,
        attention: query.attention,
        cursor: query.cursor,
        limit: query.limit,
    };
    let overview = web.audit.overview(&caller, &filter, language::current());
    Ok(Json(overview.await?))
}
