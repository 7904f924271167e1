//! `estreat verify` and `estreat inspect` as people and scripts run them.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use estreat::checkpoint::SigningKey;

use super::files::Files;
use super::vectors::{data_folder, verify};
use crate::vectors::{json, list, path, text};

fn run(arguments: &[&str], target: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estreat"));
    command.args(arguments).arg(target);
    command.env_remove("ESTREAT_KEK_FILE").output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn vkey() -> String {
    text(&json("log/expect.json")["vkey"]).to_owned()
}

/// Every file under a folder with its content and time of change.
fn snapshot(folder: &Path) -> Vec<(String, Vec<u8>, std::time::SystemTime)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let metadata = entry.metadata().unwrap();
        let name = entry.path().display().to_string();
        if metadata.is_dir() {
            files.push((name, Vec::new(), metadata.modified().unwrap()));
            files.extend(snapshot(&entry.path()));
        } else {
            let content = std::fs::read(entry.path()).unwrap();
            files.push((name, content, metadata.modified().unwrap()));
        }
    }
    files.sort();
    files
}

#[test]
fn nothing_is_written() {
    for folder in ["log", "damaged/torn_tail", "damaged/link_byte"] {
        let folder = data_folder(&Files::read(&path(folder)));
        let before = snapshot(folder.path());
        verify(folder.path(), &["--deep"]);
        verify(&folder.path().join("logs/orders"), &["--deep"]);
        assert_eq!(snapshot(folder.path()), before);
    }
}

#[test]
fn a_folder_is_trusted_only_as_far_as_is_said() {
    let folder = data_folder(&Files::read(&path("log")));
    let (exit, answer) = verify(folder.path(), &[]);
    assert_eq!((exit, &answer["verdict"]), (0, &"VERIFIED".into()));
    assert_eq!(
        answer["summary"],
        "VERIFIED: 12 entries of 1 log, under checkpoints"
    );
    assert!(text(&answer["notes"][0]).contains("own word"));
    let (exit, answer) = verify(folder.path(), &["--deep"]);
    assert_eq!((exit, list(&answer["notes"]).len()), (0, 1));
    assert!(text(&answer["notes"][0]).contains("own signing key"));
    let (exit, answer) = verify(folder.path(), &["--deep", "--key", &vkey()]);
    assert_eq!((exit, list(&answer["notes"]).len()), (0, 0));

    // A key of a log that is not there, and one that is another's.
    let other = SigningKey::from_seed(&[1; 32]);
    let gone = other.verifier("log.example/gone").unwrap().to_string();
    let (exit, answer) = verify(folder.path(), &["--key", &vkey(), "--key", &gone]);
    assert_eq!((exit, &answer["verdict"]), (3, &"MISSING".into()));
    assert_eq!(answer["findings"][0]["where"], "logs/gone");
    let orders = folder.path().join("logs/orders");
    let (exit, answer) = verify(&orders, &["--key", &gone]);
    assert_eq!((exit, &answer["verdict"]), (3, &"UNKNOWN KEY".into()));
    let false_key = other.verifier("log.example/orders").unwrap().to_string();
    let (exit, answer) = verify(&orders, &["--key", &false_key]);
    assert_eq!((exit, &answer["verdict"]), (3, &"ALTERED".into()));
    assert_eq!(answer["findings"][0]["step"], "checkpoint");
}

#[test]
fn the_kek_may_be_elsewhere() {
    let folder = data_folder(&Files::read(&path("log")));
    let elsewhere = tempfile::tempdir().unwrap();
    let kek = elsewhere.path().join("kek");
    std::fs::rename(folder.path().join("keys/kek"), &kek).unwrap();
    let kek_file = kek.to_str().unwrap();
    let orders = folder.path().join("logs/orders");
    for target in [folder.path(), &orders] {
        assert_eq!(verify(target, &["--deep"]).0, 1);
        let (exit, answer) = verify(target, &["--deep", "--kek-file", kek_file]);
        assert_eq!((exit, &answer["counts"]["opened"]), (0, &12.into()));
    }
    // A copied log and a lone KEK.
    let log = path("log");
    assert_eq!(verify(&log, &["--deep"]).0, 1);
    let (exit, answer) = verify(&log, &["--deep", "--kek-file", kek_file]);
    assert_eq!((exit, &answer["counts"]["opened"]), (0, &12.into()));
    assert!(text(&answer["notes"][1]).contains("index key"));
    // One that is none.
    assert_eq!(verify(&log, &["--deep", "--kek-file", "/nowhere/kek"]).0, 1);
    std::fs::write(&kek, "bm90IGEga2V5").unwrap();
    assert_eq!(verify(&log, &["--deep", "--kek-file", kek_file]).0, 1);
}

#[test]
fn bundles_have_their_exit_codes() {
    let key = vkey();
    let sound = path("bundles/sound.zip");
    assert_eq!(verify(&sound, &["--key", &key]).0, 0);
    let (exit, answer) = verify(&sound, &[]);
    assert_eq!((exit, &answer["verdict"]), (3, &"UNKNOWN KEY".into()));
    let (exit, answer) = verify(&path("bundles/entry_byte.zip"), &["--key", &key]);
    assert_eq!((exit, &answer["verdict"]), (3, &"ALTERED".into()));
    assert_eq!(verify(&path("bundles.json"), &["--key", &key]).0, 1);
    assert_eq!(verify(&path("no such file"), &["--key", &key]).0, 1);
    assert_eq!(verify(&path("bundles"), &["--key", &key]).0, 1);
    assert_eq!(verify(&sound, &["--key", "no key"]).0, 2);
    assert_eq!(verify(&sound, &["--deep"]).0, 2);
    assert_eq!(verify(&sound, &["--kek-file", "x"]).0, 2);
}

#[test]
fn people_see_question_steps_findings_and_fingerprints() {
    let output = run(
        &["verify", "--key", &vkey()],
        &path("bundles/entry_byte.zip"),
    );
    let lines = stdout(&output);
    let at = |text: &str| {
        lines
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {lines}"))
    };
    let order = [
        "data subject  user_17",
        "manifest  ",
        "coverage  ",
        "ALTERED entries: ",
        "\nALTERED: ",
        "fingerprint",
    ];
    assert!(
        order.windows(2).all(|pair| at(pair[0]) < at(pair[1])),
        "{lines}"
    );

    let output = run(&["verify"], &path("damaged/payload_byte"));
    assert_eq!(output.status.code(), Some(3));
    let lines = stdout(&output);
    assert!(lines.contains("ALTERED entries: segments/0"), "{lines}");
    assert!(lines.contains("note: no key was given"), "{lines}");
}

#[test]
fn a_reader_who_leaves_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_estreat"))
        .args(["inspect"])
        .arg(path("log/segments/00000000000000000000.seg"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_segment_is_inspected() {
    let expect = json("log/expect.json");
    let file = path("log/segments/00000000000000000001.seg");
    let output = run(&["--json", "inspect"], &file);
    assert_eq!(output.status.code(), Some(0));
    let answer: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(answer["header"]["origin"], "log.example/orders");
    assert_eq!(answer["end"]["closed"], true);
    let links = list(&answer["links"]);
    assert_eq!(links.len(), 3);
    for (link, expect) in links.iter().zip(&list(&expect["links"])[4..]) {
        assert_eq!(link["hash"], expect["leaf"]);
        assert_eq!(link["link"], expect["number"]);
        assert_eq!(link["payload_whole"], true);
    }
    assert!(stdout(&run(&["inspect"], &file)).contains("closed; 1546 bytes"));
}

#[test]
fn inspection_stops_at_damage_and_says_so() {
    for (folder, links) in [("tail_cut", 2), ("payload_byte", 1), ("torn_inside", 2)] {
        for number in 0..2 {
            let file = path(&format!("damaged/{folder}/segments/{number:020}.seg"));
            let output = run(&["--json", "inspect"], &file);
            let answer: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
            if output.status.code() == Some(0) {
                assert_eq!(answer["end"]["damage"], serde_json::Value::Null);
                continue;
            }
            assert_eq!(output.status.code(), Some(3));
            assert!(
                list(&answer["links"]).len() >= links,
                "{folder}: {answer:#}"
            );
            let error = String::from_utf8(output.stderr).unwrap();
            assert!(error.contains("damage at byte"), "{error}");
        }
    }
    assert_eq!(
        run(&["inspect"], &path("log/checkpoint.txt")).status.code(),
        Some(3)
    );
    assert_eq!(
        run(&["inspect"], &path("no such file")).status.code(),
        Some(1)
    );
}

#[test]
fn the_segments_of_a_folder_are_inspected() {
    let expect = json("log/expect.json");
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().join("logs");
    std::fs::create_dir(&logs).unwrap();
    std::os::unix::fs::symlink(path("log"), logs.join("orders")).unwrap();
    let output = run(&["--json", "inspect", "--data"], folder.path());
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    let segments: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let links: u64 = segments.iter().filter_map(|it| it["links"].as_u64()).sum();
    assert_eq!(links, list(&expect["links"]).len() as u64);
    assert_eq!(segments[1]["log"], "orders");
    assert_eq!(segments[1]["bytes"], 1546);
    assert_eq!(segments[1]["first_link"], 4);
    assert_eq!(segments[1]["state"], "closed");
    let lines = stdout(&run(&["inspect", "--data"], folder.path()));
    assert!(
        lines.contains("orders/segments/00000000000000000001.seg  closed  3 links from 4,"),
        "{lines}"
    );

    std::fs::remove_file(logs.join("orders")).unwrap();
    std::os::unix::fs::symlink(path("damaged/tail_cut"), logs.join("orders")).unwrap();
    let output = run(&["inspect", "--data"], folder.path());
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).contains("DAMAGE at byte"));
    let output = run(&["inspect", "--data"], &logs);
    assert_eq!(output.status.code(), Some(1));
}
