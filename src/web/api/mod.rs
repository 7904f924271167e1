//! The calls of the API; their description is made of the same routes.

mod access;
mod checkpoints;
mod entries;
mod exports;
mod links;
mod logs;
mod page;
mod people;
mod searches;
mod system;
mod tokens;
mod verifications;

use axum::Router;
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{ContentBuilder, Ref, Response, ResponseBuilder};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use super::Web;
use super::problem::Problem;
use crate::audit::Role;
use crate::audit::rights::{self, Roles};

// The frame of the description; calls add themselves by their attributes.
#[derive(OpenApi)]
#[openapi(
    info(title = "Estreat", description = "A verifiable audit log for personal data."),
    components(schemas(Problem)),
    modifiers(&Bearer),
    security(("bearer" = []))
)]
struct Description;

/// Adds the one way to say who one is.
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

/// Every call, with the roles that may make it: the description says so, and use cases ask the
/// same table.
fn described() -> OpenApiRouter<Web> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(allow(rights::APPEND, routes!(entries::append)))
        .routes(allow(rights::READ, routes!(entries::entry)))
        .routes(allow(rights::SEE_LOGS, routes!(logs::list)))
        .routes(allow(rights::SEE_LOGS, routes!(logs::one)))
        .routes(allow(rights::SEE_LOGS, routes!(logs::overview)))
        .routes(allow(rights::SET_LOGS, routes!(logs::set)))
        .routes(allow(rights::SEE_SEGMENTS, routes!(logs::segments)))
        .routes(allow(rights::SEE_SEGMENTS, routes!(logs::segment)))
        .routes(allow(rights::READ, routes!(searches::search)))
        .routes(allow(rights::READ, routes!(access::search)))
        .routes(allow(rights::READ, routes!(access::ask)))
        .routes(allow(rights::DECIDE_NAMES, routes!(access::names)))
        .routes(allow(rights::DECIDE_NAMES, routes!(access::decide)))
        .routes(allow(rights::READ, routes!(access::show)))
        .routes(allow(rights::EXPORT, routes!(exports::request)))
        .routes(allow(rights::SEE_EXPORTS, routes!(exports::list)))
        .routes(allow(rights::SEE_EXPORTS, routes!(exports::one)))
        .routes(allow(rights::SEE_EXPORTS, routes!(exports::events)))
        .routes(allow(rights::SEE_EXPORTS, routes!(exports::file)))
        .routes(allow(rights::EXPORT, routes!(links::create, links::list)))
        .routes(allow(rights::EXPORT, routes!(links::revoke)))
        .routes(allow(rights::VERIFY, routes!(verifications::request)))
        .routes(allow(rights::VERIFY, routes!(verifications::one)))
        .routes(allow(
            rights::VERIFY,
            routes!(verifications::request_all, verifications::list),
        ))
        .routes(allow(rights::SEE_SEGMENTS, routes!(logs::links)))
        .routes(allow(rights::SEE_LOGS, routes!(checkpoints::list)))
        .routes(allow(rights::VERIFY, routes!(checkpoints::check)))
        .routes(allow(
            rights::MANAGE_ACCOUNTS,
            routes!(tokens::create, tokens::list),
        ))
        .routes(allow(rights::MANAGE_ACCOUNTS, routes!(tokens::revoke)))
        .routes(allow(
            rights::MANAGE_ACCOUNTS,
            routes!(people::create, people::list),
        ))
        .routes(allow(rights::MANAGE_ACCOUNTS, routes!(people::remove)))
        .routes(allow(rights::MANAGE_ACCOUNTS, routes!(people::reset)))
        .routes(allow(rights::SEE_METRICS, routes!(system::metrics)))
        .routes(routes!(system::keys))
        .routes(routes!(system::healthz))
        .routes(routes!(system::readyz))
        .routes(routes!(system::openapi_json))
}

/// Describes that only some roles may make these calls: OpenAPI 3.1 takes names of roles beside
/// any kind of security. And what is answered to whoever may not.
fn allow(
    roles: Roles,
    (schemas, mut paths, routes): UtoipaMethodRouter<Web>,
) -> UtoipaMethodRouter<Web> {
    let names: Vec<_> = roles.iter().map(Role::to_string).collect();
    for item in paths.paths.values_mut() {
        let methods = [
            &mut item.get,
            &mut item.put,
            &mut item.post,
            &mut item.delete,
        ];
        for operation in methods.into_iter().flatten() {
            operation.security = Some(vec![SecurityRequirement::new("bearer", names.clone())]);
            let responses = &mut operation.responses.responses;
            let slow = operation.request_body.as_ref().map(|_| TOO_SLOW);
            for (status, words) in REFUSALS.into_iter().chain(slow) {
                responses
                    .entry(status.into())
                    .or_insert_with(|| refusal(words).into());
            }
        }
    }
    (schemas, paths, routes)
}

/// What every call that asks for a token may answer.
const REFUSALS: [(&str, &str); 3] = [
    ("400", "The request cannot be read"),
    ("401", "No valid token"),
    ("403", "Not allowed"),
];

/// What a call with a body may answer as well.
const TOO_SLOW: (&str, &str) = ("408", "The body does not go on");

/// An answer with a problem as its body.
fn refusal(words: &str) -> Response {
    let problem = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("Problem")))
        .build();
    ResponseBuilder::new()
        .description(words)
        .content("application/problem+json", problem)
        .build()
}

/// The API's routes.
pub fn router() -> Router<Web> {
    described().into()
}

/// The API's description, OpenAPI 3.1.
pub fn openapi() -> utoipa::openapi::OpenApi {
    described().into_openapi()
}
