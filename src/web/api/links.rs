//! Links that hand an export to somebody without an account.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use serde::Serialize;
use utoipa::ToSchema;

use crate::audit::export::{LinkRequest, MadeLink, SharedLinkView};
use crate::web::Web;
use crate::web::auth::Authenticated;
use crate::web::body::JsonBody;
use crate::web::problem::Problem;

/// Make an expiring link to a finished export; its URL and its pass phrase are shown this once.
#[utoipa::path(post, path = "/api/v1/exports/{id}/links", tag = "exports", params(("id" = String, Path)), request_body = LinkRequest,
    responses((status = 201, body = MadeLink), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 410, body = Problem, content_type = "application/problem+json"), (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn create(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    JsonBody(request): JsonBody<LinkRequest>,
) -> Result<(StatusCode, Json<MadeLink>), Problem> {
    let made = web.audit.create_link(&caller, &id, &request).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// An export's links.
#[derive(Serialize, ToSchema)]
pub struct Links {
    /// At most a hundred, the newest first.
    links: Vec<SharedLinkView>,
}

/// An export's links, with their downloads so far.
#[utoipa::path(get, path = "/api/v1/exports/{id}/links", tag = "exports", params(("id" = String, Path)),
    responses((status = 200, body = Links), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 410, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn list(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<Json<Links>, Problem> {
    let links = web.audit.links(&caller, &id).await?;
    Ok(Json(Links { links }))
}

/// Revoke a link.
#[utoipa::path(delete, path = "/api/v1/exports/{id}/links/{link}", tag = "exports", params(("id" = String, Path), ("link" = String, Path)),
    responses((status = 204), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 410, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn revoke(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path((id, link)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    web.audit.revoke_link(&caller, &id, &link).await?;
    Ok(StatusCode::NO_CONTENT)
}
