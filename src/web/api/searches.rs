//! Searching by data subject.

use axum::Json;
use axum::extract::State;

use crate::audit::{SearchPage, SearchRequest};
use crate::web::Web;
use crate::web::auth::Authenticated;
use crate::web::body::JsonBody;
use crate::web::problem::Problem;

/// Every entry that names exactly one data subject, over all logs, active segments included.
#[utoipa::path(post, path = "/api/v1/searches", tag = "searches", request_body = SearchRequest,
    responses((status = 200, body = SearchPage), (status = 400, body = Problem, content_type = "application/problem+json"), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json"), (status = 409, body = Problem, content_type = "application/problem+json"), (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"), (status = 422, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn search(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
    JsonBody(request): JsonBody<SearchRequest>,
) -> Result<Json<SearchPage>, Problem> {
    Ok(Json(web.audit.search(&caller, &request).await?))
}
