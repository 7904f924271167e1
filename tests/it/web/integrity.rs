//! Checks of logs: asked for, by the schedule, cut off and going on; and what they say of segments.

use serde_json::{Value, json};

use super::browser::Browser;
use super::pages::check_page;
use crate::support::app::TestApp;

const EVENT: &str = r#"{"operation":"read","data_subject":"u"}"#;
const FILE: &str = "logs/orders/segments/00000000000000000001.seg";

/// A server with some closed segments of one log.
fn with_segments(count: usize, settings: &[(&str, &str)]) -> TestApp {
    let mut app = TestApp::start_with(settings);
    for _ in 0..count {
        app.append("orders", EVENT);
        assert_eq!(app.stop(), 0, "a stop closes the segment");
        app.restart();
    }
    wait_for_segments(&app, count);
    app
}

fn wait_for_segments(app: &TestApp, count: usize) {
    app.wait_until("the catalog", || segments(app).len() == count);
}

fn segments(app: &TestApp) -> Vec<Value> {
    let page = app.get(&app.auditor, "/api/v1/logs/orders/segments").json();
    page["segments"].as_array().expect("segments").clone()
}

fn check(app: &TestApp, request: &Value) -> Value {
    let path = "/api/v1/logs/orders/verifications";
    let asked = app.post(&app.auditor, path, request);
    assert_eq!(asked.status, 202, "{}", asked.text());
    finished(app, asked.json()["id"].as_str().expect("an id"))
}

fn finished(app: &TestApp, id: &str) -> Value {
    let mut view = Value::Null;
    app.wait_until("a check", || {
        let path = format!("/api/v1/verifications/{id}");
        view = app.get(&app.auditor, &path).json();
        matches!(view["status"].as_str(), Some("done" | "failed"))
    });
    view
}

fn flip(app: &TestApp, file: &str) {
    let path = app.data().join(file);
    let mut bytes = std::fs::read(&path).expect("a segment");
    let at = bytes.len() / 3;
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).expect("written");
}

#[test]
fn a_sound_range_hides_nothing_that_was_found_elsewhere() {
    let app = with_segments(3, &[]);
    let findings = || {
        let metrics = app.get(&app.token("operator", &[]), "/metrics").text();
        let line = metrics
            .lines()
            .find(|line| line.starts_with("estreat_log_findings{log=\"orders\"}"));
        line.map(ToOwned::to_owned)
    };
    flip(&app, "logs/orders/segments/00000000000000000000.seg");
    assert_eq!(check(&app, &json!({}))["outcome"]["verdict"], "ALTERED");
    let found = findings();
    assert!(
        found.as_ref().is_some_and(|it| !it.ends_with(" 0")),
        "{found:?}"
    );
    let range = json!({"first_segment": 1, "last_segment": 2});
    assert_eq!(check(&app, &range)["outcome"]["verdict"], "VERIFIED");
    assert_eq!(findings(), found);
}

#[test]
fn segments_and_links_say_what_the_last_check_that_covered_them_said() {
    let app = with_segments(4, &[]);
    assert!(segments(&app).iter().all(|it| it["verified"].is_null()));
    let mut browser = Browser::signed_in(&app, &app.auditor);
    assert!(browser.get("/logs/orders").html.contains("not checked yet"));

    let range = json!({"first_segment": 1, "last_segment": 2});
    let done = check(&app, &range);
    assert_eq!(done["outcome"]["verdict"], "VERIFIED", "{done}");
    assert_eq!(done["outcome"]["counts"]["segments"], 2, "{done}");
    assert_eq!(
        done["outcome"]["covered"], 0,
        "a range vouches for no later check"
    );
    let verdicts: Vec<_> = segments(&app)
        .iter()
        .map(|it| it["verified"]["verdict"].clone())
        .collect();
    assert_eq!(
        verdicts,
        [
            json!(null),
            json!("VERIFIED"),
            json!("VERIFIED"),
            json!(null)
        ]
    );

    flip(&app, FILE);
    let whole = check(&app, &json!({}));
    assert_eq!(whole["outcome"]["verdict"], "ALTERED");
    let finding = &whole["outcome"]["findings"][0];
    assert_eq!(
        (&finding["segment"], &finding["step"]),
        (&json!(1), &json!("links")),
        "{finding}"
    );
    for word in ["kind", "meaning", "advice", "expected", "found"] {
        assert!(
            finding[word].as_str().is_some_and(|it| !it.is_empty()),
            "{word}: {finding}"
        );
    }
    let verified = segments(&app);
    assert_eq!(verified[1]["verified"]["verdict"], "ALTERED");
    assert!(
        verified[3]["verified"]["verdict"].is_null(),
        "nothing of its own, yet not vouched for"
    );
    assert_eq!(verified[3]["verified"]["check_verdict"], "ALTERED");

    let page = browser.get("/logs/orders/segments/0");
    check_page(&page);
    assert!(page.html.contains("close link") && page.html.contains("nothing found here"));
    let links = app
        .get(&app.auditor, "/api/v1/logs/orders/segments/3/links?limit=1")
        .json();
    assert_eq!(links["links"].as_array().map(Vec::len), Some(1));
    let next = links["cursor"].as_str().expect("a further page");
    let path = format!("/api/v1/logs/orders/segments/3/links?cursor={next}");
    let rest = app.get(&app.auditor, &path).json();
    assert_eq!(rest["links"][0]["kind"], "close");
    assert_eq!(rest["links"][0]["hash"], verified[3]["head"]);
    assert!(rest["cursor"].is_null());

    let german = app.send(
        "GET",
        &app.auditor,
        &format!(
            "/api/v1/verifications/{}",
            whole["id"].as_str().expect("an id")
        ),
        &[("Accept-Language", "de")],
        b"",
    );
    let advice = german.json()["outcome"]["findings"][0]["advice"].clone();
    assert_ne!(advice, finding["advice"]);
    for (field, value) in [("first_segment", "7"), ("last_segment", "x")] {
        let fields = [(field, value), ("deep", "yes")];
        let asked = browser.post("/logs/orders/verifications", &fields);
        check_page(&asked);
        assert_eq!(asked.status, 422, "{}", asked.html);
        assert!(
            asked.html.contains("<h1>Log orders</h1>"),
            "on the log's page"
        );
        assert!(asked.html.contains(&format!("id=\"{field}-error\"")));
        assert!(
            asked
                .html
                .contains(&format!("name=\"{field}\" value=\"{value}\""))
        );
        assert!(asked.html.contains("name=\"deep\" value=\"yes\" checked"));
        assert!(
            asked.html.contains("/logs/orders/segments/3"),
            "its segments"
        );
    }
}

#[test]
fn a_range_is_anchored_to_the_chain_head_before_it_and_says_what_it_did_not_read() {
    let app = with_segments(4, &[]);
    let later = json!({"first_segment": 2});
    let part = json!({"first_segment": 2, "last_segment": 2});
    // An earlier segment is changed. The range says that it has not read it; a whole check finds it.
    flip(&app, FILE);
    for request in [&later, &part] {
        let done = check(&app, request);
        let outcome = &done["outcome"];
        assert_eq!(outcome["verdict"], "VERIFIED", "{done}");
        let coverage = outcome["coverage"].to_string();
        assert!(
            coverage.contains("NOT COVERED, segments 0 to 1"),
            "{coverage}"
        );
        let page = format!("/verifications/{}", done["id"].as_str().expect("an id"));
        let page = Browser::signed_in(&app, &app.auditor).get(&page);
        assert!(
            page.html
                .contains("segments 0 to 1: this check begins behind them"),
            "{}",
            page.html
        );
    }
    let seen = segments(&app);
    assert!(
        seen[1]["verified"].is_null(),
        "nothing vouches for it: {seen:?}"
    );
    let whole = check(&app, &json!({}));
    assert_eq!(whole["outcome"]["verdict"], "ALTERED", "{whole}");
    assert!(
        !whole["outcome"]["coverage"]
            .to_string()
            .contains("segments 0 to")
    );
    flip(&app, FILE);
    assert_eq!(check(&app, &json!({}))["outcome"]["verdict"], "VERIFIED");

    // Where the range begins is taken from the catalog. Another tree there passes in no check up to
    // the log's end, another chain head in none.
    for (statement, one_segment) in [
        (
            "UPDATE segments SET edge = zeroblob(length(edge)) WHERE log = 'orders' AND number = 1",
            "VERIFIED",
        ),
        (
            "UPDATE segments SET head = zeroblob(32) WHERE log = 'orders' AND number = 1",
            "ALTERED",
        ),
    ] {
        app.edit_catalog(statement);
        let done = check(&app, &later);
        assert_eq!(done["outcome"]["verdict"], "ALTERED", "{statement}: {done}");
        let done = check(&app, &part);
        assert_eq!(
            done["outcome"]["verdict"], one_segment,
            "{statement}: {done}"
        );
    }
}

#[test]
fn segments_are_filtered_by_the_times_of_their_events_page_by_page() {
    let mut app = TestApp::start();
    for day in 1..=6 {
        let event = json!({"operation": "read", "time": format!("2026-05-0{day}T12:00:00Z")});
        app.append("orders", &event.to_string());
        assert_eq!(app.stop(), 0);
        app.restart();
    }
    wait_for_segments(&app, 6);
    let numbers = |query: &str| -> (Vec<u64>, Value) {
        let path = format!("/api/v1/logs/orders/segments?{query}");
        let page = app.get(&app.auditor, &path).json();
        let rows = page["segments"].as_array().expect("segments").iter();
        let rows = rows.map(|it| it["segment"].as_u64().expect("a number"));
        (rows.collect(), page["cursor"].clone())
    };
    let range = "from=2026-05-02T00:00:00Z&to=2026-05-05T12:00:00Z";
    assert_eq!(numbers(range), (vec![1, 2, 3], json!(null)));
    let (first, cursor) = numbers(&format!("{range}&limit=2"));
    assert_eq!((first, &cursor), (vec![1, 2], &json!("3")));
    assert_eq!(numbers(&format!("{range}&limit=2&cursor=3")).0, [3]);
    assert_eq!(numbers("from=2026-05-06T12:00:00Z").0, [5]);
    assert_eq!(numbers("to=2026-05-01T12:00:00Z").0, [0_u64; 0]);
    let path = "/api/v1/logs/orders/segments?from=yesterday";
    assert_eq!(app.get(&app.auditor, path).status, 422);
    let browser = Browser::signed_in(&app, &app.auditor);
    let page = browser.get("/logs/orders?from=2026-05-02&to=2026-05-04&cursor=2");
    check_page(&page);
    let shows = |number: u64| page.html.contains(&format!("/segments/{number}\""));
    assert_eq!((1..=5).filter(|it| shows(*it)).collect::<Vec<_>>(), [2, 3]);
    assert!(page.html.contains("name=\"from\" value=\"2026-05-02\""));
    let wrong = browser.get("/logs/orders?to=4.5.");
    check_page(&wrong);
    assert_eq!(wrong.status, 422);
    assert!(wrong.html.contains("href=\"#to\"") && wrong.html.contains("aria-invalid"));
}

#[test]
fn a_check_that_was_cut_off_goes_on_behind_the_last_sound_segment() {
    let mut app = with_segments(4, &[]);
    let done = check(&app, &json!({}));
    assert_eq!(done["outcome"]["counts"]["segments"], 4);
    let covered = done["outcome"]["covered"].as_u64().expect("links");
    assert_eq!(covered, 8, "a batch and a close link each");
    app.kill();
    // As if it had been killed when two segments were read.
    app.edit_state(
        "UPDATE verifications SET status = 'running', covered = 4, outcome = NULL, verdict = NULL,
         finished_at = NULL",
    );
    app.restart();
    let id = done["id"].as_str().expect("an id");
    let again = finished(&app, id);
    assert_eq!(again["outcome"]["verdict"], "VERIFIED", "{again}");
    assert_eq!(again["outcome"]["resumed_at"], 2);
    assert_eq!(again["outcome"]["counts"]["segments"], 2);
    assert_eq!(again["outcome"]["covered"], 8);
    let browser = Browser::signed_in(&app, &app.auditor);
    let page = browser.get(&format!("/verifications/{id}"));
    assert!(page.html.contains("went on at segment 2"));
}

#[test]
fn the_schedule_checks_what_is_new_and_a_missed_check_is_said() {
    let mut app = with_segments(2, &[("verify_hours", "24")]);
    let first = check(&app, &json!({}));
    app.append("orders", EVENT);
    assert_eq!(app.stop(), 0);
    // A day and more goes by without the server.
    app.edit_state("UPDATE log_checks SET seen_at = 1, finished_at = 1");
    app.restart();
    let mut list = Value::Null;
    app.wait_until("a check of the schedule", || {
        let path = "/api/v1/verifications?log=orders&limit=1";
        list = app.get(&app.auditor, path).json();
        list["verifications"][0]["scheduled"] == true
            && list["verifications"][0]["status"] == "done"
    });
    let newest = &list["verifications"][0];
    assert_eq!(newest["outcome"]["verdict"], "VERIFIED", "{newest}");
    assert_eq!(newest["outcome"]["first_segment"], 2, "only what is new");
    assert_ne!(newest["id"], first["id"]);
    let cursor = list["cursor"].as_str().expect("a further page");
    let path = format!("/api/v1/verifications?log=orders&cursor={cursor}");
    let older = app.get(&app.auditor, &path).json();
    assert_eq!(older["verifications"][0]["id"], first["id"]);

    // The next one is late, and the schedule looks only once a minute.
    app.edit_state("UPDATE log_checks SET seen_at = 1, finished_at = 1");
    let overview = app.get(&app.auditor, "/api/v1/overview").json();
    let kinds = overview["attention"].as_array().expect("a list").iter();
    let kinds: Vec<_> = kinds.map(|it| it["kind"].clone()).collect();
    assert!(kinds.contains(&json!("missed")), "{overview}");
    let metrics = app.get(&app.admin, "/metrics").text();
    assert!(
        metrics.contains("estreat_log_verified_timestamp_seconds{log=\"orders\"} 0"),
        "{metrics}"
    );
    let page = Browser::signed_in(&app, &app.auditor).get("/");
    assert!(page.html.contains("has been due since"), "{}", page.html);
    check_page(&page);
}

#[test]
fn all_logs_are_checked_at_once_and_only_the_covered_ones_are_seen() {
    let app = TestApp::start();
    for log in ["a", "b", "c"] {
        app.append(log, EVENT);
    }
    let some = app.token("auditor", &["a", "b"]);
    let asked = app.post(
        &some,
        "/api/v1/verifications",
        &json!({"incremental": true}),
    );
    assert_eq!(
        (asked.status, &asked.json()["verifications"]),
        (202, &json!(2))
    );
    let mut list = Value::Null;
    app.wait_until("the checks", || {
        list = app.get(&app.auditor, "/api/v1/verifications").json();
        list["waiting"] == 0
    });
    let logs = list["verifications"].as_array().expect("a list").iter();
    let logs: Vec<_> = logs.map(|it| it["log"].as_str().expect("a log")).collect();
    assert!(
        logs.contains(&"a") && logs.contains(&"b") && !logs.contains(&"c"),
        "{logs:?}"
    );
    let other = app.token("auditor", &["c"]);
    let list = app.get(&other, "/api/v1/verifications").json();
    assert_eq!(list["verifications"], json!([]));
    assert_eq!(app.get(&other, "/api/v1/verifications?log=a").status, 403);
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let asked = browser.post("/integrity", &[("deep", "yes")]);
    assert_eq!(asked.header("location"), Some("/integrity"));
    let page = browser.get("/integrity");
    check_page(&page);
    assert!(page.html.contains("every 24 hours") && page.html.contains("deep"));
    assert!(
        browser
            .get("/integrity?found=yes")
            .html
            .contains("No check yet")
    );
}
