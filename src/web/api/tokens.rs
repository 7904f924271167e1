//! Tokens.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;

use serde::Serialize;
use utoipa::ToSchema;

use super::page::PageQuery;
use crate::audit::{AccountRequest, AuditError, MadeToken, TokenView};
use crate::ids::TokenId;
use crate::web::Web;
use crate::web::auth::Authenticated;
use crate::web::body::JsonBody;
use crate::web::problem::Problem;

/// Make a token; its secret is shown this once.
#[utoipa::path(post, path = "/api/v1/tokens", tag = "tokens", request_body = AccountRequest,
    responses((status = 201, body = MadeToken), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn create(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    JsonBody(request): JsonBody<AccountRequest>,
) -> Result<(StatusCode, Json<MadeToken>), Problem> {
    Ok((
        StatusCode::CREATED,
        Json(web.audit.create_token(&caller, &request).await?),
    ))
}

/// A page of tokens.
#[derive(Serialize, ToSchema)]
pub struct TokensPage {
    /// The rows.
    tokens: Vec<TokenView>,
    /// Where the next page begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
}

/// All tokens, without their secrets.
#[utoipa::path(get, path = "/api/v1/tokens", tag = "tokens", params(PageQuery),
    responses((status = 200, body = TokensPage), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn list(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Query(page): Query<PageQuery>,
) -> Result<Json<TokensPage>, Problem> {
    let (tokens, cursor) = page.of(web.audit.tokens(&caller).await?, |token| &token.id)?;
    Ok(Json(TokensPage { tokens, cursor }))
}

/// Revoke a token and end its sessions.
#[utoipa::path(delete, path = "/api/v1/tokens/{id}", tag = "tokens", params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn revoke(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let id = TokenId::parse(&id).ok_or(AuditError::NotFound("thing-token"))?;
    web.audit.revoke_token(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
