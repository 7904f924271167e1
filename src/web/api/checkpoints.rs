//! The checkpoints that a log has signed.

use axum::Json;
use axum::extract::{Path, Query, State};

use super::page::RangeQuery;
use crate::audit::{CheckpointCheck, CheckpointRequest, CheckpointsPage};
use crate::web::Web;
use crate::web::auth::Authenticated;
use crate::web::body::JsonBody;
use crate::web::problem::Problem;

/// Checkpoints of a log, the newest first, by when they were signed. Kept are the newest, the last
/// of each hour and, longer, of each day in which the log grew, and each that an export holds.
#[utoipa::path(get, path = "/api/v1/logs/{log}/checkpoints", tag = "logs", params(("log" = String, Path), RangeQuery),
    responses((status = 200, body = CheckpointsPage), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn list(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(log): Path<String>,
    Query(range): Query<RangeQuery>,
) -> Result<Json<CheckpointsPage>, Problem> {
    let range = range.into();
    Ok(Json(web.audit.checkpoints(&caller, &log, &range).await?))
}

/// Compare a checkpoint, one that is kept or a note that you hold, with its log as it is now.
#[utoipa::path(post, path = "/api/v1/logs/{log}/checkpoints/check", tag = "logs", params(("log" = String, Path)), request_body = CheckpointRequest,
    responses((status = 200, body = CheckpointCheck), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn check(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(log): Path<String>,
    JsonBody(request): JsonBody<CheckpointRequest>,
) -> Result<Json<CheckpointCheck>, Problem> {
    let checked = web.audit.check_checkpoint(&caller, &log, &request);
    Ok(Json(checked.await?))
}
