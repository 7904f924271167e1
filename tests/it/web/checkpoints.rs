//! Checkpoints: which are kept, how they are listed, and that an old one tells whether its log is
//! still the one that it was.

use std::path::Path;

use estreat::checkpoint::{Checkpoint, Note, SigningKey};
use estreat::digest::Digest;
use estreat::ids::LogName;
use estreat::limits::{CHECKPOINT_DAYS, CHECKPOINT_HOURS, NUMBERS_END};
use estreat::state::{CheckpointQuery, Kept, State, StoredCheckpoint};
use estreat::time::Timestamp;
use serde_json::{Value, json};

use super::browser::{Browser, between};
use super::pages::check_page;
use crate::support::app::TestApp;

const EVENT: &str = r#"{"operation":"read","data_subject":"u"}"#;
const LIST: &str = "/api/v1/logs/orders/checkpoints";
const CHECK: &str = "/api/v1/logs/orders/checkpoints/check";

/// Appends, and gives the checkpoint that covers it: whoever asks for one of all links has it signed.
fn grow(app: &TestApp) -> Value {
    let link = app.append("orders", EVENT)["link"]["number"].clone();
    let size = link.as_u64().expect("a number") + 1;
    let checked = check(app, &json!({"size": size}));
    assert_eq!(checked["verdict"], "VERIFIED", "{checked}");
    checked["newest"].clone()
}

fn list(app: &TestApp, query: &str) -> Value {
    let page = app.get(&app.auditor, &format!("{LIST}{query}"));
    assert_eq!(page.status, 200, "{}", page.text());
    page.json()
}

/// Size and reason of each checkpoint of a page.
fn kept(page: &Value) -> Vec<(u64, String)> {
    let rows = page["checkpoints"].as_array().expect("rows").iter();
    rows.map(|it| {
        let kept = it["kept"].as_str().expect("a word").to_owned();
        (it["size"].as_u64().expect("a size"), kept)
    })
    .collect()
}

fn check(app: &TestApp, request: &Value) -> Value {
    let checked = app.post(&app.auditor, CHECK, request);
    assert_eq!(checked.status, 200, "{}", checked.text());
    checked.json()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(std::fs::copy(entry.path(), to).expect("a copy")),
        }
    }
}

#[test]
fn the_last_of_each_hour_and_day_are_kept_and_every_one_of_them_can_be_compared() {
    let mut app = TestApp::start();
    grow(&app);
    app.edit_state("UPDATE checkpoints SET signed_at = 1777887000000000"); // 2026-05-04 09:30
    grow(&app);
    app.edit_state("UPDATE checkpoints SET signed_at = 1777890600000000"); // an hour later
    grow(&app);
    grow(&app);
    // The one of three links was of the same hour as that of four.
    let page = list(&app, "");
    let words = |all: &[(u64, &str)]| -> Vec<(u64, String)> {
        all.iter()
            .map(|(size, word)| (*size, (*word).to_owned()))
            .collect()
    };
    assert_eq!(kept(&page), words(&[(4, "newest"), (2, "day"), (1, "day")]));
    app.edit_state(
        "UPDATE past_checkpoints SET signed_at = 1777887000000000, kept = 0 WHERE size = 1",
    );

    // Pages stay what they are while the log grows.
    let first = list(&app, "?limit=2");
    assert_eq!(kept(&first), words(&[(4, "newest"), (2, "day")]));
    grow(&app);
    let cursor = first["cursor"].as_str().expect("a further page");
    let rest = list(&app, &format!("?cursor={cursor}"));
    assert_eq!(kept(&rest), words(&[(1, "hour")]));
    assert!(rest["cursor"].is_null());
    let range = "?from=2026-05-04T10:00:00Z&to=2026-05-04T11:00:00Z";
    assert_eq!(kept(&list(&app, range)), words(&[(2, "day")]));
    for wrong in [
        "?cursor=x",
        "?from=x",
        "?limit=0",
        "?from=2026-05-04T10:00:00Z&to=2026-05-04T10:00:00Z",
    ] {
        assert_eq!(
            app.get(&app.auditor, &format!("{LIST}{wrong}")).status,
            422,
            "{wrong}"
        );
    }

    // Links of the active segment, and then of closed ones.
    for closed in [false, true] {
        for (size, _) in kept(&list(&app, "")) {
            let checked = check(&app, &json!({"size": size}));
            assert_eq!(checked["verdict"], "VERIFIED", "{closed} {size}: {checked}");
            let steps = checked["steps"].as_array().expect("steps");
            assert!(
                steps.iter().all(|step| step["verdict"] == "holds"),
                "{checked}"
            );
        }
        assert_eq!(app.stop(), 0, "a stop closes the segment");
        app.restart();
        app.append("orders", EVENT);
        app.wait_until("the catalog", || {
            let segments = app.get(&app.auditor, "/api/v1/logs/orders/segments").json();
            segments["segments"]
                .as_array()
                .is_some_and(|all| !all.is_empty())
        });
    }
    let looked = app.post(
        &app.auditor,
        "/api/v1/access/searches",
        &json!({"purpose": "x", "operation": "check_checkpoint"}),
    );
    assert!(
        looked.text().contains("check_checkpoint"),
        "{}",
        looked.text()
    );
    assert_eq!(
        app.post(&app.auditor, CHECK, &json!({"size": 3})).status,
        404
    );
}

#[test]
fn an_export_keeps_its_checkpoint_for_ever() {
    let app = TestApp::start();
    grow(&app);
    app.export(&json!({"subject": "u", "purpose": "x"}));
    let exported = app.get(&app.auditor, "/api/v1/logs/orders").json()["checkpoint"].clone();
    grow(&app);
    grow(&app);
    let page = list(&app, "");
    let size = exported["size"].as_u64().expect("a size");
    assert!(kept(&page).contains(&(size, "export".to_owned())), "{page}");
    assert_eq!(page["checkpoints"][1]["note"], exported["note"]);
}

#[test]
fn a_log_that_is_another_one_than_it_was_is_told_by_the_note_that_somebody_holds() {
    let mut app = TestApp::start();
    grow(&app);
    assert_eq!(app.stop(), 0);
    let backup = tempfile::tempdir().expect("a folder");
    copy(&app.data(), backup.path());
    app.restart();
    grow(&app);
    let held = grow(&app);
    assert_eq!(
        check(&app, &json!({"note": held["note"]}))["verdict"],
        "VERIFIED"
    );
    assert_eq!(app.stop(), 0);
    // An old copy is put in place of the log and of state.db.
    for folder in ["logs", "keys"] {
        std::fs::remove_dir_all(app.data().join(folder)).expect("removed");
    }
    for file in ["state.db", "catalog.db"] {
        std::fs::remove_file(app.data().join(file)).expect("removed");
    }
    copy(backup.path(), &app.data());
    app.restart();
    let short = check(&app, &json!({"note": held["note"]}));
    assert_eq!(short["verdict"], "TRUNCATED", "{short}");
    // It grows again, otherwise than it had.
    for _ in 0..3 {
        app.append("orders", r#"{"operation":"delete","data_subject":"v"}"#);
    }
    let other = check(&app, &json!({"note": held["note"]}));
    assert_eq!(other["verdict"], "ALTERED", "{other}");
    assert_eq!(other["steps"][0]["verdict"], "holds", "its signature");
    assert_eq!(other["steps"][1]["verdict"], "fails", "its root");
    assert_eq!(other["steps"][2]["verdict"], "holds", "the log by itself");

    let mut browser = Browser::signed_in(&app, &app.auditor);
    let note = held["note"].as_str().expect("a note");
    // As a form sends it.
    let sent = note.trim_end().replace('\n', "\r\n");
    let page = browser.post("/logs/orders/checkpoints", &[("note", &sent)]);
    check_page(&page);
    assert_eq!(page.status, 200);
    assert!(
        page.html.contains("ALTERED: it is not part of this log"),
        "{}",
        page.html
    );
}

#[test]
fn a_note_that_was_changed_or_is_of_another_log_says_nothing_about_this_one() {
    let app = TestApp::start();
    let held = grow(&app);
    let note = held["note"].as_str().expect("a note");
    // The signature is of one link.
    let longer = note.replacen("\n1\n", "\n999\n", 1);
    let forged = check(&app, &json!({"note": longer}));
    assert_eq!(forged["verdict"], "ALTERED", "{forged}");
    assert_eq!(forged["steps"][0]["verdict"], "fails");
    app.append("hr", EVENT);
    for (request, status) in [
        (json!({}), 422),
        (json!({"size": 1, "note": note}), 422),
        (json!({"note": "no note"}), 422),
        (json!({"note": note, "more": 1}), 422),
        (json!({"size": 7}), 404),
    ] {
        let answer = app.post(&app.auditor, CHECK, &request);
        assert_eq!(answer.status, status, "{request}: {}", answer.text());
    }
    let other = app.post(
        &app.auditor,
        "/api/v1/logs/hr/checkpoints/check",
        &json!({"note": note}),
    );
    assert_eq!(other.status, 422, "{}", other.text());
    let hr = app.token("auditor", &["hr"]);
    assert_eq!(app.get(&hr, LIST).status, 403);
    assert_eq!(app.post(&hr, CHECK, &json!({"size": 1})).status, 403);
}

#[test]
fn a_note_by_another_key_accuses_nobody() {
    let app = TestApp::start();
    let held = grow(&app);
    let note = held["note"].as_str().expect("a note");
    let parsed = Note::parse(note.as_bytes()).expect("a note");
    let same = Checkpoint::of_note(&parsed).expect("a checkpoint");
    let other_root = Checkpoint {
        root: Digest::ZERO,
        ..same.clone()
    };
    let longer = Checkpoint {
        size: 999,
        ..same.clone()
    };
    let stranger = SigningKey::from_seed(&[7; 32]);
    for (checkpoint, prefix) in [(&same, "holds"), (&other_root, "fails"), (&longer, "fails")] {
        let checked = check(&app, &json!({"note": checkpoint.sign(&stranger)}));
        assert_eq!(checked["verdict"], "UNKNOWN KEY", "{checked}");
        let steps = &checked["steps"];
        assert_eq!(steps[0]["verdict"], "fails", "{checked}");
        assert_eq!(steps[0]["found"], "this key has not signed it");
        assert_eq!(steps[1]["verdict"], prefix, "{checked}");
    }
    // A further signature takes nothing from the log's own.
    let theirs = same.sign(&stranger);
    let line = theirs.lines().last().expect("a signature");
    let both = check(&app, &json!({"note": format!("{note}{line}\n")}));
    assert_eq!(both["verdict"], "VERIFIED", "{both}");

    let mut browser = Browser::signed_in(&app, &app.auditor);
    let sent = other_root.sign(&stranger);
    for (language, says) in [
        ("en", "UNKNOWN KEY: this log’s key has not signed it"),
        (
            "de",
            "UNKNOWN KEY (Schlüssel unbekannt): Der Schlüssel dieses Logs",
        ),
    ] {
        let language = ("Accept-Language".into(), language.into());
        browser.headers = vec![language];
        let page = browser.post("/logs/orders/checkpoints", &[("note", &sent)]);
        check_page(&page);
        assert!(page.html.contains(says), "{}", page.html);
    }
}

#[test]
fn a_checkpoint_is_compared_with_what_is_on_the_disk() {
    let mut app = TestApp::start();
    let held = grow(&app);
    assert_eq!(app.stop(), 0);
    app.restart();
    app.wait_until("the catalog", || {
        let segments = app.get(&app.auditor, "/api/v1/logs/orders/segments").json();
        segments["segments"]
            .as_array()
            .is_some_and(|all| all.len() == 1)
    });
    let note = json!({"note": held["note"]});
    app.edit_catalog("UPDATE tiles SET hashes = zeroblob(length(hashes)) WHERE log = 'orders'");
    assert_eq!(check(&app, &note)["verdict"], "VERIFIED");

    // A byte of the first link, behind the frame's head: the catalog would not know of it.
    let file = app
        .data()
        .join("logs/orders/segments/00000000000000000000.seg");
    let mut bytes = std::fs::read(&file).expect("the segment");
    let link = bytes.windows(4).position(|four| four == b"LINK");
    bytes[link.expect("a frame") + 10 + 40] ^= 1;
    std::fs::write(&file, bytes).expect("written");
    assert_eq!(check(&app, &note)["verdict"], "ALTERED");
}

#[test]
fn the_page_lists_compares_and_hands_out() {
    let app = TestApp::start();
    let held = grow(&app);
    app.edit_state("UPDATE checkpoints SET signed_at = 1777887000000000");
    grow(&app);
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let log = browser.get("/logs/orders");
    assert!(log.html.contains("href=\"/logs/orders/checkpoints\""));
    let page = browser.get("/logs/orders/checkpoints");
    check_page(&page);
    let root = held["root"].as_str().expect("a root");
    for said in [
        root,
        "2026-05-04 <span class=\"whole\">09:30:00.000000</span> UTC",
        "the last of a day",
        "by this log’s key",
        "1,008 hours",
    ] {
        assert!(page.html.contains(said), "{said}: {}", page.html);
    }
    let none = browser.get("/logs/orders/checkpoints?from=2026-05-05&to=2026-05-06");
    assert!(none.html.contains("None in this time"), "{}", none.html);
    let day = browser.get("/logs/orders/checkpoints?from=2026-05-04&to=2026-05-04");
    assert!(day.html.contains(root) && !day.html.contains("the newest</td>"));
    let wrong = browser.get("/logs/orders/checkpoints?from=4.5.2026");
    assert_eq!(wrong.status, 422);
    assert!(wrong.html.contains("href=\"#from\""), "{}", wrong.html);
    let file = browser.get("/logs/orders/checkpoints/1");
    assert_eq!(file.html, held["note"].as_str().expect("a note"));
    let name = file.header("content-disposition");
    assert_eq!(
        name,
        Some("attachment; filename=\"orders.1.checkpoint.txt\"")
    );
    assert_eq!(browser.get("/logs/orders/checkpoints/7").status, 404);
    // The button of a row sends what it shows.
    let note = between(&page.html, "name=\"note\" value=\"", "\"").expect("a button");
    assert!(note.contains("/orders\n2\n"), "{note}");
    grow(&app);
    let same = browser.post("/logs/orders/checkpoints", &[("note", note)]);
    check_page(&same);
    assert!(
        same.html.contains("VERIFIED: it is still part of this log"),
        "{}",
        same.html
    );
    let wrong = browser.post("/logs/orders/checkpoints", &[("note", "nothing")]);
    check_page(&wrong);
    assert_eq!(wrong.status, 422);
    assert!(wrong.html.contains("id=\"note-error\"") && wrong.html.contains(">nothing</textarea>"));
    let admin = Browser::signed_in(&app, &app.admin).get("/logs/orders/checkpoints");
    assert!(admin.html.contains(root) && !admin.html.contains("<textarea"));
}

#[tokio::test]
async fn what_is_kept_is_bounded_and_loses_neither_the_newest_nor_an_exports() {
    const HOUR: i64 = 3_600_000_000;
    let folder = tempfile::tempdir().expect("a folder");
    let state = State::open(&folder.path().join("state.db"))
        .await
        .expect("state.db");
    let log = LogName::new("orders").expect("a name");
    let signed = |size: u64| StoredCheckpoint {
        size,
        root: Digest::ZERO,
        note: format!("{size}"),
        signed_at: Timestamp(size as i64 * HOUR),
    };
    let exported = signed(2);
    let total = u64::from(CHECKPOINT_HOURS) + 3 * 24;
    for size in 1..=total {
        state
            .swap_checkpoint(&log, &signed(size))
            .await
            .expect("kept");
        if size == exported.size {
            state.keep_for_export(&log, &exported).await.expect("kept");
        }
    }
    let all = CheckpointQuery {
        from: Timestamp(i64::MIN),
        to: Timestamp(i64::MAX),
        below: NUMBERS_END,
        limit: 10_000,
    };
    let rows = state.checkpoints(&log, all).await.expect("rows");
    let of = |kept: Kept| rows.iter().filter(|(_, it)| *it == kept).count();
    assert_eq!(rows[0], (signed(total), Kept::Newest));
    assert_eq!(of(Kept::Hour), CHECKPOINT_HOURS as usize);
    assert_eq!(of(Kept::Day) as u64, total / 24);
    assert_eq!(rows.last(), Some(&(exported, Kept::Export)));
    assert!(of(Kept::Day) < CHECKPOINT_DAYS as usize);
    state.close().await;
}
