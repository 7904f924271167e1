//! verify.html: the verifier's page as one file, which checks a bundle from a disk without network.
//!
//! Its own policy lets nothing run but the two scripts that are in it, and lets nothing out. It
//! carries its words in every language, and opens in one of them.

use std::collections::BTreeMap;

use askama::Template;

use crate::base64;
use crate::digest::Digest;
use crate::messages::Lang;

/// Its name in a bundle.
pub const VERIFY_PAGE: &str = "verify.html";

/// The check itself, without a page: what a worker runs.
pub const VERIFY_CORE: &str = concat!(
    include_str!("../../../static/verify/crypto.js"),
    include_str!("../../../static/verify/bundle.js"),
    include_str!("../../../static/verify/check.js"),
);

/// What shows the check, and the words that it says it in.
pub const VERIFY_SCRIPT: &str = concat!(
    include_str!("../../../static/verify/words.js"),
    include_str!("../../../static/verify/page.js"),
);

/// The areas of the message files that are the page's alone.
const AREAS: [&str; 5] = ["checker", "verdict", "place", "fact", "flaw"];

/// The messages of the report that say the same things here.
const KEYS: [&str; 20] = [
    "day",
    "report-actor",
    "report-asked-by",
    "report-entry",
    "report-log",
    "report-logs",
    "report-made-at",
    "report-of-them-erased",
    "report-of-them-withheld",
    "report-operation",
    "report-outcome",
    "report-purpose",
    "report-range",
    "report-range-all",
    "report-range-both",
    "report-range-from",
    "report-range-to",
    "report-resource",
    "report-subject",
    "report-verified",
];

/// The pages' own style, and the verifier's.
const STYLE: &str = concat!(
    include_str!("../../../static/estreat.css"),
    include_str!("../../../static/verify/verify.css"),
);

/// Scripts and style stand inline, unescaped, as their hashes in the policy ask for.
#[derive(Template)]
#[template(path = "verify_alone.html")]
struct VerifyPage {
    t: Lang,
    langs: [Lang; 2],
    words: String,
    policy: String,
    style: &'static str,
    core: &'static str,
    page: &'static str,
}

/// The page, as it opens in a language; the same for every bundle of a release in that language.
pub fn verify_page(lang: Lang) -> String {
    let page = VerifyPage {
        t: lang,
        langs: Lang::ALL,
        words: verify_words(&Lang::ALL),
        policy: policy(),
        style: STYLE,
        core: VERIFY_CORE,
        page: VERIFY_SCRIPT,
    };
    page.render().unwrap_or_default()
}

/// The words of the page's script in some languages, as JSON: messages by key, by language.
pub fn verify_words(langs: &[Lang]) -> String {
    let words = langs
        .iter()
        .map(|lang| (lang.code(), lang.pieces(&AREAS, &KEYS)));
    let words: BTreeMap<_, _> = words.collect();
    serde_json::to_string(&words).unwrap_or_default()
}

/// The worker is made of the page's own script, by a `blob:` URL.
fn policy() -> String {
    let [core, page, style] = [VERIFY_CORE, VERIFY_SCRIPT, STYLE].map(source);
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
        let page = verify_page(Lang::English);
        let parts = [VERIFY_CORE, VERIFY_SCRIPT, STYLE];
        for (part, tag) in parts.into_iter().zip(["script", "script", "style"]) {
            // What could end or change the reading of an inline part.
            assert!(!part.contains("</") && !part.contains("<!--"), "{tag}");
            let end = format!("{part}</{tag}>");
            let start = page.find(&end).unwrap_or_default();
            assert!(page[..start].ends_with('>'), "{tag}");
        }
        assert_eq!(page.matches("'sha256-").count(), 0, "quotes are escaped");
        assert_eq!(page.matches("<script").count(), 2);
        for hash in parts.map(source) {
            assert!(page.contains(&hash.replace('\'', "&#39;")), "{hash}");
        }
        for foreign in [
            "http:", "https:", "//cdn", "src=", "href=", " style=", "onclick",
        ] {
            assert!(!page.contains(foreign), "{foreign}");
        }
    }

    #[test]
    fn it_opens_in_a_language_and_carries_all() {
        for (lang, title) in [
            (Lang::English, "<title>Check a bundle"),
            (Lang::German, "<title>Ein Paket prüfen"),
        ] {
            let page = verify_page(lang);
            assert!(page.contains(&format!("<html lang=\"{}\">", lang.code())));
            assert!(page.contains(title), "{title}");
            assert!(page.contains("Check the bundle") && page.contains("Paket prüfen"));
            assert_eq!(page, verify_page(lang), "the same for every bundle");
        }
    }

    #[test]
    fn every_key_of_the_scripts_has_words_in_every_language() {
        let words: serde_json::Value = serde_json::from_str(&verify_words(&Lang::ALL)).unwrap();
        let keys: Vec<&str> = [VERIFY_CORE, VERIFY_SCRIPT]
            .into_iter()
            .flat_map(|script| script.split('"'))
            .filter(|literal| is_key(literal))
            .collect();
        assert!(keys.len() > 250, "only {} keys", keys.len());
        for lang in Lang::ALL {
            for key in &keys {
                let pieces = words[lang.code()][key].as_array();
                let said = pieces.is_some_and(|pieces| !pieces.is_empty());
                assert!(said, "{}: {key}", lang.code());
            }
        }
    }

    fn is_key(text: &str) -> bool {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let area = text.split_once('-').map(|(area, _)| area);
        let known = area.is_some_and(|area| AREAS.contains(&area) || area == "report");
        text == "day" || (known && text.chars().all(plain))
    }
}
