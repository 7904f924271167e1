//! The web: one router over the use cases.
//!
//! A handler extracts, makes one call of `audit`, and presents. Nothing here names the engine,
//! the stores or the catalog. No subject, purpose or case ever stands in a path, a query, a
//! cookie or a log line.

mod api;
mod around;
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
use axum::http::HeaderMap;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::csrf::CsrfLayer;

pub use api::openapi;
pub use client::{ForwardedHeader, Proxies};
pub use serve::{Connections, serve};
pub use tls::{Tls, TlsError};

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
        .layer(middleware::from_fn_with_state(web.clone(), around::request))
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
