//! The web: one router over the use cases.
//!
//! A handler extracts, makes one call of `audit`, and presents. Nothing here names the engine,
//! the stores or the catalog. No subject, purpose or case ever stands in a path, a query, a
//! cookie or a log line.

mod api;
mod auth;
mod body;
mod client;
mod download;
mod language;
mod linger;
mod pages;
mod problem;
mod security;
mod serve;
mod tls;

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::csrf::CsrfLayer;

pub use api::openapi;
pub use client::{ForwardedHeader, Proxies};
pub use serve::{Connections, serve};
pub use tls::{Tls, TlsError};

use self::problem::Problem;
use crate::audit::Audit;

/// Settings of the web.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Whether the server itself speaks TLS.
    pub tls: bool,
    /// Whether browsers reach the server over TLS through a proxy that does not say so.
    pub secure_cookies: bool,
    /// Proxies before the server.
    pub proxies: Proxies,
}

/// What handlers share.
#[derive(Clone)]
pub struct Web {
    audit: Arc<Audit>,
    options: Arc<Options>,
}

/// The whole web.
pub fn router(audit: Arc<Audit>, options: Options) -> Router {
    let web = Web {
        audit,
        options: Arc::new(options),
    };
    // Once around each route, the outermost first.
    let layers = ServiceBuilder::new()
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(axum::middleware::from_fn(linger::say_so))
        .layer(axum::middleware::from_fn(security::request_log))
        .layer(axum::middleware::from_fn_with_state(
            web.clone(),
            client::identify,
        ))
        .layer(axum::middleware::from_fn(security::headers))
        .layer(axum::middleware::from_fn(language::of_reader))
        .layer(axum::middleware::from_fn(uniform))
        .layer(
            CsrfLayer::new()
                .with_rejection_response(|_| pages::PageError::cross_site().into_response()),
        );
    Router::new()
        .merge(api::router())
        .merge(pages::router())
        .fallback(no_such_route)
        .method_not_allowed_fallback(no_such_method)
        .layer(layers)
        .with_state(web)
}

/// Gives refusals of the framework itself, such as of a query that cannot be read, the form that
/// all others have: a page for people, a problem for programs.
async fn uniform(request: Request, next: Next) -> Response {
    let for_people = pages::wants_page(request.headers());
    let response = next.run(request).await;
    let plain = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"text/plain"));
    if !plain || !response.status().is_client_error() {
        return response;
    }
    let status = response.status();
    if for_people {
        return pages::PageError::unreadable(status).into_response();
    }
    let detail = axum::body::to_bytes(response.into_body(), MAX_REFUSAL_BYTES).await;
    let detail = detail.map_or(String::new(), |bytes| {
        String::from_utf8_lossy(&bytes).into_owned()
    });
    Problem::new(status, "refused", "The request cannot be read", detail).into_response()
}

/// The framework's refusals are a sentence.
const MAX_REFUSAL_BYTES: usize = 4096;

/// The answer where no route is.
async fn no_such_route(headers: HeaderMap) -> Response {
    match pages::wants_page(&headers) {
        true => pages::PageError::no_such_page().into_response(),
        false => problem::no_such_route().into_response(),
    }
}

/// The answer where the route has no such method.
async fn no_such_method(headers: HeaderMap) -> Response {
    match pages::wants_page(&headers) {
        true => pages::PageError::no_such_method().into_response(),
        false => problem::no_such_method().into_response(),
    }
}
