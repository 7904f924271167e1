//! Running the server: one process a folder, keys, limits of the disk, an orderly stop.

use serde_json::json;

use crate::support::app::{TestApp, estreat, verify};

#[test]
fn a_second_server_on_the_folder_gets_a_clear_error() {
    let app = TestApp::start();
    let second = estreat()
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(app.data())
        .output()
        .expect("a run");
    assert_eq!(second.status.code(), Some(1));
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(said.contains("in use by another estreat process"), "{said}");
}

#[test]
fn a_stop_closes_everything_and_ends_with_zero() {
    let mut app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"s"}"#);
    app.search("s");
    let keys = app.keys();
    assert_eq!(app.stop(), 0);
    let (code, output) = verify(&app.data(), &keys, &["--deep"]);
    assert_eq!(code, 0, "{output}");
    assert!(!output.contains("NOT COVERED"), "{output}");
}

#[test]
fn a_catalog_of_an_earlier_version_is_indexed_anew() {
    let mut app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"s"}"#);
    // An export closes the segment.
    let question = json!({"subject": "s", "purpose": "a request for access"});
    app.export(&question);
    assert_eq!(app.stop(), 0);
    app.edit_catalog("UPDATE postings SET list = zeroblob(16)");
    app.edit_catalog("DELETE FROM _sqlx_migrations WHERE version > 1");
    app.restart();
    app.wait_until("the entry is found again", || {
        app.search_in(Some("orders"), "s").len() == 1
    });
}

#[test]
fn a_damaged_catalog_says_how_to_mend_it() {
    let app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"s"}"#);
    let question = json!({"subject": "s", "purpose": "a request for access"});
    app.export(&question);
    app.edit_catalog("UPDATE postings SET list = x'80'");
    let answer = app.post(&app.auditor, "/api/v1/searches", &question);
    assert_eq!(answer.status, 503, "{}", answer.text());
    let said = answer.text();
    assert!(said.contains("delete the file"), "{said}");
}

#[test]
fn a_missing_or_foreign_kek_is_refused_and_nothing_is_made_anew() {
    let mut app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"s"}"#);
    app.stop();
    let kek = app.data().join("keys/kek");
    let kept = std::fs::read(&kek).expect("a KEK");
    let start = || {
        let run = estreat()
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(app.data())
            .output()
            .expect("a run");
        (
            run.status.code(),
            String::from_utf8_lossy(&run.stderr).into_owned(),
        )
    };
    std::fs::remove_file(&kek).expect("removed");
    let (code, said) = start();
    assert_eq!(code, Some(1));
    assert!(
        said.contains("is missing") && said.contains("--kek-file"),
        "{said}"
    );
    assert!(!kek.exists());
    let other = TestApp::start();
    std::fs::copy(other.data().join("keys/kek"), &kek).expect("another KEK");
    let (code, said) = start();
    assert_eq!(code, Some(1));
    assert!(said.contains("does not fit"), "{said}");
    std::fs::write(&kek, kept).expect("restored");
    app.restart();
    assert_eq!(app.search("s").len(), 1);
}

#[test]
fn the_kek_file_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let app = TestApp::start();
    for name in ["kek", "index-key", "signing-key"] {
        let mode = std::fs::metadata(app.data().join("keys").join(name))
            .expect("a key")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[test]
fn with_only_the_reserve_left_ingest_stops_and_audited_reads_go_on() {
    let mut app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"s"}"#);
    app.stop();
    // As if all that is free were the reserve.
    let mut reserved = TestApp::start_on(&app, &[("disk_reserve_bytes", "1000000000000000")]);
    let headers = [("Content-Type", "application/json")];
    reserved.wait_until("the reserve is seen", || {
        let path = "/api/v1/logs/orders/entries";
        reserved
            .send(
                "POST",
                &reserved.writer,
                path,
                &headers,
                br#"{"operation":"read"}"#,
            )
            .status
            == 503
    });
    assert_eq!(reserved.get("", "/readyz").status, 503);
    let spent = reserved.post(
        &reserved.auditor,
        "/api/v1/searches",
        &json!({"subject": "s", "purpose": "x"}),
    );
    // The reserve is far more than the disk has, so even auditing stops, and says why.
    assert_eq!(spent.status, 503, "{}", spent.text());
    assert!(spent.text().contains("disk"), "{}", spent.text());
    reserved.stop();
    let free = rustix_free(&app.data());
    let reserve = (free.saturating_mul(8)).to_string();
    let reserved = TestApp::start_on(&app, &[("disk_reserve_bytes", &reserve)]);
    assert_eq!(reserved.search("s").len(), 1);
    let path = "/api/v1/logs/orders/entries";
    assert_eq!(
        reserved
            .send(
                "POST",
                &reserved.writer,
                path,
                &headers,
                br#"{"operation":"read"}"#
            )
            .status,
        503
    );
}

/// Free bytes by `df`, since the tests ask the system and not the product.
fn rustix_free(folder: &std::path::Path) -> u64 {
    let output = std::process::Command::new("df")
        .args(["--output=avail", "-B1"])
        .arg(folder)
        .output()
        .expect("df");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .nth(1)
        .expect("a number")
        .trim()
        .parse()
        .expect("a number")
}

#[test]
fn an_unknown_setting_is_an_error_that_names_the_nearest() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("estreat.toml");
    std::fs::write(&file, "lissten = \"127.0.0.1:1\"\n").expect("written");
    let run = estreat()
        .args(["serve", "--config"])
        .arg(&file)
        .output()
        .expect("a run");
    assert_eq!(run.status.code(), Some(1));
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(said.contains("`listen`"), "{said}");
}

#[test]
fn plain_http_beyond_this_machine_needs_a_setting() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = estreat()
        .args(["serve", "--listen", "0.0.0.0:0", "--data"])
        .arg(folder.path())
        .output()
        .expect("a run");
    assert_eq!(run.status.code(), Some(1));
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(said.contains("allow_plain_http"), "{said}");
}

#[test]
fn every_reading_is_in_the_access_log_before_its_answer() {
    let app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"s"}"#);
    let entries = |app: &TestApp| {
        app.get(&app.auditor, "/api/v1/logs/_access").json()["entries"]
            .as_u64()
            .unwrap_or(0)
    };
    assert_eq!(entries(&app), 0);
    app.search("s");
    assert_eq!(entries(&app), 1);
    let answer = app.post(
        &app.auditor,
        "/api/v1/logs/orders/entries/0",
        &json!({"purpose": "x"}),
    );
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(entries(&app), 2);
    app.export(&json!({"subject": "s", "purpose": "x"}));
    assert_eq!(entries(&app), 4, "the export and its download");
    let without = app.post(
        &app.auditor,
        "/api/v1/searches",
        &json!({"subject": "s", "purpose": " "}),
    );
    assert_eq!(without.status, 422);
    let question = json!({"subject": "s", "purpose": "x", "logs": ["_access"]});
    let found = app.post(&app.auditor, "/api/v1/searches", &question).json();
    let operations: Vec<_> = found["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|entry| &entry["event"]["operation"])
        .collect();
    assert_eq!(
        operations,
        ["search", "read_entry", "export", "download", "search"]
    );
}

#[test]
fn reading_an_entry_is_recorded_under_everybody_whom_it_names() {
    let app = TestApp::start();
    let several = json!({"operation": "read", "data_subject": "a", "data_subjects": ["b", "c"]});
    let many: Vec<_> = (0..64)
        .map(|n| format!("{n}{}", "\"".repeat(250)))
        .collect();
    let many = json!({"operation": "read", "data_subjects": many});
    app.append("orders", &format!("{several}\n{many}"));
    for index in 0..2 {
        let path = format!("/api/v1/logs/orders/entries/{index}");
        let read = app.post(&app.auditor, &path, &json!({"purpose": "x"}));
        assert_eq!(read.status, 200, "{}", read.text());
    }
    let last = many["data_subjects"][63].as_str().expect("an id");
    for (subject, index) in [("a", 0), ("b", 0), ("c", 0), (last, 1)] {
        let seen = app.search_in(Some("_access"), subject);
        let seen: Vec<_> = seen.iter().map(|it| &it["event"]).collect();
        let read = seen.iter().filter(|it| it["operation"] == "read_entry");
        let read: Vec<_> = read.map(|it| &it["payload"]["entry"]).collect();
        assert_eq!(read, [&json!(index)], "{subject}: {seen:?}");
    }
}

#[test]
fn a_log_may_ask_for_a_case_number() {
    let app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"s"}"#);
    let settings = json!({"description": "orders", "require_case": true});
    let headers = [("Content-Type", "application/json")];
    let set = app.send(
        "PUT",
        &app.admin,
        "/api/v1/logs/orders",
        &headers,
        settings.to_string().as_bytes(),
    );
    assert_eq!(set.status, 200, "{}", set.text());
    // Again the same: nothing is switched.
    app.send(
        "PUT",
        &app.admin,
        "/api/v1/logs/orders",
        &headers,
        settings.to_string().as_bytes(),
    );
    let review = json!({"purpose": "a review", "operation": "set_require_case"});
    let acts = app.post(&app.auditor, "/api/v1/access/searches", &review);
    let acts = acts.json()["acts"].clone();
    assert_eq!(acts.as_array().expect("acts").len(), 1, "{acts}");
    assert_eq!(acts[0]["logs"], json!(["orders"]));
    let details = &acts[0]["details"];
    assert_eq!(
        (&details["old"], &details["new"]),
        (&json!(false), &json!(true))
    );
    let mut question = json!({"subject": "s", "purpose": "x"});
    assert_eq!(
        app.post(&app.auditor, "/api/v1/searches", &question).status,
        422
    );
    question["case"] = "2026-1".into();
    assert_eq!(
        app.post(&app.auditor, "/api/v1/searches", &question).status,
        200
    );
}

#[test]
fn idempotency_keys_are_kept_apart_by_body_token_and_log() {
    let app = TestApp::start();
    let headers = [
        ("Content-Type", "application/json"),
        ("Idempotency-Key", "k"),
    ];
    let send = |token: &str, log: &str, body: &[u8]| {
        app.send(
            "POST",
            token,
            &format!("/api/v1/logs/{log}/entries"),
            &headers,
            body,
        )
    };
    let body = br#"{"operation":"read"}"#;
    let first = send(&app.writer, "orders", body);
    assert_eq!(first.status, 201);
    let again = send(&app.writer, "orders", body);
    assert_eq!((again.status, again.text()), (201, first.text()));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(
        send(&app.writer, "orders", br#"{"operation":"write"}"#).status,
        409
    );
    assert_eq!(
        send(&app.token("writer", &[]), "orders", body).json()["first_entry"],
        1
    );
    assert_eq!(send(&app.writer, "others", body).json()["first_entry"], 0);
}

#[test]
fn every_refusal_is_a_problem_document() {
    let app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"s"}"#);
    let json = [("Content-Type", "application/json")];
    let refusals = [
        app.get(&app.auditor, "/api/v1/logs/orders/segments?limit=x"),
        app.get(&app.auditor, "/api/v1/logs/orders/segments?nonsense=1"),
        app.get(&app.auditor, "/api/v1/logs/%FF"),
        app.get(&app.auditor, "/api/v1/nothing"),
        app.get("", "/api/v1/logs"),
        app.send("PATCH", &app.auditor, "/api/v1/logs", &json, b""),
        app.send("POST", &app.auditor, "/api/v1/searches", &json, b"{"),
        app.send(
            "POST",
            &app.auditor,
            "/api/v1/searches",
            &json,
            br#"{"subject":1}"#,
        ),
        app.send(
            "POST",
            &app.auditor,
            "/api/v1/searches",
            &[("Content-Type", "text/xml")],
            b"",
        ),
        app.send(
            "POST",
            &app.auditor,
            "/api/v1/searches",
            &json,
            &vec![b' '; 100_000],
        ),
        app.send(
            "POST",
            &app.writer,
            "/api/v1/logs/Orders/entries",
            &json,
            b"{}",
        ),
    ];
    for refusal in refusals {
        assert!(
            (400..500).contains(&refusal.status),
            "{} {}",
            refusal.status,
            refusal.text()
        );
        assert_eq!(
            refusal.header("content-type"),
            Some("application/problem+json"),
            "{}",
            refusal.text()
        );
        assert!(
            refusal.json()["type"]
                .as_str()
                .is_some_and(|kind| kind.starts_with("urn:estreat:problem:"))
        );
    }
}

#[test]
fn lists_page_to_their_end() {
    let app = TestApp::start();
    for log in ["a", "b", "c", "d", "e"] {
        app.append(log, r#"{"operation":"read"}"#);
    }
    let mut seen = Vec::new();
    let mut path = "/api/v1/logs?limit=2".to_owned();
    loop {
        let page = app.get(&app.auditor, &path).json();
        let logs = page["logs"].as_array().expect("logs");
        assert!(logs.len() <= 2);
        seen.extend(
            logs.iter()
                .map(|log| log["log"].as_str().expect("a name").to_owned()),
        );
        let Some(cursor) = page["cursor"].as_str() else {
            break;
        };
        path = format!(
            "/api/v1/logs?limit=2&cursor={}",
            cursor.replace('+', "%2B").replace('=', "%3D")
        );
    }
    assert_eq!(seen, ["a", "b", "c", "d", "e"]);
    assert_eq!(
        app.get(&app.admin, "/api/v1/tokens").json()["tokens"]
            .as_array()
            .map(Vec::len),
        Some(3)
    );
    for bad in ["limit=0", "limit=1001", "cursor=garbage"] {
        assert_eq!(
            app.get(&app.auditor, &format!("/api/v1/logs?{bad}")).status,
            422,
            "{bad}"
        );
        assert_eq!(
            app.get(&app.auditor, &format!("/api/v1/exports?{bad}"))
                .status,
            422,
            "{bad}"
        );
    }
}
