//! `tests/vectors/damaged.json` and `tests/vectors/log`, through the library and the binary.

use std::path::{Path, PathBuf};
use std::process::Command;

use estreat::checkpoint::VerifierKey;
use estreat::envelope::Kek;
use estreat::ids::KekId;
use estreat::verifier::Secrets;
use estreat::vrf::IndexSecret;
use serde_json::Value;
use zeroize::Zeroizing;

use super::files::Files;
use crate::vectors::{array, json, list, path, text};

/// The KEK and the index key of `log/`.
pub fn keys() -> (Kek, IndexSecret) {
    let recipe = json("log/recipe.json");
    let kek = Kek::from_parts(
        KekId(array(&recipe["kek_id"])),
        Zeroizing::new(array(&recipe["kek"])),
    );
    let index = IndexSecret::from_bytes(&array(&recipe["index_secret"])).unwrap();
    (kek, index)
}

/// A data folder with the keys of `log/` and one log, `orders`.
pub fn data_folder(log: &Files) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let recipe = json("log/recipe.json");
    let (kek, index) = keys();
    let at = folder.path().join("keys");
    std::fs::create_dir(&at).unwrap();
    std::fs::write(at.join("kek"), kek.to_text().as_bytes()).unwrap();
    std::fs::write(at.join("origin"), "log.example\n").unwrap();
    let wrap = |name: &str, context: &[u8], key: &[u8; 32]| {
        let wrapped = kek.wrap(key, context, [5; 12]).unwrap();
        let bytes = [&wrapped.kek_id.0[..], &wrapped.nonce, &wrapped.bytes].concat();
        std::fs::write(at.join(name), estreat::base64::encode(&bytes)).unwrap();
    };
    wrap("index-key", b"estreat/index-key/v1", &index.to_bytes());
    let seed = array(&recipe["signing_seed"]);
    wrap("signing-key", b"estreat/signing-key/v1", &seed);
    log.write(&folder.path().join("logs/orders"));
    folder
}

/// Runs `estreat --json verify`; its exit code and its answer.
pub fn verify(target: &Path, arguments: &[&str]) -> (i32, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_estreat"))
        .args(["--json", "verify"])
        .arg(target)
        .args(arguments)
        .env_remove("ESTREAT_KEK_FILE")
        .output()
        .unwrap();
    let code = output.status.code().unwrap();
    let answer = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (code, answer)
}

struct Case {
    what: String,
    folder: PathBuf,
    key: String,
    expect: Value,
}

fn cases() -> Vec<Case> {
    let damaged = json("damaged.json");
    let sound = json("log/expect.json");
    let mut cases: Vec<Case> = list(&damaged["cases"])
        .iter()
        .map(|case| {
            if case["expect"]["exit"] == 3 {
                assert_eq!(case["seen_without_kek"], true);
            }
            Case {
                what: text(&case["what"]).to_owned(),
                folder: path(text(&case["folder"])),
                key: text(&case["key"]).to_owned(),
                expect: case["expect"].clone(),
            }
        })
        .collect();
    assert_eq!(cases.len(), 10);
    cases.push(Case {
        what: "the sound log".to_owned(),
        folder: path("log"),
        key: text(&sound["vkey"]).to_owned(),
        expect: sound["expect"].clone(),
    });
    cases
}

fn assert_as_expected(case: &Case, how: &str, exit: i64, answer: &Value) {
    let what = format!("{}, {how}: {answer:#}", case.what);
    assert_eq!(case.expect["exit"], exit, "{what}");
    let findings = list(&answer["findings"]);
    match case.expect["verdict"].as_str() {
        Some(verdict) => assert!(
            findings.iter().any(|finding| finding["verdict"] == verdict),
            "{what}"
        ),
        None => assert!(findings.is_empty(), "{what}"),
    }
    let parts = |part: &str| {
        let coverage = list(&answer["coverage"]);
        coverage.iter().any(|coverage| coverage["part"] == part)
    };
    let torn = case.expect["torn_tail"] == true;
    assert_eq!(parts("torn tail"), torn, "{what}");
}

#[test]
fn through_the_library() {
    let (kek, index) = keys();
    for case in cases() {
        let files = Files::read(&case.folder);
        let key = [VerifierKey::parse(&case.key).unwrap()];
        let secrets = Secrets {
            kek: &kek,
            index: Some(&index),
        };
        for secrets in [None, Some(secrets)] {
            for keys in [&[][..], &key] {
                let mut report = estreat::verifier::Report::default();
                report.add(files.check(keys, secrets));
                let answer = serde_json::to_value(&report).unwrap();
                let how = format!("{} keys, deep {}", keys.len(), secrets.is_some());
                assert_as_expected(&case, &how, report.exit_code().into(), &answer);
            }
        }
    }
}

#[test]
fn through_the_binary() {
    for case in cases() {
        let (exit, answer) = verify(&case.folder, &["--key", &case.key]);
        assert_as_expected(&case, "the log's folder", exit.into(), &answer);
        let folder = data_folder(&Files::read(&case.folder));
        let (exit, answer) = verify(folder.path(), &["--key", &case.key, "--deep"]);
        assert_as_expected(&case, "a data folder", exit.into(), &answer);
    }
}

#[test]
fn a_sound_log_is_opened_whole() {
    let (kek, index) = keys();
    let secrets = Secrets {
        kek: &kek,
        index: Some(&index),
    };
    let report = Files::read(&path("log")).check(&[], Some(secrets));
    assert_eq!((report.counts.entries, report.counts.opened), (12, 12));
    assert_eq!((report.counts.links, report.counts.covered), (7, 12));
    assert!(report.resume.is_some());
}
