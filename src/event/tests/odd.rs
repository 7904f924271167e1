//! Hostile and unusual bodies that are not shipped: each has its right answer in a table.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{context, sent_subjects};
use crate::event::*;

/// The folder of the inputs, if this machine has it.
fn inputs() -> Option<PathBuf> {
    let folder = std::env::var_os("ESTREAT_EXTRA_INPUTS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("ESTREAT_EXTRA_INPUTS is not set: nothing is checked here");
    }
    folder
}

/// The status code that a body gets, with the number of its entries.
fn answer(name: &str, packed: &[u8]) -> (u16, usize) {
    let encoding = match Path::new(name)
        .extension()
        .and_then(|ending| ending.to_str())
    {
        Some("gz") => Encoding::Gzip,
        Some("zst") => Encoding::Zstd,
        _ => Encoding::Identity,
    };
    let limits = Limits::default();
    let body = match unpack(encoding, packed, limits.request_bytes) {
        Ok(body) => body,
        Err(UnpackError::Corrupt(_)) => return (400, 0),
        Err(UnpackError::TooLarge { .. }) => return (413, 0),
    };
    match read_body(&body, &context(), OnInvalid::Refuse) {
        Ok(submission) => (201, submission.entries.len()),
        Err(refusal) => (status(refusal.kind), 0),
    }
}

fn status(kind: RefusalKind) -> u16 {
    match kind {
        RefusalKind::Unparseable => 400,
        RefusalKind::TooLarge => 413,
        RefusalKind::Invalid => 422,
    }
}

/// The status of each line, alone.
fn by_line(body: &[u8]) -> Vec<u16> {
    body.split_inclusive(|byte| *byte == b'\n')
        .map(|line| answer("", line).0)
        .collect()
}

#[test]
fn every_odd_body_gets_its_answer() {
    let Some(odd) = inputs().map(|folder| folder.join("odd")) else {
        return;
    };
    let table = std::fs::read_to_string(odd.join("expected.tsv")).unwrap();
    let mut checked = 0;
    for row in table.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let (name, expected) = (columns[0], columns[1]);
        let note = columns.get(2).copied().unwrap_or_default();
        let packed = std::fs::read(odd.join(name)).unwrap();
        checked += 1;
        let Ok(expected) = expected.parse::<u16>() else {
            continue;
        };
        if note.starts_with("each line alone") {
            for (at, status) in by_line(&packed).into_iter().enumerate() {
                assert_eq!(status, expected, "{name}, line {}", at + 1);
            }
        }
        let (status, entries) = answer(name, &packed);
        assert_eq!(status, expected, "{name}");
        let first_word = note.split(' ').next().unwrap_or_default().replace(',', "");
        let counted = note.contains("entr") && status == 201;
        if let (true, Ok(count)) = (counted, first_word.parse::<usize>()) {
            assert_eq!(entries, count, "{name}");
        }
    }
    assert_eq!(checked, 53);
}

#[test]
fn odd_times_are_read_by_the_letter_of_rfc_3339() {
    let Some(folder) = inputs() else {
        return;
    };
    let body = std::fs::read(folder.join("odd/22_timestamps.ndjson")).unwrap();
    let accepted: Vec<usize> = by_line(&body)
        .into_iter()
        .enumerate()
        .filter(|(_, status)| *status == 201)
        .map(|(line, _)| line)
        .collect();
    // Line 6 has a space for its T, which the grammar does not; line 11 has the year 0000.
    assert_eq!(accepted, [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 13, 17, 18, 35]);
    assert!(
        by_line(&body)
            .iter()
            .all(|status| matches!(status, 201 | 422))
    );

    let first = body.split(|byte| *byte == b'\n').next().unwrap();
    let kept = read_body(first, &context(), OnInvalid::Refuse).unwrap();
    let view = View::read(kept.entries.raw()).unwrap();
    assert_eq!(view.time.to_string(), "2016-12-31T23:59:59.999999Z");
    assert_eq!(view.submitted_time.as_deref(), Some("2016-12-31T23:59:60Z"));
}

#[test]
fn odd_subject_ids_are_kept_byte_for_byte() {
    let Some(folder) = inputs() else {
        return;
    };
    let read = |name: &str| {
        let body = std::fs::read(folder.join("odd").join(name)).unwrap();
        let statuses = by_line(&body);
        let lines = body.split_inclusive(|byte| *byte == b'\n');
        let subjects: Vec<Option<String>> = lines
            .map(|line| {
                let kept = read_body(line, &context(), OnInvalid::Refuse).ok()?;
                let (_, subject) = kept.entries.postings().next()?;
                Some(subject.to_owned())
            })
            .collect();
        (statuses, subjects)
    };
    let (statuses, subjects) = read("23_subject_ids.ndjson");
    let (escaped_statuses, escaped_subjects) = read("23_subject_ids_ascii_escaped.ndjson");
    assert_eq!(subjects, escaped_subjects);
    assert_eq!(statuses, escaped_statuses);
    let refused: Vec<usize> = (0..statuses.len())
        .filter(|line| statuses[*line] == 422)
        .collect();
    // 29 is empty, 58 has 65,536 bytes, the others have control characters.
    assert_eq!(refused, [29, 47, 48, 52, 53, 54, 58]);
    let mut distinct: Vec<_> = subjects.iter().flatten().collect();
    let all = distinct.len();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), all);
}

#[test]
fn entries_are_as_sent_where_it_matters() {
    let Some(folder) = inputs() else {
        return;
    };
    let payloads = |name: &str| {
        let body = std::fs::read(folder.join("odd").join(name)).unwrap();
        let kept = read_body(&body, &context(), OnInvalid::Refuse).unwrap();
        let payload = |entry| View::read(entry).unwrap().payload.unwrap().get().to_owned();
        kept.entries.iter().map(payload).collect::<Vec<_>>()
    };
    assert_eq!(
        payloads("25_same_meaning_different_bytes.ndjson"),
        [
            r#"{"n":1}"#,
            r#"{"n":1}"#,
            r#"{"n":1.0}"#,
            r#"{"n":1e0}"#,
            r#"{"n":1}"#
        ]
    );
    assert_eq!(
        payloads("06_huge_numbers.ndjson")[13],
        r#"{"n":123456789012345678901234567890}"#
    );
    let refused = |name: &str| {
        let body = std::fs::read(folder.join("odd").join(name)).unwrap();
        let refusal = read_body(&body, &context(), OnInvalid::Refuse).unwrap_err();
        refusal
            .errors
            .iter()
            .map(|e| (e.line, e.field.clone().unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    assert_eq!(refused("17_half_line_cut.ndjson"), [(2, String::new())]);
    assert_eq!(
        refused("18_bad_line_in_middle.ndjson"),
        [(2, String::new())]
    );
    let twice = [(1, "actor".to_owned()), (1, "data_subject".to_owned())];
    assert_eq!(refused("05_duplicate_keys.ndjson"), twice);
    assert_eq!(
        refused("08_deep_array_100000.json"),
        [(1, "payload".to_owned())]
    );
}

#[test]
fn real_events_are_all_kept_under_their_subjects() {
    let Some(folder) = inputs() else {
        return;
    };
    let body = std::fs::read(folder.join("events.ndjson")).unwrap();
    let counts = std::fs::read_to_string(folder.join("events.counts.json")).unwrap();
    let counts: serde_json::Value = serde_json::from_str(&counts).unwrap();
    let kept = read_body(&body, &context(), OnInvalid::Refuse).unwrap();
    assert_eq!(kept.entries.len(), 1394);
    let mut found: HashMap<String, u64> = HashMap::new();
    for (_, subject) in kept.entries.postings() {
        *found.entry(subject.to_owned()).or_default() += 1;
    }
    let expected: HashMap<String, u64> =
        serde_json::from_value(counts["per_subject"].clone()).unwrap();
    assert_eq!(found, expected);
    for (entry, line) in kept.entries.iter().zip(body.split(|byte| *byte == b'\n')) {
        assert_eq!(facts(entry).unwrap().subjects, sent_subjects(line));
    }
}
