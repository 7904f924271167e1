//! What stands around every route, in one function: a layer for each of its parts would copy all
//! layers behind it for every request, which cost more than the rest of a small request's way.

use axum::extract::{MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem::Problem;
use super::{Web, client, language, linger, pages, security};

/// Notes who asks and in which language, has the request answered, and sees to it that the answer
/// has its form and its headers.
pub async fn request(State(web): State<Web>, mut request: Request, next: Next) -> Response {
    let client = client::identify(&web.options, &mut request);
    let reader = language::Reader::of(&request, client);
    let for_people = pages::wants_page(request.headers());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let (request, unread) = linger::watch(request);

    let mut response = reader
        .scope(async { uniform(for_people, next.run(request).await).await })
        .await;

    security::put_headers(response.headers_mut(), client);
    unread.say_so(response.headers_mut());
    // By the route's template, never by the path.
    let route = route.as_ref().map_or("(no route)", MatchedPath::as_str);
    tracing::debug!("{method} {route} {}", response.status().as_u16());
    response
}

/// Gives refusals of the framework itself, such as of a query that cannot be read, the form that
/// all others have: a page for people, a problem for programs.
async fn uniform(for_people: bool, response: Response) -> Response {
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
