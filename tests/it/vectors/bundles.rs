use std::fs::File;

use estreat::bundle::{self, Report};
use estreat::checkpoint::VerifierKey;
use serde_json::Value;

use super::{json, list, path, text};

/// The keys of a case: one, or several.
pub fn keys(case: &Value) -> Vec<VerifierKey> {
    let parse = |key: &Value| VerifierKey::parse(text(key)).unwrap();
    match &case["key"] {
        Value::Array(keys) => keys.iter().map(parse).collect(),
        key => vec![parse(key)],
    }
}

fn check(case: &Value, keys: &[VerifierKey]) -> Report {
    bundle::verify(File::open(path(text(&case["file"]))).unwrap(), keys).unwrap()
}

#[test]
fn sound_and_corrupted_bundles() {
    let vectors = json("bundles.json");
    let cases = list(&vectors["cases"]);
    assert_eq!(cases.len(), 29);
    for case in cases {
        let (expect, file) = (&case["expect"], text(&case["file"]));
        let report = check(case, &keys(case));
        let found = serde_json::to_value(&report).unwrap();
        assert_eq!(
            report.exit_code(),
            expect["exit"],
            "{file}: {:#?}",
            report.findings
        );
        if expect["exit"] == 0 {
            assert_eq!(found["verdict"], "VERIFIED");
            for count in ["entries", "withheld", "erased", "not_covered"] {
                assert_eq!(found["counts"][count], expect[count], "{file} {count}");
            }
            assert_eq!(found["manifest_note"], expect["manifest_note"], "{file}");
        } else {
            let same = |finding: &&Value| {
                ["step", "verdict"]
                    .iter()
                    .all(|at| finding[*at] == expect[*at])
            };
            let hit = list(&found["findings"]).iter().find(same);
            assert!(hit.is_some(), "{file}: {:#?}", report.findings);
        }
    }
}

#[test]
fn without_keys_all_else_is_checked() {
    for case in list(&json("bundles.json")["cases"]) {
        let report = check(case, &[]);
        let found = serde_json::to_value(&report).unwrap();
        let expect = &case["expect"];
        let unknown = |finding: &Value| {
            finding["verdict"] == "UNKNOWN KEY" && finding["step"] == "checkpoint"
        };
        assert!(
            list(&found["findings"]).iter().any(unknown),
            "{}",
            case["file"]
        );
        if expect["exit"] == 0 {
            assert_eq!(found["verdict"], "UNKNOWN KEY", "{}", case["file"]);
        }
    }
}

#[test]
fn what_is_said_of_a_sound_bundle() {
    let vectors = json("bundles.json");
    let case = &vectors["cases"][3];
    let report = check(case, &keys(case));
    assert_eq!(
        report.summary(),
        "VERIFIED: 4 entries name exactly user_17, 1 of them withheld, 1 erased"
    );
    let lines: Vec<String> = report.coverage.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "orders: 2 closed segments cover 12 entries, up to 2026-05-04T09:34:14.500000Z",
            "orders: WITHHELD, position 2 of link 0",
            "orders: ERASED, position 1 of link 2",
        ]
    );
}
