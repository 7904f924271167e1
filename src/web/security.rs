//! Headers on every answer.
//!
//! `no-store` stands on everything that says nothing else: a page with personal data must be in no
//! cache, of a proxy or of a browser that the next person opens.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::client::Client;

/// Nothing inline, nothing foreign.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Sets the headers that keep browsers from doing what nobody asked for.
pub fn put_headers(headers: &mut HeaderMap, client: Option<Client>) {
    // Once, not in steps.
    headers.reserve(HEADERS);
    put(
        headers,
        header::CONTENT_SECURITY_POLICY,
        CONTENT_SECURITY_POLICY,
    );
    put(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    put(headers, header::X_FRAME_OPTIONS, "DENY");
    put(headers, header::REFERRER_POLICY, "no-referrer");
    put(
        headers,
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    );
    put(
        headers,
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=()",
    );
    put(headers, header::CACHE_CONTROL, "no-store");
    if client.is_some_and(|client| client.secure) {
        // A year; without the hosts below it, which are not this server's.
        put(
            headers,
            header::STRICT_TRANSPORT_SECURITY,
            "max-age=31536000",
        );
    }
}

/// How many are set here.
const HEADERS: usize = 8;

/// A handler may have set its own.
fn put(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers
        .entry(name)
        .or_insert(HeaderValue::from_static(value));
}
