//! The overview: every log at a glance, and whatever needs a person.

use serde_json::{Value, json};

use super::browser::Browser;
use super::pages::check_page;
use crate::support::app::TestApp;

fn kinds(overview: &Value) -> Vec<&str> {
    let all = overview["attention"].as_array().expect("a list").iter();
    all.map(|it| it["kind"].as_str().expect("a kind")).collect()
}

#[test]
fn what_was_refused_or_kept_unread_is_counted_and_said_with_what_to_do() {
    let app = TestApp::start();
    app.append("orders", r#"{"operation":"read"}"#);
    let path = "/api/v1/logs/orders/entries";
    let json = [("Content-Type", "application/json")];
    let send = |token: &str, path: &str, body: &str| {
        app.send("POST", token, path, &json, body.as_bytes()).status
    };
    assert_eq!(send(&app.writer, path, "{"), 400);
    assert_eq!(
        send(
            &app.writer,
            path,
            r#"{"operation":"read","data_subjct":"u"}"#
        ),
        422
    );
    let other = app.token("writer", &["hr"]);
    assert_eq!(send(&other, path, r#"{"operation":"read"}"#), 403);
    let kept = format!("{path}?invalid=quarantine");
    assert_eq!(send(&app.writer, &kept, "{"), 201);

    let overview = app.get(&app.auditor, "/api/v1/overview").json();
    let kinds = kinds(&overview);
    for kind in [
        "refused-unreadable",
        "refused-invalid",
        "refused-not-allowed",
        "quarantined",
        "new-readers",
    ] {
        assert!(kinds.contains(&kind), "{kind}: {overview}");
    }
    for it in overview["attention"].as_array().expect("a list") {
        let text = |name: &str| it[name].as_str().expect("a text").to_owned();
        assert!(
            !text("words").is_empty() && !text("advice").is_empty(),
            "{it}"
        );
        assert!(text("link").starts_with('/'), "{it}");
    }
    let logs = overview["logs"].as_array().expect("logs");
    let orders = logs.iter().find(|it| it["log"] == "orders").expect("it");
    assert_eq!(orders["quarantined"], 1);
    let hours = orders["hours"].as_array().expect("hours");
    let sum: u64 = hours.iter().filter_map(Value::as_u64).sum();
    assert_eq!((hours.len(), sum), (24, 2));

    let metrics = app.get(&app.admin, "/metrics").text();
    for line in [
        "estreat_refused_total{reason=\"unreadable\"} 1",
        "estreat_refused_total{reason=\"not_allowed\"} 1",
        "estreat_quarantined_total 1",
        "estreat_clock_back_seconds 0",
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
    for token in [&app.auditor, &app.admin] {
        let page = Browser::signed_in(&app, token).get("/");
        check_page(&page);
        assert!(page.html.contains("This needs a person"));
        assert!(page.html.contains("<svg") && page.html.contains("<rect"));
        assert!(page.html.contains("their bodies could not be read"));
    }
}

#[test]
fn many_logs_are_paged_and_filtered() {
    let app = TestApp::start();
    for at in 0..60 {
        let path = format!("/api/v1/logs/many-{at:02}");
        let made = app.send(
            "PUT",
            &app.admin,
            &path,
            &[("Content-Type", "application/json")],
            b"{}",
        );
        assert_eq!(made.status, 200, "{}", made.text());
    }
    app.append("orders", r#"{"operation":"read"}"#);
    let browser = Browser::signed_in(&app, &app.auditor);
    let first = browser.get("/");
    assert!(first.html.contains("many-48") && !first.html.contains("many-51"));
    assert!(
        first.html.contains("cursor=many-"),
        "the way to the next page"
    );
    let found = browser.get("/?name=ord");
    assert!(found.html.contains("/logs/orders") && !found.html.contains("many-00"));
    let none = browser.get("/?attention=yes");
    assert!(none.html.contains("0 logs"), "{}", none.html);
    let limit = app
        .get(
            &app.auditor,
            "/api/v1/overview?limit=7&name=many-&cursor=many-06",
        )
        .json();
    let logs = limit["logs"].as_array().expect("logs");
    assert_eq!((logs.len(), &logs[0]["log"]), (7, &json!("many-07")));
    assert_eq!(
        (&limit["cursor"], &limit["count"]),
        (&json!("many-13"), &json!(60))
    );
    assert_eq!(
        app.get(&app.auditor, "/api/v1/overview?limit=0").status,
        422
    );
}
