//! What anyone may fetch: static files, and the API's description.

use super::browser::{Browser, Page, between};
use super::pages::check_page;
use crate::support::app::TestApp;

#[test]
fn static_files_are_kept_for_ever_under_the_hash_of_their_content() {
    let app = TestApp::start();
    let browser = Browser::new(&app);
    let page = browser.get("/signin");
    let url = between(&page.html, "rel=\"stylesheet\" href=\"", "\"").expect("a style sheet");
    let css = browser.get(url);
    assert_eq!(css.header("content-type"), Some("text/css; charset=utf-8"));
    let cache = |page: &Page| page.header("cache-control").map(str::to_owned);
    assert_eq!(
        cache(&css).as_deref(),
        Some("public, max-age=31536000, immutable")
    );
    assert_eq!(
        cache(&browser.get("/static/estreat.css?v=0")).as_deref(),
        Some("no-cache")
    );
    assert_eq!(cache(&page).as_deref(), Some("no-store"));
    for name in ["..%2FCargo.toml", "x.css", "%2e%2e"] {
        assert_eq!(browser.get(&format!("/static/{name}")).status, 404);
    }
}

#[test]
fn the_api_is_browsed_from_its_description() {
    let app = TestApp::start();
    let docs = Browser::new(&app).get("/docs");
    check_page(&docs);
    let api = app.get("", "/openapi.json").json();
    for (path, methods) in api["paths"].as_object().expect("paths") {
        assert!(
            docs.html.contains(&format!("<code>{path}</code>")),
            "{path}"
        );
        for method in methods.as_object().expect("methods").keys() {
            assert!(docs.html.contains(&method.to_uppercase()));
        }
    }
    for name in api["components"]["schemas"]
        .as_object()
        .expect("schemas")
        .keys()
    {
        assert!(
            docs.html.contains(&format!("id=\"schema-{name}\"")),
            "{name}"
        );
    }
}

#[test]
fn anyone_may_check_a_bundle_and_keep_the_page_that_does() {
    let app = TestApp::start();
    let browser = Browser::new(&app);
    let page = browser.get("/verify");
    check_page(&page);
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"));
    for script in page.html.split("<script").skip(1) {
        let url = between(script, "src=\"", "\"").expect("no script is inline");
        assert_eq!(browser.get(url).status, 200, "{url}");
    }

    let kept = browser.get("/verify/alone");
    assert_eq!(kept.status, 200);
    let disposition = kept.header("content-disposition");
    assert_eq!(disposition, Some("attachment; filename=\"verify.html\""));
    assert!(
        kept.html
            .contains("default-src &#39;none&#39;; script-src &#39;sha256-")
    );
    assert!(
        ["src=\"", "http:", "https:"]
            .iter()
            .all(|foreign| !kept.html.contains(foreign))
    );
}
