//! Every page: who sees it, what it escapes, and what it does with what is wrong.

use serde_json::json;

use super::browser::{Browser, Page, between, borrowed};
use crate::support::app::TestApp;

/// An id as an attacker would choose it, with marks that turn and hide text.
const HOSTILE: &str = "</code><script>alert(1)</script>\"'onload=\"x &amp; \u{202e}live\u{200b}";

#[test]
fn each_role_sees_its_pages_and_is_told_in_words_why_not_the_others() {
    let app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"u"}"#);
    let pages = [
        ("/", "all"),
        ("/docs", "all"),
        ("/verify", "all"),
        ("/logs/orders", "auditor admin"),
        ("/logs/orders/entries/0", "auditor"),
        ("/search", "auditor"),
        ("/exports", "auditor regulator"),
        ("/exports/new", "auditor"),
        ("/tokens", "admin"),
    ];
    for role in ["writer", "auditor", "regulator", "admin", "operator"] {
        let browser = Browser::signed_in(&app, &app.token(role, &[]));
        for (path, allowed) in pages {
            let page = browser.get(path);
            let may = allowed == "all" || allowed.split(' ').any(|word| word == role);
            assert_eq!(page.status, if may { 200 } else { 403 }, "{role} {path}");
            check_page(&page);
            if !may {
                assert!(page.html.contains(&format!("role {role} may not do this")));
            }
        }
        assert_eq!(browser.get("/nowhere").status, 404);
        check_page(&browser.get("/nowhere"));
    }
    let public = ["/docs", "/verify"];
    for (path, _) in pages.iter().filter(|(path, _)| !public.contains(path)) {
        assert_eq!(Browser::new(&app).get(path).status, 303, "{path}");
    }
}

#[test]
fn nothing_that_services_send_is_markup_and_no_subject_leaves_the_body() {
    let app = TestApp::start();
    let event = json!({
        "operation": HOSTILE.chars().take(20).collect::<String>(), "data_subject": HOSTILE,
        "actor": HOSTILE, "actor_role": HOSTILE, "recipient": HOSTILE, "purpose": HOSTILE,
        "resource": HOSTILE, "outcome": "denied", "payload": {HOSTILE: [HOSTILE, 1.0]},
    });
    app.append("orders", &event.to_string());
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let why = [
        ("subjects", HOSTILE),
        ("purpose", HOSTILE),
        ("case", HOSTILE),
    ];
    let found = browser.search(&why);
    assert_eq!(found.status, 200);
    assert!(found.html.contains("1 entry names this person"));
    check_hostile(&browser.get("/search"));
    assert!(found.html.contains("U+202E") && found.html.contains("U+200B"));
    check_hostile(&found);
    let entry = found.form("Its link and proof").expect("a form");
    check_hostile(&browser.post("/logs/orders/entries/0", &borrowed(&entry)));

    let question = found.form_to("/exports/new").expect("a form");
    let prefilled = browser.post("/exports/new", &borrowed(&question));
    assert!(
        prefilled
            .html
            .contains("name=\"subject\" value=\"&#60;/code&#62;&#60;script")
    );
    check_hostile(&prefilled);
    let made = browser.post("/exports", &borrowed(&question));
    let place = made.header("location").expect("its page").to_owned();
    assert_eq!((made.status, place.len()), (303, "/exports/".len() + 32));
    check_hostile(&browser.get(&place));
    app.wait_for_export(place.trim_start_matches("/exports/"));
    let done = browser.get(&place);
    assert!(done.html.contains("VERIFIED: 1 entry"));
    assert!(done.html.contains("/bundle.zip\""));
    check_hostile(&done);
    let list = browser.get("/exports");
    assert!(!list.html.contains("alert(1)"), "the list names nobody");
    assert!(!app.stderr.lock().unwrap().contains("alert(1)"));
}

#[test]
fn what_is_wrong_stands_beside_its_field_and_the_values_stay() {
    let app = TestApp::start();
    let mut auditor = Browser::signed_in(&app, &app.auditor);
    let mut admin = Browser::signed_in(&app, &app.admin);
    let refused = [
        auditor.post(
            "/search",
            &[("subjects", "u"), ("case", "kept_17"), ("purpose", " ")],
        ),
        auditor.post("/search", &[("subjects", ""), ("purpose", "kept_17")]),
        auditor.post(
            "/search",
            &[("subjects", "u"), ("purpose", "kept_17"), ("from", "4.5.")],
        ),
        auditor.post("/exports", &[("subject", "kept_17"), ("purpose", "x")]),
        auditor.post(
            "/exports",
            &[("subject", "kept_17"), ("purpose", "x"), ("audience", "y")],
        ),
        admin.post("/tokens", &[("name", "kept_17"), ("role", "king")]),
        admin.post(
            "/tokens",
            &[("name", "kept_17"), ("role", "writer"), ("logs", "A")],
        ),
        admin.post("/logs", &[("log", "No"), ("description", "kept_17")]),
    ];
    for (at, page) in refused.iter().enumerate() {
        assert_eq!(page.status, 422, "{at}: {}", page.html);
        assert!(page.html.contains("value=\"kept_17\""), "{at}");
        assert!(page.html.contains("Nothing was done"), "{at}");
        assert!(page.html.contains("class=\"error\""), "{at}");
        check_page(page);
    }
    let long = "x".repeat(70_000);
    assert_eq!(auditor.post("/search", &[("subjects", &long)]).status, 413);
}

#[test]
fn an_administrator_makes_and_ends_tokens_and_sets_logs() {
    let app = TestApp::start();
    let mut admin = Browser::signed_in(&app, &app.admin);
    assert!(admin.get("/").html.contains("Send the first event"));
    let made = admin.post(
        "/tokens",
        &[("name", "shop <1>"), ("role", "writer"), ("logs", "shop")],
    );
    assert_eq!(made.status, 201);
    let secret = between(&made.html, "class=\"secret\">", "<")
        .expect("a secret")
        .to_owned();
    check_page(&made);
    let listed = admin.get("/tokens");
    assert!(!listed.html.contains(&secret) && listed.html.contains("shop &#60;1&#62;"));
    let writer = Browser::signed_in(&app, &secret);
    assert!(writer.get("/").html.contains("It appends entries"));

    let mut forms = listed.html.split("action=\"/tokens/").skip(1);
    let revoke = forms
        .find(|form| between(form, "", "</form>").is_some_and(|form| form.contains("shop &#60;1")));
    let id = between(revoke.expect("a form"), "", "/").expect("an id");
    let revoked = admin.post(&format!("/tokens/{id}/revoke"), &[]);
    assert_eq!(revoked.header("location"), Some("/tokens"));
    assert_eq!(writer.get("/").status, 303, "its session is over");
    assert!(admin.get("/tokens").html.contains("revoked"));
    let review = json!({"purpose": "a review", "operation": "revoke_token"});
    let acts = app.post(&app.auditor, "/api/v1/access/searches", &review);
    let acts = acts.json()["acts"].clone();
    assert_eq!(acts[0]["details"]["token"], json!(id), "{acts}");

    let set = [
        ("log", "hr"),
        ("description", "staff <x>"),
        ("require_case", "yes"),
    ];
    assert_eq!(
        admin.post("/logs", &set).header("location"),
        Some("/logs/hr")
    );
    let log = admin.get("/logs/hr");
    assert!(log.html.contains("staff &#60;x&#62;") && log.html.contains("a case number"));
    let mut auditor = Browser::signed_in(&app, &app.auditor);
    let refused = auditor.post("/search", &[("subjects", "u"), ("purpose", "x")]);
    assert_eq!(refused.status, 422);
    assert!(refused.html.contains("id=\"case-error\""));
}

#[test]
fn a_log_is_verified_from_its_page() {
    let app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"u"}"#);
    // A checkpoint is signed a moment after the first entry.
    app.wait_until("a checkpoint", || {
        let log = app.get(&app.auditor, "/api/v1/logs/orders").json();
        log["checkpoint"]["size"] == 1
    });
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let asked = browser.post("/logs/orders/verifications", &[("deep", "yes")]);
    let place = asked.header("location").expect("its page").to_owned();
    let mut page = browser.get(&place);
    app.wait_until("a verification", || {
        page = browser.get(&place);
        check_page(&page);
        !page.html.contains("data-state")
    });
    assert!(
        page.html.contains("class=\"verdict\">VERIFIED"),
        "{}",
        page.html
    );
    let overview = browser.get("/");
    assert!(
        overview
            .html
            .contains(&format!("href=\"{place}\" class=\"badge\">VERIFIED"))
    );
}

/// What holds for every page: nothing inline, nothing foreign, nothing kept.
pub fn check_page(page: &Page) {
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"));
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    for inline in [
        "<style",
        " style=",
        "<script>",
        " onclick=",
        " onload=",
        "javascript:",
    ] {
        assert!(!page.html.contains(inline), "{inline}");
    }
    for address in ["src=\"http", "href=\"http", "src=\"//", "href=\"//"] {
        assert!(!page.html.contains(address), "{address}");
    }
}

fn check_hostile(page: &Page) {
    assert!(matches!(page.status, 200), "{}", page.html);
    check_page(page);
    for raw in ["<script>alert", "</code><script", "\"onload", "'onload"] {
        assert!(!page.html.contains(raw), "{raw}");
    }
    assert!(page.html.contains("&#60;script&#62;alert(1)"));
    assert!(!page.title().contains("alert"));
    for (name, value) in &page.headers {
        assert!(!value.contains("alert"), "{name}");
    }
}
