//! verify.html: the verifier's page as one file, which checks a bundle from a disk without network.
//!
//! Its own policy lets nothing run but the two scripts that are in it, and lets nothing out.

use askama::Template;

use crate::base64;
use crate::digest::Digest;

/// Its name in a bundle.
pub const VERIFY_PAGE: &str = "verify.html";

/// The check itself, without a page: what a worker runs.
pub const VERIFY_CORE: &str = concat!(
    include_str!("../../../static/verify/crypto.js"),
    include_str!("../../../static/verify/bundle.js"),
    include_str!("../../../static/verify/check.js"),
);

const PAGE: &str = include_str!("../../../static/verify/page.js");
const STYLE: &str = concat!(
    include_str!("../../../static/estreat.css"),
    include_str!("../../../static/verify/verify.css"),
);

#[derive(Template)]
#[template(path = "verify_alone.html")]
struct VerifyPage {
    policy: String,
    style: &'static str,
    core: &'static str,
    page: &'static str,
}

/// The page; the same for every bundle of a release.
pub fn verify_page() -> String {
    let page = VerifyPage {
        policy: policy(),
        style: STYLE,
        core: VERIFY_CORE,
        page: PAGE,
    };
    page.render().unwrap_or_default()
}

/// The worker is made of the page's own script, by a `blob:` URL.
fn policy() -> String {
    let [core, page, style] = [VERIFY_CORE, PAGE, STYLE].map(source);
    format!(
        "default-src 'none'; script-src {core} {page}; style-src {style}; worker-src blob:; \
         base-uri 'none'; form-action 'none'"
    )
}

/// A script or style by its hash (CSP Level 3, "Hash Source").
fn source(text: &str) -> String {
    let hash = Digest::of(&[text.as_bytes()]);
    format!("'sha256-{}'", base64::encode(hash.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_ends_where_the_browser_ends_it_and_has_the_hash_of_the_policy() {
        let page = verify_page();
        for (part, tag) in [(VERIFY_CORE, "script"), (PAGE, "script"), (STYLE, "style")] {
            // What could end or change the reading of an inline part.
            assert!(!part.contains("</") && !part.contains("<!--"), "{tag}");
            let end = format!("{part}</{tag}>");
            let start = page.find(&end).unwrap_or_default();
            assert!(page[..start].ends_with('>'), "{tag}");
        }
        assert_eq!(page.matches("'sha256-").count(), 0, "quotes are escaped");
        for hash in [VERIFY_CORE, PAGE, STYLE].map(source) {
            assert!(page.contains(&hash.replace('\'', "&#39;")), "{hash}");
        }
        for foreign in [
            "http:", "https:", "//cdn", "src=", "href=", " style=", "onclick",
        ] {
            assert!(!page.contains(foreign), "{foreign}");
        }
    }
}
