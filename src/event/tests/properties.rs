//! What holds for any bytes at all, and for any event.

#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use super::{context, quarantine, read, sent_subjects};
use crate::event::*;
use crate::ids::SubjectId;

/// Text that is nearly an event: pieces that matter to the reader, in any order.
fn nearly_events() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\n",
            " ",
            "\"",
            "\\",
            "\\u00eb",
            "\\ud83d\\ude00",
            "\\ud800",
            "\"operation\":\"r\"",
            "\"data_subject\":\"u\"",
            "\"data_subjects\":[\"u\",\"v\"]",
            "\"payload\":",
            "{\"operation\":\"r\"}",
            "1",
            "-0.5e+1",
            "true",
            "null",
            "\"time\":\"2026-05-04T09:30:12Z\"",
            "\"x\":",
            "\u{7f}",
            "é",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        vec(any::<u8>(), 0..4),
    ];
    vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// A well-formed event with awkward strings.
fn events() -> impl Strategy<Value = String> {
    let text = "[a\"\\\\/é\u{2028}😀 ]{1,9}";
    let subjects = vec(text, 0..5);
    let payload = vec((".{0,9}", any::<f64>()), 0..4);
    let parts = (proptest::option::of(text), subjects, payload, any::<bool>());
    parts.prop_map(|(one, many, payload, pretty)| {
        let mut event = serde_json::json!({ "operation": "read", "payload": payload });
        event["data_subjects"] = many.into();
        if let Some(one) = one {
            event["data_subject"] = one.into();
        }
        let write = if pretty {
            serde_json::to_string_pretty
        } else {
            serde_json::to_string
        };
        write(&event).unwrap()
    })
}

/// What may stand between the quotes of a JSON string, surrogates alone and in pairs included.
const STRING_INSIDES: &str = r#"(\\u[0-9a-fA-F]{4}|\\["\\/bfnrt]|[a-z😀é]|\\ud83d\\ude00){0,12}"#;

/// What must hold of anything that was taken.
fn check_taken(submission: &Submission) {
    let entries = &submission.entries;
    let mut postings = entries.postings().peekable();
    for (position, (entry, time)) in entries.iter().zip(entries.times()).enumerate() {
        let found = facts(entry).unwrap();
        assert_eq!(found.time, *time);
        let mut subjects = Vec::new();
        while let Some((_, subject)) = postings.next_if(|(at, _)| *at == position as u32) {
            subjects.push(SubjectId::new(subject));
        }
        subjects.sort_unstable();
        assert_eq!(found.subjects, subjects);
        let view = View::read(entry).unwrap();
        assert_eq!(view.submitted_by.as_deref(), Some("ab".repeat(16).as_str()));
        assert_eq!(entries.entry(position), Some(entry));
    }
    assert!(postings.next().is_none());
    let total: u32 = entries.lengths().iter().sum();
    assert_eq!(total as usize, entries.byte_len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn whatever_is_taken_reads_back(body in nearly_events()) {
        if let Ok(submission) = read_body(&body, &context(), OnInvalid::Refuse) {
            prop_assert!(submission.quarantined.is_empty());
            check_taken(&submission);
        }
        if let Ok(submission) = quarantine(&body) {
            check_taken(&submission);
        }
    }

    #[test]
    fn json_is_what_another_reader_takes_for_json(body in nearly_events()) {
        use serde::Deserialize as _;
        let mut other = serde_json::Deserializer::from_slice(&body);
        let theirs = serde::de::IgnoredAny::deserialize(&mut other).and_then(|_| other.end());
        let mut ours = scan::Scanner::new(&body);
        let ours = ours.value().is_ok() && ours.peek().is_none();
        prop_assert_eq!(ours, theirs.is_ok());
    }

    #[test]
    fn strings_are_what_another_reader_reads(inner in STRING_INSIDES) {
        let spelled = format!("\"{inner}\"");
        let theirs: Option<String> = serde_json::from_str(&spelled).ok();
        let ours = scan::Scanner::new(spelled.as_bytes()).value().unwrap().text().unwrap().decode();
        prop_assert_eq!(ours.map(std::borrow::Cow::into_owned), theirs);
    }

    #[test]
    fn an_event_means_the_same_as_sent(
        events in vec(events(), 1..5),
        separator in "[ \n\r\t]{0,2}",
    ) {
        let submission = read(&events.join(&separator)).unwrap();
        check_taken(&submission);
        prop_assert_eq!(submission.entries.len(), events.len());
        for (entry, event) in submission.entries.iter().zip(&events) {
            let (entry_json, event_json): (Value, Value) =
                (serde_json::from_slice(entry).unwrap(), serde_json::from_str(event).unwrap());
            for (name, value) in event_json.as_object().unwrap() {
                prop_assert_eq!(&entry_json[name], value);
            }
            prop_assert_eq!(facts(entry).unwrap().subjects, sent_subjects(event.as_bytes()));
        }
        let array = format!("[{}]", events.join(","));
        prop_assert_eq!(read(&array).unwrap(), submission);
    }

    #[test]
    fn unpacking_answers_any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        for encoding in [Encoding::Identity, Encoding::Gzip, Encoding::Zstd] {
            if let Ok(unpacked) = unpack(encoding, &bytes, 1000) {
                prop_assert!(unpacked.len() <= 1000);
            }
        }
    }

    #[test]
    fn what_is_packed_is_unpacked(
        parts in vec(vec(any::<u8>(), 0..300), 1..4),
        cut in 1usize..20,
    ) {
        use std::io::Write as _;
        let whole = parts.concat();
        let gzip: Vec<u8> = parts.iter().flat_map(|part| {
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            writer.write_all(part).unwrap();
            writer.finish().unwrap()
        }).collect();
        let frame = |part: &Vec<u8>| zstd::encode_all(part.as_slice(), 1).unwrap();
        let zstd: Vec<u8> = parts.iter().flat_map(frame).collect();
        for (encoding, packed) in [(Encoding::Gzip, gzip), (Encoding::Zstd, zstd)] {
            let unpacked = unpack(encoding, &packed, whole.len()).unwrap();
            prop_assert_eq!(unpacked.as_ref(), whole.as_slice());
            if !whole.is_empty() {
                let too_large = UnpackError::TooLarge { max: whole.len() - 1 };
                prop_assert_eq!(unpack(encoding, &packed, whole.len() - 1), Err(too_large));
            }
            let last = parts.last().map_or(0, Vec::len);
            if last > 20 {
                let torn = unpack(encoding, &packed[..packed.len() - cut.min(7)], whole.len());
                prop_assert_eq!(torn, Err(UnpackError::Corrupt("it ends early")));
            }
        }
    }
}
