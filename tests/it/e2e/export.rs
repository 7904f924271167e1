//! Exports: they verify, they find everything, they survive, and nothing of them lies open.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::app::{TestApp, estreat, verify};

/// The Python that has the package the independent verifier needs; none: the test says so.
pub fn python() -> Option<String> {
    let python = std::env::var("ESTREAT_PYTHON").ok();
    if python.is_none() {
        eprintln!(
            "ESTREAT_PYTHON is not set: bundles are not checked by the independent script here"
        );
    }
    python
}

/// The program and the independent script both say VERIFIED.
pub fn verifies(bundle: &[u8], keys: &[String]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bundle.zip");
    std::fs::write(&path, bundle).expect("written");
    let (code, output) = verify(&path, keys, &[]);
    assert_eq!(code, 0, "{output}");
    assert!(output.contains("VERIFIED"), "{output}");
    let Some(python) = python() else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify_bundle.py");
    let mut command = Command::new(python);
    command.arg(script).arg(&path);
    keys.iter().for_each(|key| {
        command.args(["--key", key]);
    });
    let output = command.output().expect("a run");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn export_question(subject: &str) -> Value {
    json!({"subject": subject, "purpose": "a request for access"})
}

#[test]
fn look_alike_subjects_never_mix() {
    let app = TestApp::start();
    let subjects = [
        "alice",
        "alice_smith",
        "Alice",
        "\u{e9}",
        "e\u{301}",
        " alice",
        "alice ",
    ];
    for (n, subject) in subjects.iter().enumerate() {
        for _ in 0..=n {
            app.append(
                "people",
                &json!({"operation": "read", "data_subject": subject}).to_string(),
            );
        }
    }
    for (n, subject) in subjects.iter().enumerate() {
        assert_eq!(app.search(subject).len(), n + 1, "{subject:?}");
        let (view, bundle) = app.export(&export_question(subject));
        assert_eq!(view["outcome"]["entries"], n + 1, "{view}");
        verifies(&bundle, &app.keys());
    }
    let (view, bundle) = app.export(&export_question("nobody"));
    assert_eq!(
        view["outcome"]["summary"],
        "VERIFIED: 0 entries name exactly nobody"
    );
    verifies(&bundle, &app.keys());
}

#[test]
fn a_deleted_catalog_is_rebuilt_to_the_same_answers() {
    let mut app = TestApp::start_with(&[("roll_bytes", "4096")]);
    for n in 0..200 {
        app.append(
            "orders",
            &json!({"operation": "read", "data_subject": format!("s{}", n % 3), "payload": n})
                .to_string(),
        );
    }
    let (_, before) = app.export(&export_question("s1"));
    app.stop();
    for file in ["catalog.db", "catalog.db-wal", "catalog.db-shm"] {
        let _ = std::fs::remove_file(app.data().join(file));
    }
    app.restart();
    let (_, after) = app.export(&export_question("s1"));
    for file in ["entries.ndjson", "checkpoint.txt"] {
        let name = format!("logs/orders/{file}");
        assert_eq!(member(&before, &name), member(&after, &name), "{name}");
    }
    let parts = |bundle: &[u8]| {
        let proof: Value =
            serde_json::from_slice(&member(bundle, "logs/orders/proof.json")).expect("JSON");
        ["links", "tree", "batches", "segments", "tag_proof"].map(|part| proof[part].clone())
    };
    assert_eq!(parts(&before), parts(&after));
    verifies(&after, &app.keys());
}

#[test]
fn an_export_covers_a_range_and_several_logs() {
    let app = TestApp::start();
    for day in 1..=9 {
        let event = json!({"operation": "read", "data_subject": "s", "time": format!("2026-05-0{day}T12:00:00Z")});
        app.append(
            if day % 2 == 0 { "even" } else { "odd" },
            &event.to_string(),
        );
    }
    let mut question = export_question("s");
    question["from"] = "2026-05-03T00:00:00Z".into();
    question["to"] = "2026-05-06T02:00:00+02:00".into();
    let (view, bundle) = app.export(&question);
    assert_eq!(view["outcome"]["entries"], 3, "{view}");
    verifies(&bundle, &app.keys());
    question["logs"] = json!(["odd"]);
    let (view, bundle) = app.export(&question);
    assert_eq!(view["outcome"]["entries"], 2, "{view}");
    verifies(&bundle, &app.keys());
}

#[test]
fn the_persons_copy_withholds_what_names_others() {
    let app = TestApp::start();
    app.append("crm", r#"{"operation":"read","data_subject":"s"}{"operation":"read","data_subjects":["s","other person"],"actor":"clerk 4","actor_role":"support","payload":"secret"}"#);
    let mut question = export_question("s");
    question["audience"] = "subject".into();
    let (view, bundle) = app.export(&question);
    assert_eq!(view["outcome"]["withheld"], 1, "{view}");
    verifies(&bundle, &app.keys());
    for file in [
        "logs/crm/entries.ndjson",
        "masked.ndjson",
        "report.html",
        "entries.csv",
    ] {
        let text = String::from_utf8(member(&bundle, file)).expect("text");
        for word in ["other person", "clerk 4", "secret"] {
            assert!(!text.contains(word), "{file} holds {word}");
        }
    }
    let masked: Value = serde_json::from_slice(&member(&bundle, "masked.ndjson")).expect("JSON");
    assert_eq!(masked["actor_role"], "support");
}

#[test]
fn whoever_decided_to_withhold_is_named() {
    let app = TestApp::start();
    app.append("crm", r#"{"operation":"read","data_subject":"s"}"#);
    for nobody in ["", " "] {
        let mut question = export_question("s");
        question["withhold"] =
            json!([{"log": "crm", "entry": 0, "ground": "gdpr-23", "decided_by": nobody}]);
        let refused = app.post(&app.auditor, "/api/v1/exports", &question);
        assert_eq!(refused.status, 422, "{nobody:?}: {}", refused.text());
        assert!(
            refused.text().contains("who decided is empty"),
            "{}",
            refused.text()
        );
    }
}

#[test]
fn quarantined_and_unnamed_entries_are_counted() {
    let app = TestApp::start();
    app.append(
        "crm",
        r#"{"operation":"login"}{"operation":"read","data_subject":"s"}"#,
    );
    let body =
        b"{\"operation\":\"read\"}\nnot json\n{\"operation\":\"read\",\"data_subject\":\"s\"}\n";
    let path = "/api/v1/logs/crm/entries?invalid=quarantine";
    let answer = app.send(
        "POST",
        &app.writer,
        path,
        &[("Content-Type", "application/x-ndjson")],
        body,
    );
    assert_eq!(answer.status, 201, "{}", answer.text());
    assert_eq!(answer.json()["quarantined"][0]["line"], 2);
    let (view, bundle) = app.export(&export_question("s"));
    assert_eq!(view["outcome"]["entries"], 2);
    let report = String::from_utf8(member(&bundle, "report.html")).expect("text");
    let row = report.split("<tbody>").nth(1).expect("the coverage table");
    assert!(
        row.contains(r#"<td class="n">3</td><td class="n">1</td>"#),
        "{row}"
    );
}

#[test]
fn an_unfinished_export_begins_again_after_a_restart() {
    let mut app = TestApp::start();
    let lines: String = (0..20_000)
        .map(|n| format!("{{\"operation\":\"read\",\"data_subject\":\"s\",\"payload\":{n}}}\n"))
        .collect();
    app.append("orders", &lines);
    let answer = app.post(&app.auditor, "/api/v1/exports", &export_question("s"));
    let id = answer.json()["id"].as_str().expect("an id").to_owned();
    app.kill();
    app.restart();
    let view = app.wait_for_export(&id);
    assert_eq!(view["outcome"]["entries"], 20_000, "{view}");
}

#[test]
fn no_file_of_the_server_holds_a_subject_in_the_clear() {
    let mut app = TestApp::start();
    let subject = "planted-subject-7f3a";
    let purpose = "planted-purpose-91bc";
    app.append(
        "orders",
        &json!({"operation": "read", "data_subject": subject, "payload": subject}).to_string(),
    );
    app.search(subject);
    let (_, bundle) =
        app.export(&json!({"subject": subject, "purpose": purpose, "case": "planted-case-55"}));
    assert!(!bundle.is_empty());
    app.stop();
    let mut files = 0;
    for file in files_below(&app.data()) {
        let bytes = std::fs::read(&file).expect("a file");
        for word in [
            subject,
            purpose,
            "planted-case-55",
            &app.auditor,
            &app.writer,
        ] {
            let found = bytes
                .windows(word.len())
                .any(|window| window == word.as_bytes());
            assert!(!found, "{} holds {word}", file.display());
        }
        files += 1;
    }
    assert!(files > 8, "only {files} files were looked at");
    let stderr = app.stderr.lock().expect("no panic");
    assert!(!stderr.contains("planted"), "{stderr}");
}

fn files_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}

/// A file of a bundle.
pub fn member(bundle: &[u8], name: &str) -> Vec<u8> {
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bundle)).expect("a zip");
    let mut file = zip
        .by_name(name)
        .unwrap_or_else(|_| panic!("{name} is in the bundle"));
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut file, &mut bytes).expect("read");
    bytes
}

#[test]
fn the_command_writes_a_bundle_for_its_owner_alone_and_its_exit_code_is_the_verdicts() {
    let mut app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"u"}"#);
    let folder = tempfile::tempdir().expect("a folder");
    let (url, token) = (app.url.clone(), app.auditor.clone());
    let run = |arguments: &[&str], path: &Path| {
        let mut command = estreat();
        command.args(["export", "--subject", "u", "--purpose", "x"]);
        command.env("ESTREAT_TOKEN", &token);
        command.args(arguments).arg("-o").arg(path);
        let output = command.output().expect("a run");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let mode = |path: &Path| {
        let file = std::fs::metadata(path).expect("a bundle");
        std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o777
    };
    let bundle = folder.path().join("u.zip");
    // What stood there before gives its mode to nobody.
    std::fs::write(&bundle, "an older one").expect("written");
    let server = ["--url", &url];
    let (code, said) = run(&server, &bundle);
    assert_eq!((code, mode(&bundle)), (Some(0), 0o600), "{said}");
    verifies(&std::fs::read(&bundle).expect("read"), &app.keys());

    let nowhere = folder.path().join("none").join("u.zip");
    let (code, said) = run(&server, &nowhere);
    assert_eq!(code, Some(1), "{said}");
    // A folder cannot be replaced by the bundle: it was whole beside it, and must not stay.
    let taken = folder.path().join("taken");
    std::fs::create_dir(&taken).expect("a folder");
    std::fs::write(taken.join("file"), "").expect("written");
    let (code, said) = run(&server, &taken);
    assert_eq!(code, Some(1), "{said}");
    assert!(!folder.path().join("taken.part").exists());

    assert_eq!(app.stop(), 0);
    let data = app.data();
    let data = ["--data", data.to_str().expect("a path")];
    assert_eq!(run(&data, &taken).0, Some(1));
    crate::web::findings::change_a_byte(&app, "orders");
    let (code, said) = run(&data, &bundle);
    assert_eq!((code, mode(&bundle)), (Some(3), 0o600), "{said}");
    // Both callers have ended, the one that could write and the one that could not.
    let mut list = estreat();
    let listed = list.args(["token", "list", "--json"]).args(data).output();
    let listed = String::from_utf8(listed.expect("a run").stdout).expect("text");
    let of_command = listed.split("estreat export --data").skip(1);
    let of_command: Vec<_> = of_command.map(|rest| rest.contains("revoked_at")).collect();
    assert_eq!(of_command, [true, true], "{listed}");
}

#[test]
fn an_export_that_failed_leaves_no_files() {
    let mut app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"u"}"#);
    assert_eq!(app.stop(), 0);
    let segments = app.data().join("logs/orders/segments");
    std::fs::remove_file(segments.join("00000000000000000000.seg")).expect("a segment");
    app.restart();
    let question = json!({"subject": "u", "purpose": "x", "logs": ["orders"]});
    let answer = app.post(&app.auditor, "/api/v1/exports", &question);
    assert_eq!(answer.status, 202, "{}", answer.text());
    let id = answer.json()["id"].as_str().expect("an id").to_owned();
    app.wait_until("the export to fail", || {
        let view = app.get(&app.auditor, &format!("/api/v1/exports/{id}"));
        view.json()["status"] == "failed"
    });
    assert!(!app.data().join("exports").join(&id).exists());
}

#[test]
fn an_export_that_lacks_a_log_is_not_verified() {
    let mut app = TestApp::start();
    for log in ["orders", "hr"] {
        app.append(log, r#"{"operation":"read","data_subject":"u"}"#);
    }
    assert_eq!(app.stop(), 0);
    // Without the catalog every segment is read at the start, and this log refuses.
    let file = app.data().join("logs/hr/segments/00000000000000000000.seg");
    let mut bytes = std::fs::read(&file).expect("the segment");
    let link = bytes.windows(4).position(|four| four == b"LINK");
    bytes[link.expect("a frame") + 10 + 40] ^= 1;
    std::fs::write(&file, bytes).expect("written");
    for name in ["catalog.db", "catalog.db-wal", "catalog.db-shm"] {
        let _ = std::fs::remove_file(app.data().join(name));
    }
    app.restart();
    let (export, bundle) = app.export(&export_question("u"));
    let outcome = &export["outcome"];
    assert_eq!(outcome["verdict"], "MISSING", "{outcome:#}");
    assert_eq!(outcome["summary"], "MISSING: 1 finding");
    let finding = outcome["findings"][0].as_str().expect("a finding");
    assert!(finding.starts_with("log hr is left out"), "{finding}");
    // What is in it is sound, and its question says for which logs it answers.
    verifies(&bundle, &app.keys());
}

#[test]
fn a_catalog_that_lacks_a_batch_ends_no_export() {
    let app = TestApp::start();
    for _ in 0..3 {
        app.append("orders", r#"{"operation":"read","data_subject":"u"}"#);
    }
    let (export, _) = app.export(&export_question("u"));
    assert_eq!(export["outcome"]["verdict"], "VERIFIED");
    app.edit_catalog("DELETE FROM batches WHERE first_entry = 1");
    let (export, _) = app.export(&export_question("u"));
    let outcome = &export["outcome"];
    assert_eq!(outcome["verdict"], "MISSING", "{outcome:#}");
    let findings = outcome["findings"].to_string();
    assert!(
        findings.contains("entry 1 is not in the batch"),
        "{findings}"
    );
}
