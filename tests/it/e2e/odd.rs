//! Hostile and unusual bodies over HTTP: each gets the answer that its table says. And real
//! audit logs: every entry is found again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::app::{Answer, TestApp};

/// The folder of inputs that the project does not ship.
fn inputs() -> Option<PathBuf> {
    let folder = std::env::var_os("ESTREAT_EXTRA_INPUTS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("ESTREAT_EXTRA_INPUTS is not set: real and hostile inputs are not tried here");
    }
    folder
}

fn send(app: &TestApp, log: &str, name: &str, body: &[u8]) -> Answer {
    let content_type = match name {
        _ if name.contains("cloudevents") => "application/cloudevents-batch+json",
        _ if name.contains(".json") && !name.contains(".ndjson") => "application/json",
        _ => "application/x-ndjson",
    };
    let mut headers = vec![("Content-Type", content_type)];
    if name.ends_with(".gz") {
        headers.push(("Content-Encoding", "gzip"));
    } else if name.ends_with(".zst") {
        headers.push(("Content-Encoding", "zstd"));
    }
    app.send(
        "POST",
        &app.writer,
        &format!("/api/v1/logs/{log}/entries"),
        &headers,
        body,
    )
}

fn entries(app: &TestApp) -> u64 {
    let log = app.get(&app.auditor, "/api/v1/logs/odd").json();
    log["entries"].as_u64().unwrap_or_default()
}

#[test]
fn each_hostile_body_gets_what_its_table_says() {
    let Some(folder) = inputs() else { return };
    let odd = folder.join("odd");
    let app = TestApp::start();
    let table = std::fs::read_to_string(odd.join("expected.tsv")).expect("the table");
    let mut tried = 0;
    for row in table.lines().skip(1) {
        let mut cells = row.split('\t');
        let (name, expected) = (
            cells.next().expect("a file"),
            cells.next().expect("an answer"),
        );
        let note = cells.next().unwrap_or_default();
        let body = std::fs::read(odd.join(name)).expect("a body");
        let before = entries(&app);
        if let Ok(status) = expected.parse::<u16>() {
            let wanted: &[u16] = match name {
                // JSON events of another type: refused by its content type.
                "30_cloudevents_batch.json" => &[415],
                _ => &[status],
            };
            // "each line alone" rows are a table of bodies.
            if note.contains("each line alone") {
                for line in body
                    .split(|byte| *byte == b'\n')
                    .filter(|line| !line.is_empty())
                {
                    check(&send(&app, "odd", name, line), wanted, name);
                }
            } else {
                check(&send(&app, "odd", name, &body), wanted, name);
            }
            if status != 201 {
                assert_eq!(entries(&app), before, "{name}: something was kept");
            }
        } else {
            by_line(&app, name, &body);
        }
        tried += 1;
    }
    assert!(tried > 45, "only {tried} rows");
    assert_eq!(app.search("ds-4711").len(), 10);
    // Five spellings of one event: all found, none changed.
    let spellings = app.search("user-1");
    let numbers: Vec<String> = spellings
        .iter()
        .map(|entry| entry["event"]["payload"]["n"].to_string())
        .collect();
    for number in ["1", "1.0"] {
        assert!(
            numbers.iter().any(|found| found == number),
            "{number} of {numbers:?}"
        );
    }
    assert!(spellings.len() >= 5, "{numbers:?}");
}

fn check(answer: &Answer, wanted: &[u16], name: &str) {
    assert!(
        wanted.contains(&answer.status),
        "{name}: {} {}",
        answer.status,
        answer.text()
    );
    if answer.status >= 400 {
        assert_eq!(
            answer.header("content-type"),
            Some("application/problem+json"),
            "{name}"
        );
    }
}

/// Lines that are answered one by one: whatever is taken is found by exactly its own subject.
fn by_line(app: &TestApp, name: &str, body: &[u8]) {
    for line in body
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        let answer = send(app, "lines", name, line);
        assert!(
            matches!(answer.status, 201 | 422),
            "{name}: {} {}",
            answer.status,
            answer.text()
        );
        if answer.status == 422 {
            let problem = answer.json();
            assert_eq!(problem["errors"][0]["line"], 1, "{name}: {problem}");
            assert!(
                problem["errors"][0]["field"].is_string(),
                "{name}: {problem}"
            );
            continue;
        }
        let event: Value = serde_json::from_slice(line).expect("JSON");
        let Some(subject) = event["data_subject"].as_str() else {
            continue;
        };
        let found = app.search_in(Some("lines"), subject);
        assert!(!found.is_empty(), "{name}: not found again");
        assert!(
            found
                .iter()
                .all(|entry| entry["event"]["data_subject"] == subject),
            "{name}"
        );
    }
}

#[test]
fn every_subject_of_real_audit_logs_has_exactly_its_entries() {
    let Some(folder) = inputs() else { return };
    let app = TestApp::start_with(&[("roll_bytes", "100000")]);
    let events = std::fs::read_to_string(folder.join("events.ndjson")).expect("events");
    for group in events.lines().collect::<Vec<_>>().chunks(100) {
        app.append("real", &group.join("\n"));
    }
    let counts = subject_counts(&folder);
    assert!(counts.len() > 200);
    for (subject, count) in &counts {
        assert_eq!(app.search(subject).len() as u64, *count, "{subject}");
    }
    for (subject, count) in counts.iter().step_by(40) {
        let (view, _) = app.export(&json!({"subject": subject, "purpose": "a test"}));
        assert_eq!(view["outcome"]["entries"], *count, "{view}");
        assert_eq!(view["outcome"]["verdict"], "VERIFIED", "{view}");
    }
    payloads_come_back_to_the_letter(&app, &events);
}

fn subject_counts(folder: &Path) -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(folder.join("events.counts.json")).expect("counts");
    let counts: Value = serde_json::from_str(&text).expect("JSON");
    let by_subject = counts["per_subject"]
        .as_object()
        .expect("counts by subject");
    by_subject
        .iter()
        .map(|(subject, count)| (subject.clone(), count.as_u64().expect("a count")))
        .collect()
}

fn payloads_come_back_to_the_letter(app: &TestApp, events: &str) {
    let line = events
        .lines()
        .find(|line| line.contains("\"payload\""))
        .expect("an event with a payload");
    let event: Value = serde_json::from_str(line).expect("JSON");
    let subject = event["data_subject"].as_str().expect("a subject");
    let payload = line
        .split_once("\"payload\":")
        .expect("a payload")
        .1
        .strip_suffix('}')
        .expect("the end");
    let mut question = json!({"subject": subject, "purpose": "a test", "limit": 1000});
    question["logs"] = json!(["real"]);
    let answer = app.post(&app.auditor, "/api/v1/searches", &question).text();
    assert!(answer.contains(payload), "the payload is another");
}
