//! Keys, health, metrics, and the API's own description.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::audit::{Health, KeyView};
use crate::web::Web;
use crate::web::auth::Authenticated;
use crate::web::problem::Problem;

/// The keys that check this server's signatures, with fingerprints to read over the telephone.
#[utoipa::path(get, path = "/api/v1/keys", tag = "system", security(()), responses((status = 200, body = Vec<KeyView>)))]
pub async fn keys(State(web): State<Web>) -> Json<Vec<KeyView>> {
    Json(web.audit.keys())
}

/// Whether the process answers.
#[utoipa::path(get, path = "/healthz", tag = "system", security(()), responses((status = 200, content_type = "text/plain", body = String)))]
pub async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether the server can do its work: false while anything acknowledged could be at risk.
#[utoipa::path(get, path = "/readyz", tag = "system", security(()),
    responses((status = 200, body = Health), (status = 503, body = Health)))]
pub async fn readyz(State(web): State<Web>) -> (StatusCode, Json<Health>) {
    let health = web.audit.health();
    let status = if health.ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (status, Json(health))
}

/// Metrics, in the Prometheus text format.
#[utoipa::path(get, path = "/metrics", tag = "system",
    responses((status = 200, content_type = "text/plain", body = String), (status = 401, body = Problem, content_type = "application/problem+json"), (status = 403, body = Problem, content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub async fn metrics(
    State(web): State<Web>,
    Authenticated(caller): Authenticated,
) -> Result<Response, Problem> {
    let text = web.audit.metrics(&caller).await?;
    Ok((
        [(
            header::CONTENT_TYPE,
            "text/plain; version=0.0.4; charset=utf-8",
        )],
        text,
    )
        .into_response())
}

/// This description.
#[utoipa::path(get, path = "/openapi.json", tag = "system", security(()), responses((status = 200, content_type = "application/json", body = String)))]
pub async fn openapi_json() -> Json<utoipa::openapi::OpenApi> {
    Json(super::openapi())
}
