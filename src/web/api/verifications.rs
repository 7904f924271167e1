//! Verification jobs.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use crate::audit::{VerificationRequest, VerificationView};
use crate::web::Web;
use crate::web::auth::Authenticated;
use crate::web::body::JsonBody;
use crate::web::problem::Problem;

/// Check a log: its links, digests, tree and checkpoint; with `deep` every payload too.
#[utoipa::path(post, path = "/api/v1/logs/{log}/verifications", tag = "verifications", params(("log" = String, Path)),
    request_body = VerificationRequest,
    responses((status = 202, body = VerificationView), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json"), (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn request(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(log): Path<String>,
    JsonBody(request): JsonBody<VerificationRequest>,
) -> Result<(StatusCode, Json<VerificationView>), Problem> {
    Ok((
        StatusCode::ACCEPTED,
        Json(
            web.audit
                .request_verification(&caller, &log, request)
                .await?,
        ),
    ))
}

/// A verification's status, progress, verdict and findings.
#[utoipa::path(get, path = "/api/v1/verifications/{id}", tag = "verifications", params(("id" = String, Path)),
    responses((status = 200, body = VerificationView), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn one(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<Json<VerificationView>, Problem> {
    Ok(Json(web.audit.verification(&caller, &id).await?))
}
