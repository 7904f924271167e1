//! People.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;

use serde::Serialize;
use utoipa::ToSchema;

use super::page::PageQuery;
use crate::audit::{AccountRequest, AuditError, MadePerson, PersonView};
use crate::ids::TokenId;
use crate::web::Web;
use crate::web::auth::Authenticated;
use crate::web::body::JsonBody;
use crate::web::problem::Problem;

/// Let a person in who signs in with a name and a password; the password is shown this once.
#[utoipa::path(post, path = "/api/v1/people", tag = "people", request_body = AccountRequest,
    responses((status = 201, body = MadePerson), (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn create(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    JsonBody(request): JsonBody<AccountRequest>,
) -> Result<(StatusCode, Json<MadePerson>), Problem> {
    let made = web.audit.create_person(&caller, &request).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// A page of people.
#[derive(Serialize, ToSchema)]
pub struct PeoplePage {
    /// The rows.
    people: Vec<PersonView>,
    /// Where the next page begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
}

/// All people, without their passwords.
#[utoipa::path(get, path = "/api/v1/people", tag = "people", params(PageQuery),
    responses((status = 200, body = PeoplePage), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn list(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Query(page): Query<PageQuery>,
) -> Result<Json<PeoplePage>, Problem> {
    let people = web.audit.people(&caller).await?;
    let (people, cursor) = page.of(people, |person| &person.account.id)?;
    Ok(Json(PeoplePage { people, cursor }))
}

/// Give a person a new password, which is shown this once, and end their sessions.
#[utoipa::path(post, path = "/api/v1/people/{id}/password", tag = "people", params(("id" = String, Path)),
    responses((status = 200, body = MadePerson), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn reset(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<Json<MadePerson>, Problem> {
    let id = TokenId::parse(&id).ok_or(AuditError::NotFound("thing-person"))?;
    Ok(Json(web.audit.reset_password(&caller, id).await?))
}

/// End a person's account and sessions.
#[utoipa::path(delete, path = "/api/v1/people/{id}", tag = "people", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn remove(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let id = TokenId::parse(&id).ok_or(AuditError::NotFound("thing-person"))?;
    web.audit.remove_person(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
