//! Verification jobs.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::audit::{
    VerificationRequest, VerificationView, VerificationsFilter, VerificationsPage,
    VerificationsRequest,
};
use crate::web::Web;
use crate::web::auth::Authenticated;
use crate::web::body::JsonBody;
use crate::web::language;
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
                .request_verification(&caller, &log, request, language::current())
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
    Ok(Json(
        web.audit
            .verification(&caller, &id, language::current())
            .await?,
    ))
}

/// How many verifications were asked for.
#[derive(Serialize, ToSchema)]
pub struct Asked {
    /// One for each log that has anything to check.
    verifications: u64,
}

/// Check several logs, or all that the account covers.
#[utoipa::path(post, path = "/api/v1/verifications", tag = "verifications", request_body = VerificationsRequest,
    responses((status = 202, body = Asked), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn request_all(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    JsonBody(request): JsonBody<VerificationsRequest>,
) -> Result<(StatusCode, Json<Asked>), Problem> {
    let verifications = web.audit.request_verifications(&caller, &request).await?;
    Ok((StatusCode::ACCEPTED, Json(Asked { verifications })))
}

/// Which verifications are listed.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Of this log only.
    log: Option<String>,
    /// Only those that have found something, or failed.
    #[serde(default)]
    found: bool,
    /// Where the page before ended.
    cursor: Option<String>,
    /// Rows of a page; 100 if absent, at most 1,000.
    limit: Option<u32>,
}

/// Verifications, the newest first.
#[utoipa::path(get, path = "/api/v1/verifications", tag = "verifications", params(ListQuery),
    responses((status = 200, body = VerificationsPage), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn list(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Query(query): Query<ListQuery>,
) -> Result<Json<VerificationsPage>, Problem> {
    let ListQuery {
        log,
        found,
        cursor,
        limit,
    } = query;
    let filter = VerificationsFilter {
        log,
        found,
        cursor,
        limit,
    };
    let page = web
        .audit
        .verifications(&caller, &filter, language::current());
    Ok(Json(page.await?))
}
