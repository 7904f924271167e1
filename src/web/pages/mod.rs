//! The portal's pages: HTML made on the server, one small file a page.
//!
//! Every page works without script; scripts are for the live progress of a job, times in the
//! reader's zone, and the check of bundles. Forms are
//! posted, so that no subject, purpose or case ever stands in a URL, and a page's title names
//! the page, never a person.

mod access;
mod account;
mod assets;
mod case;
mod cases;
mod checkpoints;
mod docs;
mod entry;
mod error;
mod export;
mod exports;
mod form;
mod integrity;
mod link;
mod log;
mod nav;
mod overview;
mod people;
mod plot;
mod pretty;
mod search;
mod segment;
mod show;
mod signin;
mod tokens;
mod verification;
mod verify;

use askama::Template;
use axum::Router;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};

pub use error::{PageError, wants_page};
pub use form::Fields;

use super::{Web, language};

/// The pages' routes.
pub fn router() -> Router<Web> {
    Router::new()
        .route("/", get(overview::view))
        .route("/signin", get(signin::view).post(signin::sign_in))
        .route("/signout", post(signin::sign_out))
        .route("/language", post(language::choose))
        .route("/logs", post(overview::make_log))
        .route("/logs/{log}", get(log::view).post(log::set))
        .route(
            "/logs/{log}/entries/{index}",
            get(entry::ask).post(entry::view),
        )
        .route("/logs/{log}/entries/{index}/check", post(entry::check))
        .route("/logs/{log}/verifications", post(verification::request))
        .route("/logs/{log}/segments/{number}", get(segment::view))
        .route("/logs/{log}/checkpoint", get(log::checkpoint))
        .route(
            "/logs/{log}/checkpoints",
            get(checkpoints::list).post(checkpoints::check),
        )
        .route("/logs/{log}/checkpoints/{size}", get(checkpoints::note))
        .route("/verifications/{id}", get(verification::view))
        .route("/integrity", get(integrity::view).post(integrity::request))
        .route("/search", get(search::ask).post(search::make))
        .route("/cases", get(cases::list))
        .route("/cases/{id}", get(case::view))
        .route("/cases/{id}/filters", post(case::filter))
        .route("/cases/{id}/subjects", post(case::extend))
        .route("/cases/{id}/exports", post(case::export))
        .route("/cases/{id}/close", post(case::close))
        .route("/cases/{id}/end", post(cases::end))
        .route("/exports", get(exports::list).post(exports::request))
        .route("/access", get(access::ask).post(access::read))
        .route(
            "/access/names",
            get(access::names).post(access::ask_for_name),
        )
        .route("/access/names/{id}/decision", post(access::decide))
        .route("/access/names/{id}/name", post(access::show_name))
        .route("/exports/new", get(exports::ask).post(exports::prefill))
        .route("/exports/{id}", get(export::view))
        .route("/exports/{id}/links", post(export::make_link))
        .route(
            "/exports/{id}/links/{link}/revoke",
            post(export::revoke_link),
        )
        .route("/r/{token}", get(link::view).post(link::open))
        .route("/r/{token}/{file}", post(link::download))
        .route("/account", get(account::view))
        .route("/account/password", post(account::change_password))
        .route("/people", get(people::list).post(people::create))
        .route("/people/{id}/password", post(people::reset))
        .route("/people/{id}/remove", post(people::remove))
        .route("/tokens", get(tokens::list).post(tokens::create))
        .route("/tokens/{id}/revoke", post(tokens::revoke))
        .route("/verify", get(verify::view))
        .route("/verify/alone", get(verify::alone))
        .route("/docs", get(docs::view))
        .route("/static/{file}", get(assets::file))
}

/// A page, or an error page where its template fails, which none should.
fn page(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => (status, Html(text)).into_response(),
        Err(error) => {
            tracing::error!("a template: {error}");
            PageError::internal().into_response()
        }
    }
}
