//! The calls of the API; their description is made of the same routes.

mod entries;
mod exports;
mod logs;
mod page;
mod searches;
mod system;
mod tokens;
mod verifications;

use axum::Router;
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Web;
use super::problem::Problem;

#[derive(OpenApi)]
#[openapi(
    info(title = "Estreat", description = "A verifiable audit log for personal data."),
    components(schemas(Problem)),
    modifiers(&Bearer),
    security(("bearer" = []))
)]
struct Description;

struct Bearer;

impl utoipa::Modify for Bearer {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme(
            "bearer",
            SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)),
        );
    }
}

fn described() -> OpenApiRouter<Web> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(entries::append))
        .routes(routes!(entries::entry))
        .routes(routes!(logs::list))
        .routes(routes!(logs::one, logs::set))
        .routes(routes!(logs::segments))
        .routes(routes!(logs::segment))
        .routes(routes!(searches::search))
        .routes(routes!(exports::request, exports::list))
        .routes(routes!(exports::one))
        .routes(routes!(exports::events))
        .routes(routes!(exports::file))
        .routes(routes!(verifications::request))
        .routes(routes!(verifications::request_all, verifications::list))
        .routes(routes!(logs::links))
        .routes(routes!(verifications::one))
        .routes(routes!(tokens::create, tokens::list))
        .routes(routes!(tokens::revoke))
        .routes(routes!(system::keys))
        .routes(routes!(system::healthz))
        .routes(routes!(system::readyz))
        .routes(routes!(system::metrics))
        .routes(routes!(system::openapi_json))
}

/// The API's routes.
pub fn router() -> Router<Web> {
    described().into()
}

/// The API's description, OpenAPI 3.1.
pub fn openapi() -> utoipa::openapi::OpenApi {
    described().into_openapi()
}
