use std::io::Cursor;

use estreat::bundle::{self, NoteState, Verdict};
use estreat::time::Timestamp;
use proptest::prelude::*;

use super::maker::{Event, Log, bundle, question, verifier_keys};

pub fn event() -> impl Strategy<Value = Event> {
    let subjects = proptest::sample::subsequence(vec!["a", "b", "c", "Zoë"], 0..3);
    let subjects = subjects.prop_map(|all| all.into_iter().map(str::to_owned).collect());
    (0_i64..100, subjects)
}

pub fn segments() -> impl Strategy<Value = Vec<Vec<Vec<Event>>>> {
    let batch = proptest::collection::vec(event(), 1..6);
    let segment = proptest::collection::vec(batch, 0..5);
    proptest::collection::vec(segment, 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_verified(
        orders in segments(), crm in segments(), active in any::<bool>(),
        range in (0_i64..100, 0_i64..100), bounded in any::<(bool, bool)>(), withhold in 0_u64..4,
    ) {
        let logs = [Log::new("orders", &orders, active), Log::new("crm", &crm, false)];
        let mut question = question("a", &logs);
        question.from = bounded.0.then_some(Timestamp(range.0));
        question.to = bounded.1.then_some(Timestamp(range.1));
        let zip = bundle(&logs, &question, withhold);
        let keys = [verifier_keys("orders"), verifier_keys("crm")].concat();
        let report = bundle::verify(zip, &keys).unwrap();
        prop_assert_eq!(report.verdict, Verdict::Verified, "{:#?}", report.findings);
        prop_assert_eq!(report.manifest_note, NoteState::Holds);
        prop_assert_eq!(&report.claimed_keys, &verifier_keys("orders"));

        let closed = orders.len().saturating_sub(usize::from(active));
        let names = |event: &&Event| question.contains(Timestamp(event.0)) && event.1.iter().any(|one| one == "a");
        let expected = orders[..closed].iter().chain(&crm).flatten().flatten().filter(names).count();
        prop_assert_eq!(report.counts.entries, expected as u64);
        let open = active && orders.last().is_some_and(|last| !last.is_empty());
        prop_assert_eq!(report.counts.not_covered, open);
        prop_assert_eq!(report.question, Some(question));
    }
}

#[test]
fn equal_exports_are_equal_bytes() {
    let make = || {
        let logs = [Log::new(
            "orders",
            &[vec![vec![(0, vec!["a".to_owned()])]]],
            false,
        )];
        bundle(&logs, &question("a", &logs), 0).into_inner()
    };
    assert_eq!(make(), make());
}

#[test]
fn a_key_for_one_log_is_no_key_for_another() {
    let segments = [vec![vec![(0, vec!["a".to_owned()])]]];
    let logs = [
        Log::new("orders", &segments, false),
        Log::new("crm", &segments, false),
    ];
    let zip = bundle(&logs, &question("a", &logs), 0);
    let report = bundle::verify(zip, &verifier_keys("orders")[1..]).unwrap();
    assert_eq!(report.verdict, Verdict::UnknownKey);
    assert_eq!(report.findings.len(), 1);
    assert_eq!(report.findings[0].place, "logs/crm/checkpoint.txt");
    assert_eq!(report.manifest_note, NoteState::NotChecked);
}

#[test]
fn what_is_no_zip_is_an_error() {
    assert!(bundle::verify(Cursor::new(b"not a zip"), &[]).is_err());
    assert!(bundle::verify(Cursor::new(b""), &[]).is_err());
}
