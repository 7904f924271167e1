//! Headers on every answer.
//!
//! `no-store` stands on everything that says nothing else: a page with personal data must be in no
//! cache, of a proxy or of a browser that the next person opens.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::client::Client;

/// Nothing inline, nothing foreign.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// On every answer, unless its handler has set its own.
static HEADERS: [(HeaderName, HeaderValue); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(CONTENT_SECURITY_POLICY),
    ),
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), microphone=(), geolocation=()"),
    ),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// On answers over TLS: a year, without the hosts below it, which are not this server's.
static TRANSPORT_SECURITY: (HeaderName, HeaderValue) = (
    header::STRICT_TRANSPORT_SECURITY,
    HeaderValue::from_static("max-age=31536000"),
);

/// Sets the headers that keep browsers from doing what nobody asked for.
pub fn put_headers(headers: &mut HeaderMap, client: Option<Client>) {
    // Once, not in steps.
    headers.reserve(HEADERS.len() + 1);
    let is_secure = client.is_some_and(|client| client.secure);
    let transport = is_secure.then_some(&TRANSPORT_SECURITY);
    for (name, value) in HEADERS.iter().chain(transport) {
        headers.entry(name).or_insert_with(|| value.clone());
    }
}
