//! The access log: who read what; and the names behind its pseudonyms.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::audit::{AccessPage, AccessRequest, DecisionRequest, NameRequest, NameView, ShownName};
use crate::web::Web;
use crate::web::auth::Authenticated;
use crate::web::body::JsonBody;
use crate::web::problem::Problem;

/// Who read what, the newest first. The reading is itself in `_access` before the answer.
#[utoipa::path(post, path = "/api/v1/access/searches", tag = "access", request_body = AccessRequest,
    responses((status = 200, body = AccessPage), (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn search(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    JsonBody(request): JsonBody<AccessRequest>,
) -> Result<Json<AccessPage>, Problem> {
    Ok(Json(web.audit.access_log(&caller, &request).await?))
}

/// Ask for the name behind a pseudonym; a second person must allow it.
#[utoipa::path(post, path = "/api/v1/access/names", tag = "access", request_body = NameRequest,
    responses((status = 201, body = NameView), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn ask(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    JsonBody(request): JsonBody<NameRequest>,
) -> Result<(StatusCode, Json<NameView>), Problem> {
    let view = web.audit.ask_for_name(&caller, &request).await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Requests for names.
#[derive(Serialize, ToSchema)]
pub struct Names {
    /// The newest 200, the newest first.
    names: Vec<NameView>,
}

/// Requests for names, the newest first.
#[utoipa::path(get, path = "/api/v1/access/names", tag = "access",
    responses((status = 200, body = Names), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn names(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
) -> Result<Json<Names>, Problem> {
    let names = web.audit.names(&caller).await?;
    Ok(Json(Names { names }))
}

/// Allow or refuse that a name is shown: by neither who asks nor whose name it is.
#[utoipa::path(post, path = "/api/v1/access/names/{id}/decision", tag = "access", params(("id" = String, Path)),
    request_body = DecisionRequest,
    responses((status = 200, body = NameView), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 410, body = Problem, content_type = "application/problem+json"), (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn decide(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    JsonBody(request): JsonBody<DecisionRequest>,
) -> Result<Json<NameView>, Problem> {
    Ok(Json(web.audit.decide_name(&caller, &id, &request).await?))
}

/// Show a name that a second person has allowed: once, to whoever asked for it.
#[utoipa::path(post, path = "/api/v1/access/names/{id}/name", tag = "access", params(("id" = String, Path)),
    responses((status = 200, body = ShownName), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 410, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn show(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<Json<ShownName>, Problem> {
    Ok(Json(web.audit.show_name(&caller, &id).await?))
}
