//! Static files, embedded, under names that change with their content.
//!
//! They hold nothing that is secret or anybody's: the one kind of answer that may be kept in
//! caches.

use axum::extract::{Path, RawQuery};
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::PageError;
use crate::audit::export::{VERIFY_CORE, VERIFY_SCRIPT};
use crate::digest::Digest;

/// A file, as it was when the program was built.
struct Asset {
    name: &'static str,
    content_type: &'static str,
    text: &'static str,
}

/// All of them; what is not here is not served, so that a name is never a path.
const ASSETS: [Asset; 8] = [
    Asset {
        name: "estreat.css",
        content_type: "text/css; charset=utf-8",
        text: include_str!("../../../static/estreat.css"),
    },
    Asset {
        name: "progress.js",
        content_type: "text/javascript; charset=utf-8",
        text: include_str!("../../../static/progress.js"),
    },
    Asset {
        name: "local.js",
        content_type: "text/javascript; charset=utf-8",
        text: include_str!("../../../static/local.js"),
    },
    Asset {
        name: "signin.js",
        content_type: "text/javascript; charset=utf-8",
        text: include_str!("../../../static/signin.js"),
    },
    Asset {
        name: "verify-core.js",
        content_type: "text/javascript; charset=utf-8",
        text: VERIFY_CORE,
    },
    Asset {
        name: "verify-page.js",
        content_type: "text/javascript; charset=utf-8",
        text: VERIFY_SCRIPT,
    },
    Asset {
        name: "verify.css",
        content_type: "text/css; charset=utf-8",
        text: include_str!("../../../static/verify/verify.css"),
    },
    Asset {
        name: "icon.svg",
        content_type: "image/svg+xml",
        text: include_str!("../../../static/icon.svg"),
    },
];

/// Digits of the content's hash in an asset's URL.
const VERSION_DIGITS: usize = 16;

impl Asset {
    /// The beginning of the content's SHA-256.
    fn version(&self) -> String {
        let mut digits = Digest::of(&[self.text.as_bytes()]).to_string();
        digits.truncate(VERSION_DIGITS);
        digits
    }
}

/// The URL of an asset, with its content's hash.
pub fn url(name: &str) -> String {
    let asset = ASSETS.iter().find(|asset| asset.name == name);
    let version = asset.map(Asset::version).unwrap_or_default();
    format!("/static/{name}?v={version}")
}

/// Serves an asset; for ever cacheable if asked for by its content's hash.
pub async fn file(
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, PageError> {
    let asset = ASSETS.iter().find(|asset| asset.name == name);
    let asset = asset.ok_or_else(PageError::no_such_page)?;
    let wanted = query.as_deref().and_then(|query| query.strip_prefix("v="));
    let cache = match wanted.is_some_and(|wanted| wanted == asset.version()) {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let headers = [
        (header::CONTENT_TYPE, asset.content_type),
        (header::CACHE_CONTROL, cache),
    ];
    Ok((headers, asset.text).into_response())
}
