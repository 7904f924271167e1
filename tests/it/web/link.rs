//! The regulator's link: nothing before the pass phrase, nothing without a button, and an end.

use serde_json::{Value, json};

use super::browser::{Browser, Page, between};
use super::pages::check_page;
use crate::support::app::TestApp;

const RECIPIENT: &str = "Data Protection Authority <b>";

/// A finished export; its id and its bundle.
fn export(app: &TestApp) -> (String, Vec<u8>) {
    let events = [r#"{"operation":"read","data_subject":"planted_17"}"#; 3].join("\n");
    app.append("orders", &events);
    let question = json!({"subject": "planted_17", "purpose": "planted_why"});
    let (view, bundle) = app.export(&question);
    (view["id"].as_str().expect("an id").to_owned(), bundle)
}

/// Makes a link; the answer.
fn link(app: &TestApp, export: &str, pass_phrase: bool) -> Value {
    let view = app
        .get(&app.auditor, &format!("/api/v1/exports/{export}"))
        .json();
    let asked = json!({
        "recipient": RECIPIENT, "expires": view["expires_at"], "pass_phrase": pass_phrase,
    });
    let made = app.post(
        &app.auditor,
        &format!("/api/v1/exports/{export}/links"),
        &asked,
    );
    assert_eq!(made.status, 201, "{}", made.text());
    made.json()
}

fn text<'a>(made: &'a Value, field: &str) -> &'a str {
    made[field].as_str().expect("a text")
}

/// That a page says nothing about the export.
fn says_nothing(page: &Page) {
    check_page(page);
    for word in [
        "planted",
        "VERIFIED",
        "3 entries",
        "bundle.zip",
        "orders",
        "Authority",
    ] {
        assert!(!page.html.contains(word), "{word}");
    }
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(page.header("set-cookie"), None);
}

#[test]
fn a_link_shows_nothing_before_its_pass_phrase_and_counts_every_download() {
    let app = TestApp::start();
    let (export, bundle) = export(&app);
    let made = link(&app, &export, true);
    let (path, secret) = (text(&made, "path"), text(&made, "secret"));
    assert!(
        !path.contains(text(&made["link"], "id")),
        "the id is no secret"
    );
    let mut visitor = Browser::new(&app);
    let closed = visitor.get(path);
    assert_eq!(closed.status, 200);
    says_nothing(&closed);
    for wrong in ["", "aaaaa-aaaaa-aaaaa-aaaaa"] {
        let refused = visitor.post(path, &[("pass_phrase", wrong)]);
        assert_eq!(refused.status, 401);
        says_nothing(&refused);
        let file = visitor.post(&format!("{path}/bundle.zip"), &[("pass_phrase", wrong)]);
        assert_eq!(file.status, 401);
        says_nothing(&file);
    }
    assert_eq!(
        visitor.get(&format!("{path}/bundle.zip")).status,
        405,
        "a link is no button"
    );

    let typed = format!(" {} ", secret.to_uppercase());
    let open = visitor.post(path, &[("pass_phrase", &typed)]);
    assert_eq!(open.status, 200, "{}", open.html);
    check_page(&open);
    assert!(open.html.contains("VERIFIED: 3 entries") && open.html.contains("href=\"/verify\""));
    for word in ["planted", RECIPIENT, "orders"] {
        assert!(!open.html.contains(word), "{word}");
    }
    let file = visitor.post_bytes(&format!("{path}/bundle.zip"), &[("pass_phrase", secret)]);
    assert_eq!(file.1, bundle);
    let disposition = file.0.header("content-disposition").expect("a name");
    assert!(disposition.starts_with("attachment; filename=\"estreat-"));
    assert_eq!(file.0.header("cache-control"), Some("no-store"));
    let none = visitor.post(&format!("{path}/state.db"), &[("pass_phrase", secret)]);
    assert_eq!(none.status, 404);

    let links = app
        .get(&app.auditor, &format!("/api/v1/exports/{export}/links"))
        .json();
    assert_eq!(links["links"][0]["downloads"], 1);
    assert_eq!(links["links"][0]["recipient"], RECIPIENT);
    assert!(links["links"][0]["last_used_at"].is_string());
    let kept: Vec<_> = app.search_in(Some("_access"), "planted_17");
    let of = |operation: &str| -> Vec<Value> {
        let events = kept.iter().map(|found| found["event"].clone());
        events
            .filter(|event| event["operation"] == operation)
            .collect()
    };
    assert_eq!((of("share").len(), of("open_link").len()), (1, 1));
    let downloads = of("download");
    let by_link = downloads.iter().find(|event| event["actor_role"] == "link");
    let by_link = by_link.expect("the download is recorded");
    assert_eq!(by_link["recipient"], RECIPIENT);
    assert_eq!(by_link["payload"]["file"], "bundle.zip");
}

#[test]
fn an_auditor_makes_and_revokes_links_on_the_exports_page() {
    let app = TestApp::start();
    let (export, _) = export(&app);
    let place = format!("/exports/{export}");
    let mut auditor = Browser::signed_in(&app, &app.auditor);
    let page = auditor.get(&place);
    let day = between(&page.html, "name=\"expires\" value=\"", "\"").expect("a proposed day");
    let links = format!("{place}/links");
    let refused = auditor.post(&links, &[("recipient", ""), ("expires", day)]);
    assert_eq!(refused.status, 422);
    assert!(refused.html.contains("id=\"recipient-error\""));
    let refused = auditor.post(&links, &[("recipient", "r"), ("expires", "2099-01-01")]);
    assert_eq!(refused.status, 422);
    assert!(refused.html.contains("id=\"expires-error\""));
    let made = auditor.post(&links, &[("recipient", RECIPIENT), ("expires", day)]);
    assert_eq!(made.status, 201, "{}", made.html);
    check_page(&made);
    let url = between(&made.html, "class=\"secret link\">", "<").expect("a URL");
    let secret = between(&made.html, "class=\"secret pass\">", "<").expect("a pass phrase");
    let path = url.strip_prefix(&app.url).expect("of this server");
    let mut visitor = Browser::new(&app);
    assert_eq!(visitor.post(path, &[("pass_phrase", secret)]).status, 200);

    let listed = auditor.get(&place);
    check_page(&listed);
    assert!(!listed.html.contains(url) && !listed.html.contains(secret));
    assert!(
        listed
            .html
            .contains("Data Protection Authority &#60;b&#62;")
    );
    let revoke = listed.html.split(&format!("action=\"{links}/")).nth(1);
    let id = revoke
        .and_then(|rest| rest.split('/').next())
        .expect("a form");
    let revoked = auditor.post(&format!("{links}/{id}/revoke"), &[]);
    assert_eq!(revoked.header("location"), Some(&*place));
    assert_eq!(visitor.get(path).status, 410);
    assert_eq!(visitor.post(path, &[("pass_phrase", secret)]).status, 410);
    let file = visitor.post(&format!("{path}/bundle.zip"), &[("pass_phrase", secret)]);
    assert_eq!(file.status, 410);
    assert_eq!(
        auditor.post(&format!("{links}/{id}/revoke"), &[]).status,
        404
    );
    assert!(auditor.get(&place).html.contains("revoked"));
}

#[test]
fn a_link_without_a_pass_phrase_still_needs_a_button_and_ends() {
    let app = TestApp::start();
    let (export, bundle) = export(&app);
    let made = link(&app, &export, false);
    assert_eq!(made.get("secret"), None);
    let path = text(&made, "path");
    let mut visitor = Browser::new(&app);
    says_nothing(&visitor.get(path));
    let links = || {
        app.get(&app.auditor, &format!("/api/v1/exports/{export}/links"))
            .json()
    };
    assert_eq!(
        links()["links"][0].get("last_used_at"),
        None,
        "looking is no use"
    );
    assert_eq!(visitor.post(path, &[]).status, 200);
    assert_eq!(
        visitor.post_bytes(&format!("{path}/bundle.zip"), &[]).1,
        bundle
    );
    app.edit_state("UPDATE links SET expires_at = created_at + 1");
    assert_eq!(visitor.get(path).status, 410);
    assert_eq!(visitor.post(path, &[]).status, 410);
    assert_eq!(visitor.get(&format!("/r/{}", "0".repeat(64))).status, 404);
    assert_eq!(links()["links"][0]["downloads"], 1);
}

#[test]
fn a_pass_phrase_is_not_guessed() {
    let app = TestApp::start();
    let (export, _) = export(&app);
    let made = link(&app, &export, true);
    let path = text(&made, "path");
    let mut visitor = Browser::new(&app);
    let slowed = (0..20).any(|_| {
        let guess = visitor.post(path, &[("pass_phrase", "aaaaa-aaaaa-aaaaa-aaaaa")]);
        assert!(matches!(guess.status, 401 | 429));
        guess.status == 429
    });
    assert!(slowed);
    let right = visitor.post(path, &[("pass_phrase", text(&made, "secret"))]);
    assert_eq!(right.status, 429, "what is right does not show either");
    assert!(right.header("retry-after").is_some());
}
