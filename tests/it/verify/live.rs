//! Beside a running server, in parts, and broken off.

use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use estreat::checkpoint::VerifierKey;
use estreat::digest::Digest;
use estreat::format::header::segment_name;
use estreat::ids::LogName;
use estreat::merkle::Frontier;
use estreat::store::LogFolder;
use estreat::verifier::{Options, Secrets, check_log};

use super::files::{Files, has};
use crate::support::engine::Engine;
use crate::vectors::{json, path, text};

fn vector_key() -> VerifierKey {
    VerifierKey::parse(text(&json("log/expect.json")["vkey"])).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_log_that_is_being_written_is_sound() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::start(folder.path()).await;
    let name = LogName::new("orders").unwrap();
    let event = r#"{"operation":"read","data_subject":"user_1"}"#;
    engine.append("orders", event).await.unwrap();
    let (done, root) = (AtomicBool::new(false), folder.path().join("logs/orders"));
    let (keyring, name_ref) = (engine.keyring.clone(), name.clone());
    let done = std::sync::Arc::new(done);
    let checker = {
        let done = done.clone();
        tokio::task::spawn_blocking(move || {
            let key = keyring.log_verifier(&name_ref).unwrap();
            let mut checks = 0;
            while !done.load(Ordering::Acquire) {
                let files = LogFolder::new(&root);
                let secrets = Secrets {
                    kek: &keyring.kek,
                    index: Some(&keyring.index),
                };
                // Before the first checkpoint there is nothing to hold a key against.
                let signed = root.join("checkpoint.txt").exists();
                let options = Options {
                    name: Some(&name_ref),
                    keys: std::slice::from_ref(&key),
                    secrets: (checks % 2 == 0).then_some(secrets),
                    ..Options::default()
                };
                let report = check_log(&files, options, &mut |_| ControlFlow::Continue(()));
                let report = report.unwrap();
                if signed {
                    assert_eq!(report.findings, [], "{:#?}", report.coverage);
                }
                checks += 1;
            }
            checks
        })
    };
    for n in 0..150 {
        engine.append("orders", event).await.unwrap();
        if n % 20 == 0 {
            let log = engine.ingest.log(&name).unwrap();
            engine.ingest.roll(&log).await.unwrap();
        }
    }
    done.store(true, Ordering::Release);
    assert!(checker.await.unwrap() > 3);
    engine.stop().await;
}

/// As a backup does it: quick until it is near the end, and then slower than the server writes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_made_while_the_server_writes_is_a_sound_beginning() {
    const PIECE: usize = 4096;
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::start(folder.path()).await;
    let name = LogName::new("orders").unwrap();
    let append = async || {
        let event = r#"{"operation":"read","data_subject":"user_1"}"#;
        engine.append("orders", event).await.unwrap();
    };
    append().await;
    let log = engine.ingest.log(&name).unwrap();
    engine.ingest.roll(&log).await.unwrap();
    for _ in 0..100 {
        append().await;
    }
    let copy = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("logs/orders"), copy.path());
    std::fs::create_dir(to.join("segments")).unwrap();
    std::fs::copy(from.join("checkpoint.txt"), to.join("checkpoint.txt")).unwrap();
    let mut left_to_write = 200;
    for number in 0..2 {
        let file = format!("segments/{}", segment_name(number));
        let mut source = File::open(from.join(&file)).unwrap();
        let mut target = File::create(to.join(&file)).unwrap();
        let mut piece = [0; PIECE];
        loop {
            let read = source.read(&mut piece).unwrap();
            if read == 0 {
                break;
            }
            target.write_all(&piece[..read]).unwrap();
            let left = source.metadata().unwrap().len() - source.stream_position().unwrap();
            if number == 1 && left < 2 * PIECE as u64 {
                for _ in 0..left_to_write.min(20) {
                    append().await;
                    left_to_write -= 1;
                }
            }
        }
    }
    let key = engine.keyring.log_verifier(&name).unwrap();
    let options = Options {
        name: Some(&name),
        keys: std::slice::from_ref(&key),
        ..Options::default()
    };
    let files = LogFolder::new(to);
    let report = check_log(&files, options, &mut |_| ControlFlow::Continue(()));
    let report = report.unwrap();
    assert_eq!(report.findings, [], "{:#?}", report.coverage);
    assert!(report.counts.links > 100, "{:#?}", report.counts);
    assert_eq!(left_to_write, 0, "the file did not grow as it was copied");
    engine.stop().await;
}

#[test]
fn a_check_goes_on_where_an_earlier_one_ended() {
    let files = Files::read(&path("log"));
    let keys = [vector_key()];
    let run = |files: &Files, start, end| {
        let options = Options {
            keys: &keys,
            start,
            end,
            ..Options::default()
        };
        check_log(files, options, &mut |_| ControlFlow::Continue(())).unwrap()
    };
    let first = run(&files, None, Some(1));
    assert_eq!(first.findings, []);
    assert_eq!((first.counts.links, first.counts.covered), (4, 0));
    let said = first.coverage.last().unwrap().to_string();
    assert_eq!(
        said,
        "orders: NOT COVERED, from segment 1 on: not asked for"
    );

    let start = first.resume.clone();
    assert!(start.is_some());
    let second = run(&files, start.clone(), None);
    assert_eq!(second.findings, []);
    // The checkpoint's root vouches for the start too.
    assert_eq!((second.counts.links, second.counts.covered), (3, 12));

    let mut changed = files.clone();
    changed.segments.get_mut(&1).unwrap()[400] ^= 1;
    let report = run(&changed, start.clone(), None);
    assert!(has(&report, "ALTERED", "001.seg"));
    assert!(report.resume.is_none());
    let mut changed = files.clone();
    changed.segments.remove(&0);
    assert!(has(
        &run(&changed, start.clone(), None),
        "MISSING",
        "000.seg"
    ));
    changed.segments.clear();
    assert!(has(
        &run(&changed, start.clone(), None),
        "MISSING",
        "000.seg"
    ));

    // A start that is not the log's is found out: by the root, or by the next link.
    let start = start.unwrap();
    let mut wrong = start.clone();
    wrong.tree = Frontier::from_parts(4, vec![Digest::ZERO]).unwrap();
    let report = run(&files, Some(wrong), None);
    assert!(has(&report, "ALTERED", "001.seg"));
    assert_eq!(report.counts.covered, 0);
    let mut wrong = start;
    wrong.chain.next_entry += 1;
    wrong.chain.sums.first_entry += 1;
    assert!(has(&run(&files, Some(wrong), None), "ALTERED", "001.seg"));
}

#[test]
fn a_young_log_has_no_checkpoint_yet() {
    let mut files = Files::read(&path("log"));
    files.checkpoint = None;
    files.segments.remove(&1);
    files.reorder(0, |frames| drop(frames.pop()));
    let report = files.check(&[], None);
    assert_eq!(report.findings, []);
    assert_eq!((report.counts.entries, report.counts.covered), (7, 0));
    assert!(has(
        &files.check(&[vector_key()], None),
        "MISSING",
        "checkpoint.txt"
    ));
}

#[test]
fn progress_is_told_and_can_break_off() {
    let files = Files::read(&path("log"));
    let mut seen = Vec::new();
    let report = check_log(&files, Options::default(), &mut |progress| {
        seen.push((progress.segment, progress.counts.links, progress.segments));
        ControlFlow::Continue(())
    });
    assert_eq!(report.unwrap().findings, []);
    assert_eq!(seen.first(), Some(&(0, 1, 2)));
    assert_eq!(seen.last(), Some(&(1, 7, 2)));
    let stopped = check_log(&files, Options::default(), &mut |_| ControlFlow::Break(()));
    assert_eq!(stopped.unwrap_err().kind(), std::io::ErrorKind::Interrupted);
}

#[test]
fn a_first_sync_that_was_torn_before_any_checkpoint() {
    let sound = Files::read(&path("log"));
    for length in [0, 7, 219] {
        let mut files = Files::default();
        files
            .segments
            .insert(0, sound.segments[&0][..length].to_vec());
        let report = files.check(&[], None);
        assert_eq!(report.findings, [], "{length}");
        assert!(
            report.coverage[0].to_string().contains("cannot be told"),
            "{length}"
        );
        // Whoever has a key expects what it signs.
        assert!(has(
            &files.check(&[vector_key()], None),
            "MISSING",
            "checkpoint.txt"
        ));
    }
    let mut files = Files::default();
    let mut bytes = sound.segments[&0].clone();
    bytes[3] ^= 1;
    files.segments.insert(0, bytes);
    assert!(has(&files.check(&[], None), "ALTERED", "000.seg, header"));
}
