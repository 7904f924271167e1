//! A log made by the real engine, changed in every way: each change is found, with its place,
//! and by no cascade of findings; without any secret too, except for what only keys can see.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use estreat::checkpoint::VerifierKey;
use estreat::envelope::Kek;
use estreat::ids::LogName;
use estreat::ingest;
use estreat::keyring::Keyring;
use estreat::verifier::{LogReport, Note, Secrets};
use estreat::vrf::IndexSecret;
use proptest::prelude::*;

use super::files::{Files, has};
use crate::support::engine::Engine;

/// Most findings that one change may make.
const FEW: usize = 3;

struct Sample {
    files: Files,
    /// The same before its last segment was closed; the checkpoint ends before it.
    active: Files,
    key: VerifierKey,
    keyring: Arc<Keyring>,
}

impl Sample {
    fn secrets(&self) -> Secrets<'_> {
        let Keyring { kek, index, .. } = &*self.keyring;
        let (kek, index): (&Kek, &IndexSecret) = (kek, index);
        Secrets {
            kek,
            index: Some(index),
        }
    }

    /// The report without any secret.
    fn check(&self, files: &Files) -> LogReport {
        files.check(std::slice::from_ref(&self.key), None)
    }

    fn check_deep(&self, files: &Files) -> LogReport {
        files.check(std::slice::from_ref(&self.key), Some(self.secrets()))
    }
}

/// Four segments, made by the engine.
fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(make())
    })
}

async fn make() -> Sample {
    let folder = tempfile::tempdir().unwrap();
    // Checkpoints come with rolls alone.
    let options = ingest::Options {
        roll_interval_micros: 0,
        checkpoint_interval: Duration::from_secs(3600),
        ..ingest::Options::default()
    };
    let engine = Engine::start_with(folder.path(), options, |storage| storage).await;
    let name = LogName::new("orders").unwrap();
    for segment in 0..4 {
        for batch in 0..3 {
            let event = |n: usize| {
                format!(
                    r#"{{"operation":"read","data_subject":"user_{}","payload":{{"n":{n}}}}}"#,
                    (segment + n) % 4
                )
            };
            let body: Vec<String> = (0..=batch).map(event).collect();
            engine.append("orders", &body.join("\n")).await.unwrap();
        }
        if segment < 3 {
            let log = engine.ingest.log(&name).unwrap();
            engine.ingest.roll(&log).await.unwrap();
        }
    }
    let folder = folder.path().join("logs/orders");
    let active = Files::read(&folder);
    let (key, keyring) = (engine.keyring.log_verifier(&name), engine.keyring.clone());
    // The stop closes the last segment.
    engine.stop().await;
    let sample = Sample {
        files: Files::read(&folder),
        active,
        key: key.unwrap(),
        keyring,
    };
    assert_eq!(sample.files.segments.len(), 4);
    for (files, covered) in [(&sample.files, 24), (&sample.active, 18)] {
        for report in [sample.check(files), sample.check_deep(files)] {
            assert_eq!(report.findings, []);
            assert_eq!(report.counts.covered, covered);
        }
    }
    sample
}

/// One finding at least, few in all, one of them in the segment or at the start of the next.
fn assert_found(report: &LogReport, segment: u64, what: &str) {
    let near = |place: &str| {
        [segment, segment + 1]
            .iter()
            .any(|number| place.contains(&format!("{number:020}.seg")))
    };
    let findings = &report.findings;
    assert!(!findings.is_empty(), "{what}: nothing found");
    assert!(findings.len() <= FEW, "{what}: a cascade: {findings:#?}");
    assert!(
        findings.iter().any(|finding| near(&finding.place)),
        "{what}: {findings:#?}"
    );
}

#[test]
fn every_changed_byte_is_found_without_any_secret() {
    let sample = sample();
    for (number, bytes) in &sample.files.segments {
        let mut files = sample.files.clone();
        for at in 0..bytes.len() {
            let bit = 1 << (at % 8);
            files.segments.get_mut(number).unwrap()[at] ^= bit;
            let report = sample.check(&files);
            assert_found(&report, *number, &format!("segment {number}, byte {at}"));
            files.segments.get_mut(number).unwrap()[at] ^= bit;
        }
    }
}

#[test]
fn every_changed_byte_of_the_checkpoint_is_found_with_its_key() {
    let sample = sample();
    let note = sample.files.checkpoint.clone().unwrap();
    for at in 0..note.len() {
        let mut files = sample.files.clone();
        files.checkpoint.as_mut().unwrap()[at] ^= 1;
        let report = sample.check(&files);
        assert!(
            report.findings.len() <= FEW,
            "byte {at}: {:#?}",
            report.findings
        );
        let found = report
            .findings
            .iter()
            .any(|finding| finding.place.contains("checkpoint.txt"));
        assert!(found, "byte {at}: {:#?}", report.findings);
    }
    let report = sample.files.check(&[], None);
    assert_eq!(report.findings, []);
    assert_eq!(report.notes, [Note::OwnWord, Note::NotOpened]);
}

#[test]
fn frames_removed_repeated_and_swapped() {
    let sample = sample();
    for number in 0..4 {
        let count = sample.files.frames(number).len();
        for at in 0..count {
            let change = |order: &dyn Fn(&mut Vec<Vec<u8>>), what: &str| {
                let mut files = sample.files.clone();
                files.reorder(number, order);
                let what = format!("segment {number}, frame {at} {what}");
                assert_found(&sample.check(&files), number, &what);
                assert_found(&sample.check_deep(&files), number, &what);
            };
            change(&|frames| drop(frames.remove(at)), "removed");
            change(&|frames| frames.insert(at, frames[at].clone()), "repeated");
            change(
                &|frames| frames.push(frames[at].clone()),
                "repeated at the end",
            );
            change(&|frames| frames[at].fill(0), "zeroed");
            if at > 0 {
                change(&|frames| frames.swap(at - 1, at), "swapped");
            }
        }
    }
}

#[test]
fn files_cut_at_every_length() {
    let sample = sample();
    for (number, bytes) in &sample.files.segments {
        for length in 0..bytes.len() {
            let mut files = sample.files.clone();
            files.segments.get_mut(number).unwrap().truncate(length);
            let report = sample.check(&files);
            let what = format!("segment {number} cut to {length}");
            assert_found(&report, *number, &what);
            if *number == 3 {
                assert!(
                    has(&report, "TRUNCATED", "3.seg"),
                    "{what}: {:#?}",
                    report.findings
                );
            }
        }
    }
}

#[test]
fn files_extended() {
    let sample = sample();
    let frame = sample.files.frames(0)[0].clone();
    let frame = sample.files.segments[&0][frame].to_vec();
    for tail in [vec![0], vec![0; 4096], b"LINK".to_vec(), frame] {
        for number in 0..4 {
            let mut files = sample.files.clone();
            files.segments.get_mut(&number).unwrap().extend(&tail);
            let report = sample.check(&files);
            assert_found(&report, number, "bytes behind a close link");
            assert!(has(&report, "ALTERED", "byte"));
        }
    }
}

fn coverage(report: &LogReport) -> String {
    let lines: Vec<String> = report.coverage.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

#[test]
fn what_no_checkpoint_covers_yet_is_said() {
    let sample = sample();
    let report = sample.check_deep(&sample.active);
    assert_eq!(
        coverage(&report).split_once(", up to").unwrap().0,
        "orders: the checkpoint covers 12 links with 18 entries, 3 segments closed"
    );
    for line in [
        "orders: NOT COVERED, 3 links from link 12 on, 6 entries from entry 18 on: no checkpoint here vouches for them",
        "orders: NOT COVERED, 6 entries from entry 18 on: segment 3 is active and has no sealed subject index yet",
    ] {
        assert!(coverage(&report).contains(line), "{}", coverage(&report));
    }

    let mut files = sample.active.clone();
    files.segments.get_mut(&3).unwrap().extend([0; 100]);
    let report = sample.check(&files);
    assert_eq!(report.findings, []);
    assert!(coverage(&report).contains("100 bytes of segment 3 from byte"));
    assert!(coverage(&report).contains("in the place of link 15: a torn tail"));

    // Without a checkpoint nobody can tell.
    files.checkpoint = None;
    let report = sample.check(&files);
    assert!(has(&report, "MISSING", "checkpoint.txt"));
    assert!(coverage(&report).contains("it cannot be told whether this is a torn tail"));
}

#[test]
fn the_active_segment_is_checked_as_far_as_can_be() {
    let sample = sample();
    let length = sample.active.segments[&3].len();
    let frames = sample.active.frames(3);
    for at in 0..length {
        let mut files = sample.active.clone();
        files.segments.get_mut(&3).unwrap()[at] ^= 1;
        let report = sample.check(&files);
        assert!(
            report.findings.len() <= FEW,
            "byte {at}: {:#?}",
            report.findings
        );
        assert_eq!(report.counts.covered, 18, "byte {at}");
        // The last sync may be torn, and no later link holds its hash.
        let found = !report.findings.is_empty();
        assert!(found || at >= frames[2].start, "byte {at}");
        let torn = coverage(&report).contains("a torn tail");
        let deep = !sample.check_deep(&files).findings.is_empty();
        let unsigned = coverage(&report).contains("link 12 on");
        assert!(found || torn || deep || unsigned, "byte {at}");
    }
}

#[test]
fn segment_files_removed_swapped_doubled_and_renamed() {
    let sample = sample();
    let mut changes: Vec<(&str, &str, &str, Files)> = Vec::new();
    let mut change = |what, verdict, place, change: &dyn Fn(&mut Files)| {
        let mut files = sample.files.clone();
        change(&mut files);
        changes.push((what, verdict, place, files));
    };
    change("the first gone", "MISSING", "000.seg", &|files| {
        drop(files.segments.remove(&0))
    });
    change("one gone", "MISSING", "001.seg", &|files| {
        drop(files.segments.remove(&1))
    });
    change("two gone", "MISSING", "001.seg", &|files| {
        files.segments.retain(|number, _| ![1, 2].contains(number));
    });
    change("the last gone", "TRUNCATED", "002.seg", &|files| {
        drop(files.segments.remove(&3))
    });
    change("all gone", "TRUNCATED", "segments", &|files| {
        files.segments.clear()
    });
    change("two swapped", "ALTERED", "001.seg", &|files| {
        let (one, two) = (files.segments[&1].clone(), files.segments[&2].clone());
        files.segments.extend([(1, two), (2, one)]);
    });
    change("one in another's place", "ALTERED", "002.seg", &|files| {
        files.segments.insert(2, files.segments[&1].clone());
    });
    change("one doubled", "ALTERED", "004.seg", &|files| {
        files.segments.insert(4, files.segments[&1].clone());
    });
    change("the last renamed", "MISSING", "003.seg", &|files| {
        let last = files.segments.remove(&3).unwrap();
        files.segments.insert(9, last);
    });
    change("an empty one behind", "ALTERED", "004.seg", &|files| {
        files.segments.insert(4, Vec::new());
        files.segments.get_mut(&3).unwrap().pop();
    });
    change("a strange file", "ALTERED", "notes.txt", &|files| {
        files.strays.push("notes.txt".into());
    });
    change("a strange .key file", "ALTERED", "001.seg.key", &|files| {
        files.key_parts.insert(1, vec![7; 108]);
    });
    change("no checkpoint", "MISSING", "checkpoint.txt", &|files| {
        files.checkpoint = None
    });
    for (what, verdict, place, files) in changes {
        for report in [sample.check(&files), sample.check_deep(&files)] {
            assert!(
                has(&report, verdict, place),
                "{what}: {:#?}",
                report.findings
            );
            assert!(
                report.findings.len() <= FEW,
                "{what}: {:#?}",
                report.findings
            );
            assert!(report.resume.is_none());
        }
    }
}

#[test]
fn another_logs_checkpoint_is_no_cascade() {
    let sample = sample();
    let mut files = sample.files.clone();
    let note = String::from_utf8(files.checkpoint.unwrap()).unwrap();
    files.checkpoint = Some(note.replace("/orders", "/others").into_bytes());
    let report = sample.check(&files);
    assert!(has(&report, "ALTERED", "checkpoint.txt"));
    assert!(report.findings.len() <= FEW, "{:#?}", report.findings);
}

#[test]
fn what_only_the_kek_can_see() {
    let sample = sample();
    for at in [0, 16, 28, 75] {
        let mut files = sample.files.clone();
        files.change_key_part(1, |part| part[at] ^= 1);
        let report = sample.check(&files);
        assert_eq!(report.findings, [], "byte {at}");
        // The report says so.
        assert_eq!(report.notes, [Note::NotOpened]);
        let report = sample.check_deep(&files);
        assert!(has(&report, "ALTERED", "001.seg, header"), "byte {at}");
        assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    }
}

#[test]
fn a_key_file_that_fits_is_preferred() {
    let sample = sample();
    let mut files = sample.files.clone();
    let header = sample.files.frames(1)[0].start;
    let part = files.segments[&1][header - 108..header].to_vec();
    files.key_parts.insert(1, part);
    // A rotation that was cut off while it wrote over the header.
    files.segments.get_mut(&1).unwrap()[header - 80] ^= 1;
    assert_eq!(sample.check_deep(&files).findings, []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_change_is_found_and_none_panics(
        changes in proptest::collection::vec((0_u64..4, any::<prop::sample::Index>(), 1_u8..=255), 1..6),
    ) {
        let sample = sample();
        let mut files = sample.files.clone();
        for (number, at, flip) in &changes {
            let bytes = files.segments.get_mut(number).unwrap();
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
        }
        let changed = files.segments != sample.files.segments;
        prop_assert_eq!(sample.check(&files).findings.is_empty(), !changed);
        prop_assert_eq!(sample.check_deep(&files).findings.is_empty(), !changed);
    }
    #[test]
    fn frames_in_any_other_order_are_found_and_none_panics(
        changes in proptest::collection::vec((0_u64..4, 0..4, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..5),
    ) {
        let sample = sample();
        let mut files = sample.files.clone();
        let whole: Vec<Vec<u8>> = (0..4).flat_map(|number| {
            let bytes = &sample.files.segments[&number];
            sample.files.frames(number).into_iter().map(|at| bytes[at].to_vec())
        }).collect();
        for (number, kind, from, to) in &changes {
            if files.frames(*number).is_empty() {
                continue;
            }
            files.reorder(*number, |frames| {
                let (a, b) = (from.index(frames.len()), to.index(frames.len()));
                match kind {
                    0 => drop(frames.remove(a)),
                    1 => frames.insert(b, frames[a].clone()),
                    2 => frames.swap(a, b),
                    _ => frames.insert(b, whole[from.index(whole.len())].clone()),
                }
            });
        }
        let changed = files.segments != sample.files.segments;
        for report in [sample.check(&files), sample.check_deep(&files)] {
            prop_assert_eq!(report.findings.is_empty(), !changed);
            prop_assert!(report.findings.len() <= FEW * (changes.len() + 1), "{:#?}", report.findings);
        }
    }
}
