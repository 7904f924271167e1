//! The overview: every log at a glance, and whatever needs a person.

use std::sync::Arc;

use estreat::limits::MANY_REFUSED_SIGN_INS;
use estreat::store::SystemClock;
use estreat::time::{Clock, Timestamp};
use serde_json::{Value, json};

use super::browser::Browser;
use super::pages::check_page;
use crate::support::app::TestApp;
use crate::support::engine::Engine;

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
fn many_refused_sign_ins_are_counted_by_kind_and_said_without_names() {
    let app = TestApp::start();
    let (name, password) = ("planted_name", "planted_password");
    let mut stranger = Browser::new(&app);
    let signed_in = stranger.post("/signin", &[("token", &app.auditor)]);
    assert_eq!(signed_in.status, 303, "what is let in is not counted");
    for _ in 0..MANY_REFUSED_SIGN_INS - 2 {
        let refused = stranger.sign_in(name, password);
        assert!(matches!(refused.status, 401 | 429), "{}", refused.status);
    }
    let known = |app: &TestApp| {
        let overview = app.get(&app.admin, "/api/v1/overview").json();
        kinds(&overview).contains(&"sign-ins")
    };
    assert_eq!(
        stranger
            .post("/signin", &[("token", "planted_token")])
            .status,
        401
    );
    assert!(!known(&app), "a few are mistyped");
    assert_eq!(
        stranger
            .post("/signin", &[("token", "planted_token")])
            .status,
        401
    );
    assert!(known(&app));
    let metrics = app.get(&app.admin, "/metrics").text();
    // Five guesses are free.
    for line in [
        "estreat_sign_in_refused_total{kind=\"password\"} 5",
        "estreat_sign_in_refused_total{kind=\"token\"} 2",
        &format!(
            "estreat_sign_in_refused_total{{kind=\"limited\"}} {}",
            MANY_REFUSED_SIGN_INS - 7
        ),
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
    let page = Browser::signed_in(&app, &app.admin).get("/");
    check_page(&page);
    assert!(
        page.html
            .contains("50 sign-ins were refused within the last hour")
    );
    let said = app.stderr.lock().expect("no panic").clone();
    assert!(
        said.contains("sign-ins refused since the last such line: 1 for a password"),
        "{said}"
    );
    assert!(!said.contains("planted") && !metrics.contains("planted"));
    assert!(said.matches("sign-ins refused").count() < 5, "{said}");
}

#[test]
fn a_clock_that_stands_behind_what_was_recorded_is_said() {
    struct Ahead;
    impl Clock for Ahead {
        fn now(&self) -> Timestamp {
            SystemClock.now().plus_micros(7_200_000_000)
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    // Two hours ahead when it wrote; then somebody sets the clock right.
    tokio::runtime::Runtime::new()
        .expect("a runtime")
        .block_on(async {
            let options = estreat::ingest::Options::default();
            let engine = Engine::start_at(folder.path(), options, Arc::new(Ahead), |it| it).await;
            engine
                .append("orders", r#"{"operation":"read"}"#)
                .await
                .expect("acknowledged");
            engine.stop().await;
        });
    let app = TestApp::start_in(folder, &[]);
    let overview = || app.get(&app.auditor, "/api/v1/overview").json();
    assert!(
        !kinds(&overview()).contains(&"clock-back"),
        "nothing was written yet"
    );
    app.append("orders", r#"{"operation":"read"}"#);
    let known = overview();
    assert!(kinds(&known).contains(&"clock-back"), "{known}");
    let metrics = app.get(&app.admin, "/metrics").text();
    let back = metrics
        .split("\nestreat_clock_back_seconds ")
        .nth(1)
        .expect("a metric");
    let back: u64 = back
        .lines()
        .next()
        .and_then(|it| it.parse().ok())
        .expect("seconds");
    assert!((3600..=7200).contains(&back), "{back}");
    let page = Browser::signed_in(&app, &app.auditor).get("/");
    check_page(&page);
    assert!(
        page.html
            .contains("seconds behind what was already recorded")
    );
    // The log goes on, and stays sound.
    let (_, bundle) = app.export(&json!({"subject": "u", "purpose": "x"}));
    assert!(!bundle.is_empty());
}

#[test]
fn a_disk_that_fills_up_is_said_on_pages_that_still_work() {
    let mut app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"u"}"#);
    let free = app.get(&app.auditor, "/api/v1/overview").json()["free_bytes"].clone();
    let free = free.as_u64().expect("bytes");
    assert_eq!(app.stop(), 0);
    // Less than the reserve is free, and then less than a sixteenth of it.
    for (reserve, kind, words, readings) in [
        (
            4 * free,
            "disk-reserve",
            "Only the disk reserve is left",
            200,
        ),
        (64 * free, "disk-spent", "The disk is full", 503),
    ] {
        let mut full = TestApp::start_on(&app, &[("disk_reserve_bytes", &reserve.to_string())]);
        let overview = full.get(&full.auditor, "/api/v1/overview").json();
        assert!(kinds(&overview).contains(&kind), "{kind}: {overview}");
        for token in [&full.auditor, &full.admin] {
            let page = Browser::signed_in(&full, token).get("/");
            check_page(&page);
            assert!(page.html.contains(words), "{}", page.html);
            assert!(page.html.contains("Free disk space"));
        }
        let search = full.post(
            &full.auditor,
            "/api/v1/searches",
            &json!({"subject": "u", "purpose": "x"}),
        );
        assert_eq!(search.status, readings, "{kind}: {}", search.text());
        assert_eq!(full.stop(), 0);
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
