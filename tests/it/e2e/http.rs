//! What is wrong with a request beside its body is said in the one form of all problems.

use crate::support::app::{Answer, TestApp};

fn is_problem(answer: &Answer, status: u16) {
    assert_eq!(answer.status, status, "{}", answer.text());
    let kind = answer.header("content-type");
    assert_eq!(kind, Some("application/problem+json"), "{}", answer.text());
    assert_eq!(answer.json()["status"], status);
}

#[test]
fn a_url_that_cannot_be_read_is_a_problem() {
    let app = TestApp::start();
    let event = br#"{"operation":"read"}"#;
    let post = |path: &str| app.send("POST", &app.writer, path, &[], event);
    is_problem(&post("/api/v1/logs/%ff/entries"), 400);
    let twice = "invalid=quarantine&invalid=quarantine";
    is_problem(&post(&format!("/api/v1/logs/x/entries?{twice}")), 400);
    is_problem(&post("/api/v1/logs/x/entries?invald=quarantine"), 400);
    let limit = app.get(&app.auditor, "/api/v1/logs/x/segments?limit=-1");
    is_problem(&limit, 400);
}

#[test]
fn a_header_that_is_there_twice_is_refused() {
    let app = TestApp::start();
    let post = |headers: &[(&str, &str)]| {
        let path = "/api/v1/logs/x/entries";
        app.send(
            "POST",
            &app.writer,
            path,
            headers,
            br#"{"operation":"read"}"#,
        )
    };
    for (name, first, second) in [
        ("Idempotency-Key", "a", "b"),
        ("Content-Encoding", "identity", "gzip"),
        ("Content-Type", "application/json", "text/plain"),
    ] {
        is_problem(&post(&[(name, first), (name, second)]), 400);
        assert_eq!(post(&[(name, first)]).status, 201, "{name}");
    }
}
