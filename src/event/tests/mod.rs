//! Rules of events, one by one.

#![allow(clippy::unwrap_used, reason = "tests")]

mod odd;
mod properties;

use serde_json::Value;

use super::*;
use crate::ids::SubjectId;

const RECEIVED: &str = "2026-05-04T09:31:13.500000Z";

pub(super) fn context() -> Context {
    Context {
        received_at: Timestamp::parse_canonical(RECEIVED.as_bytes()).unwrap(),
        submitted_by: TokenId([0xAB; 16]),
        limits: Limits::default(),
    }
}

/// The data subjects of an event by another reader than ours.
pub(super) fn sent_subjects(event: &[u8]) -> Vec<SubjectId> {
    let event: Value = serde_json::from_slice(event).unwrap();
    let many = event["data_subjects"].as_array().into_iter().flatten();
    let strings = many
        .chain([&event["data_subject"]])
        .filter_map(Value::as_str);
    let mut subjects: Vec<_> = strings.map(SubjectId::new).collect();
    subjects.sort_unstable();
    subjects.dedup();
    subjects
}

pub(super) fn read(body: &str) -> Result<Submission, Refusal> {
    read_body(body.as_bytes(), &context(), OnInvalid::Refuse)
}

fn entries(body: &str) -> Vec<String> {
    texts(&read(body).unwrap())
}

fn texts(submission: &Submission) -> Vec<String> {
    let text = |entry: &[u8]| String::from_utf8(entry.to_vec()).unwrap();
    submission.entries.iter().map(text).collect()
}

pub(super) fn quarantine(body: &[u8]) -> Result<Submission, Refusal> {
    read_body(body, &context(), OnInvalid::Quarantine)
}

/// Each error as (line, field, whether it has these words).
fn errors(body: &str) -> (RefusalKind, Vec<(u64, String)>) {
    let refusal = read(body).unwrap_err();
    let places = refusal.errors.iter();
    let places = places.map(|error| (error.line, error.field.clone().unwrap_or_default()));
    (refusal.kind, places.collect())
}

fn one_error(body: &str) -> (RefusalKind, String, String) {
    let refusal = read(body).unwrap_err();
    assert_eq!(refusal.errors.len(), 1, "{refusal:?}");
    let error = refusal.errors[0].clone();
    (refusal.kind, error.field.unwrap_or_default(), error.detail)
}

fn end() -> String {
    format!(
        r#","received_at":"{RECEIVED}","submitted_by":"{}"}}"#,
        "ab".repeat(16)
    )
}

#[test]
fn a_stored_entry_has_every_field_in_its_place() {
    let event = r#" { "payload" : { "b" : [ 1.10 , "a  b" ] , "a" : { } } ,
        "lawful_basis":"contract",
        "purpose":"p\u00eb\/\"","recipient":"r","processor":"pr","controller":"c","actor_role":"ar",
        "actor":"a","source":"s","data_categories":["x","y"],"resource":"re",
        "data_subjects":["v","u"],
        "data_subject":"u","outcome":"denied","operation":"read","id":"i",
        "time":"2026-05-04T11:30:12.123456+02:00" } "#;
    let expected = concat!(
        r#"{"time":"2026-05-04T09:30:12.123456Z","#,
        r#""submitted_time":"2026-05-04T11:30:12.123456+02:00","#,
        r#""id":"i","operation":"read","outcome":"denied","#,
        r#""data_subject":"u","data_subjects":["v","u"],"#,
        r#""resource":"re","data_categories":["x","y"],"source":"s","#,
        r#""actor":"a","actor_role":"ar","controller":"c","processor":"pr","#,
        r#""recipient":"r","purpose":"pë/\"","lawful_basis":"contract","#,
        r#""payload":{"b":[1.10,"a  b"],"a":{}}"#,
    );
    assert_eq!(entries(event), [format!("{expected}{}", end())]);
    let submission = read(event).unwrap();
    assert_eq!(
        submission.entries.postings().collect::<Vec<_>>(),
        [(0, "u"), (0, "v")]
    );
}

#[test]
fn only_operation_is_needed() {
    let least = format!(
        r#"{{"time":"{RECEIVED}","operation":"x","outcome":"success"{}"#,
        end()
    );
    assert_eq!(entries(r#"{"operation":"x"}"#), [least]);
    assert_eq!(one_error("{}").1, "operation");
}

#[test]
fn the_payload_is_kept_to_the_letter() {
    for payload in [
        r#""\ud800 \u00eb \/ \b""#,
        r#"{"a":1,"a":2,"":-0.0e+7}"#,
        "null",
        r#"[[],{},"\\",""," \" "]"#,
    ] {
        let entry = &entries(&format!(r#"{{"operation":"x","payload":{payload}}}"#))[0];
        assert!(
            entry.contains(&format!(r#""payload":{payload},"received_at""#)),
            "{entry}"
        );
    }
}

#[test]
fn a_body_is_an_array_or_values_in_a_row() {
    for (body, count) in [
        (r#"[{"operation":"x"},{"operation":"y"}]"#, 2),
        (" [ {\"operation\":\"x\"}\n,\n{\"operation\":\"y\"} ] \n", 2),
        (r#"{"operation":"x"}{"operation":"y"} {"operation":"z"}"#, 3),
        (
            "\u{feff}{\"operation\":\"x\"}\r\n\r\n{\"operation\":\"y\"}",
            2,
        ),
    ] {
        assert_eq!(read(body).unwrap().entries.len(), count, "{body}");
    }
    let (unparseable, invalid) = (RefusalKind::Unparseable, RefusalKind::Invalid);
    for (body, kind) in [
        (r#"[{"operation":"x"},]"#, unparseable),
        (r#"[{"operation":"x"}"#, unparseable),
        (r#"[{"operation":"x"}{"operation":"x"}]"#, unparseable),
        (r#"[{"operation":"x"}]{"operation":"x"}"#, unparseable),
        ("[,]", unparseable),
        ("]", unparseable),
        ("\u{feff}\u{feff}{\"operation\":\"x\"}", unparseable),
        (r#"[[{"operation":"x"}]]"#, invalid),
        ("[]", invalid),
        ("", invalid),
        (" \n", invalid),
        ("\u{feff}", invalid),
        (r#"{"operation":"x"}[]"#, invalid),
    ] {
        assert_eq!(read(body).unwrap_err().kind, kind, "{body}");
    }
}

#[test]
fn fields_are_held_to_their_rules() {
    let long = "é".repeat(513);
    for (field, value) in [
        ("operation", r#""""#.to_owned()),
        ("operation", format!("{:?}", "o".repeat(65))),
        ("operation", "null".to_owned()),
        ("outcome", r#""maybe""#.to_owned()),
        ("id", "17".to_owned()),
        ("actor", format!("\"{long}\"")),
        ("actor", r#""a\u007fb""#.to_owned()),
        ("actor", "\"a\u{7f}b\"".to_owned()),
        ("actor", r#""\udc00""#.to_owned()),
        ("purpose", r#""\n""#.to_owned()),
        ("data_subject", r#"["u"]"#.to_owned()),
        ("data_subjects", r#""u""#.to_owned()),
        ("data_subjects", r#"["u",1]"#.to_owned()),
        ("data_subjects", r#"["u",["v"]]"#.to_owned()),
        ("data_subjects", r#"["u",""]"#.to_owned()),
        (
            "data_subjects",
            format!("[{}]", vec![r#""u""#; 65].join(",")),
        ),
        (
            "data_categories",
            format!("[{}]", vec![r#""u""#; 17].join(",")),
        ),
        ("lawful_basis", format!("{:?}", "o".repeat(65))),
        ("time", "null".to_owned()),
        ("time", r#""yesterday""#.to_owned()),
        ("received_at", r#""2026-05-04T09:31:13.500000Z""#.to_owned()),
        ("submitted_by", "1".to_owned()),
    ] {
        let operation = if field == "operation" {
            ""
        } else {
            r#""operation":"x","#
        };
        let body = format!("{{{operation}\"{field}\":{value}}}");
        let (kind, named, _) = one_error(&body);
        assert_eq!(
            (kind, named.as_str()),
            (RefusalKind::Invalid, field),
            "{body}"
        );
    }
    let most = vec![r#""u""#; 64].join(",");
    let fits = format!(
        r#"{{"operation":"x","data_subjects":[{most}],"actor":"{}"}}"#,
        &long[2..]
    );
    assert_eq!(read(&fits).unwrap().entries.posting_count(), 1);
}

#[test]
fn mistyped_fields_get_a_hint() {
    let (_, field, detail) = one_error(r#"{"operation":"x","data_subjct":"alice"}"#);
    assert_eq!(field, "data_subjct");
    assert!(detail.contains("did you mean `data_subject`?"), "{detail}");
    let (_, field, detail) = one_error(r#"{"operation":"x","alice smith":"bob"}"#);
    assert_eq!(field, "");
    assert!(
        !detail.contains("alice") && !detail.contains("bob"),
        "{detail}"
    );
    assert_eq!(
        one_error(r#"{"operation":"x","\u006fperation":"y"}"#).1,
        "operation"
    );
}

#[test]
fn every_bad_line_is_reported() {
    let body = "{\"operation\":\"x\"}\n{\"operation\":\"x\",\n\
                {\"a\":1,\"actor\":2,\"operation\":\"\"}\n\n{]\n";
    let invalid = |field: &str| (3, field.to_owned());
    assert_eq!(
        errors(body),
        (
            RefusalKind::Unparseable,
            vec![
                (2, String::new()),
                invalid("a"),
                invalid("operation"),
                invalid("actor"),
                (5, String::new())
            ]
        )
    );
    let many = "{}\n".repeat(500);
    assert_eq!(read(&many).unwrap_err().errors.len(), 100);
}

#[test]
fn limits_are_kept() {
    let mut small = context();
    small.limits = Limits {
        events: 2,
        postings: 3,
        entry_bytes: 200,
        request_bytes: 500,
        ..Limits::default()
    };
    let kind = |body: &str, mode| {
        read_body(body.as_bytes(), &small, mode)
            .err()
            .map(|e| e.kind)
    };
    let too_large = Some(RefusalKind::TooLarge);
    let padded = |bytes: usize| format!(r#"{{"operation":"x","id":"{}"}}"#, "i".repeat(bytes));
    let fixed = read(&padded(1)).unwrap().entries.byte_len() - 1;
    for mode in [OnInvalid::Refuse, OnInvalid::Quarantine] {
        assert_eq!(kind(&r#"{"operation":"x"}"#.repeat(2), mode), None);
        assert_eq!(kind(&r#"{"operation":"x"}"#.repeat(3), mode), too_large);
        let subjects = r#"{"operation":"x","data_subjects":["a","b"]}"#;
        assert_eq!(kind(&subjects.repeat(2), mode), too_large);
        assert_eq!(kind(&padded(200 - fixed), mode), None);
        assert_eq!(kind(&padded(201 - fixed), mode), too_large);
        assert_eq!(kind(&" ".repeat(501), mode), too_large);
    }
}

#[test]
fn quarantine_keeps_what_cannot_be_read() {
    let body = b"{\"operation\":\"x\"}\n{\"operation\":\n\
                 {\"operation\":\"y\",\"data_subjct\":\"u\"} \n\"\xff\"\n";
    let kept = quarantine(body).unwrap();
    let entries = texts(&kept);
    let listed: Vec<_> = kept
        .quarantined
        .iter()
        .map(|q| (q.position, q.line))
        .collect();
    assert_eq!(listed, [(1, 2), (2, 3), (3, 4)]);
    let begin = format!(
        r#"{{"time":"{RECEIVED}","operation":"quarantined","outcome":"failed","payload":{{"#
    );
    assert!(entries[1].starts_with(&format!(r#"{begin}"raw":"{{\"operation\":","reason":"#)));
    assert!(entries[2].contains(r#""raw":"{\"operation\":\"y\",\"data_subjct\":\"u\"}","#));
    assert!(entries[3].starts_with(&format!(r#"{begin}"raw_base64":"Iv8i","#)));
    assert_eq!(kept.entries.posting_count(), 0);
    assert_eq!(quarantine(b"").unwrap_err().kind, RefusalKind::Invalid);
}

#[test]
fn quarantine_keeps_an_array_line_by_line() {
    let body =
        "[\n{\"operation\":\"x\"},\n{bad},\n{\"operation\":\"y\"}\n]\n{\"operation\":\"z\"}\n";
    let kept = quarantine(body.as_bytes()).unwrap();
    let listed: Vec<_> = kept
        .quarantined
        .iter()
        .map(|q| (q.position, q.line))
        .collect();
    assert_eq!((kept.entries.len(), listed), (4, vec![(1, 3), (3, 6)]));
    let after = format!("[{{\"operation\":\"x\"}}]{}", "\nx".repeat(70_000));
    assert_eq!(
        quarantine(after.as_bytes()).unwrap_err().kind,
        RefusalKind::TooLarge
    );
}

#[test]
fn a_body_of_braces_is_not_read_over_and_over() {
    let body = "{\"a\":\n".repeat(60_000);
    assert_eq!(read(&body).unwrap_err().kind, RefusalKind::Unparseable);
    assert!(quarantine(body.as_bytes()).is_ok());
}

#[test]
fn facts_agree_with_the_vectors() {
    let Ok(text) = std::fs::read_to_string("../shared/vectors/entries.json") else {
        eprintln!("../shared/vectors is not here: nothing is checked");
        return;
    };
    let vectors: Value = serde_json::from_str(&text).unwrap();
    for case in vectors["facts"]["cases"].as_array().unwrap() {
        let found = facts(case["entry"].as_str().unwrap().as_bytes()).unwrap();
        assert_eq!(Some(found.time.0), case["time"].as_i64());
        let subjects: Vec<_> = found.subjects.iter().map(SubjectId::expose).collect();
        let expected: Vec<_> = case["subjects"]
            .as_array()
            .unwrap()
            .iter()
            .map(|s| s.as_str().unwrap())
            .collect();
        assert_eq!(subjects, expected);
    }
    for case in vectors["refused"]["cases"].as_array().unwrap() {
        assert!(
            facts(case["entry"].as_str().unwrap().as_bytes()).is_err(),
            "{case}"
        );
    }
}

#[test]
fn facts_refuse_what_is_no_entry() {
    let time = r#""time":"2026-05-04T09:30:12.123456Z""#;
    let deep = format!(
        "{{{time},\"x\":{}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert!(facts(deep.as_bytes()).is_ok());
    let unclosed = "{\"x\":".repeat(100_000);
    for (entry, error) in [
        (
            format!("{{{time},\"x\":1,\"\\u0078\":2}}"),
            FactsError::NameTwice,
        ),
        (format!("{{{time}, \"x\":1}}"), FactsError::NotCompact),
        (format!("{{{time}}}\n"), FactsError::NotCompact),
        (format!("{{{time},\"\\ud800\":1}}"), FactsError::BadName),
        (
            format!("{{{time},\"data_subjects\":[\"\\ud800\"]}}"),
            FactsError::BadField("data_subjects"),
        ),
        ("{}".to_owned(), FactsError::BadTime),
        (String::new(), FactsError::NotAnObject),
        (
            unclosed,
            FactsError::NotJson {
                at: 500_000,
                what: "a value",
            },
        ),
    ] {
        assert_eq!(facts(entry.as_bytes()), Err(error));
    }
    assert_eq!(facts(b"{\"\xff\":1}"), Err(FactsError::NotUtf8));
}

#[test]
fn a_view_tells_whether_others_are_named() {
    let names_others = |event: &str| {
        let submission = read(event).unwrap();
        View::read(submission.entries.raw())
            .unwrap()
            .names_other_than("u")
    };
    assert!(!names_others(
        r#"{"operation":"x","data_subjects":["u","u"],"actor":"u"}"#
    ));
    assert!(names_others(
        r#"{"operation":"x","data_subject":"u","actor":"v"}"#
    ));
    assert!(names_others(
        r#"{"operation":"x","data_subject":"u","data_subjects":["v"]}"#
    ));
}
