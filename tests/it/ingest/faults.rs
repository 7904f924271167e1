//! Where a write fails: nothing acknowledged is lost, nothing given up comes back, and the log
//! takes entries again.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use estreat::ids::LogName;
use estreat::ingest::{IngestError, Options, subject_key};

use super::event;
use crate::support::engine::Engine;
use crate::support::faults::{Fault, FaultyStorage, Switch};

/// Appends until it is acknowledged, as a client would; the number of refusals.
async fn append_until_acknowledged(engine: &Engine, body: &str) -> usize {
    let until = Instant::now() + Duration::from_secs(60);
    let mut refused = 0;
    loop {
        match engine.append("orders", body).await {
            Ok(_) => return refused,
            Err(IngestError::Disk(_) | IngestError::Recovering) => refused += 1,
            Err(other) => panic!("{other}"),
        }
        assert!(Instant::now() < until, "not repaired within a minute");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_write_or_sync_is_given_up_whole_and_the_log_goes_on() {
    for fault in Fault::ALL {
        for successes in [0, 1, 4] {
            let folder = tempfile::tempdir().expect("a folder");
            let switch = Switch::new(fault, successes, 2);
            let options = Options {
                roll_interval_micros: 0,
                roll_bytes: 1500,
                ..Options::default()
            };
            let wrapped = switch.clone();
            let engine = Engine::start_with(folder.path(), options, move |storage| {
                FaultyStorage::wrap(storage, &wrapped)
            })
            .await;
            let mut refused = 0;
            for n in 0..20 {
                refused += append_until_acknowledged(&engine, &event("s", n)).await;
            }
            let failed = switch.failed.load(Ordering::SeqCst);
            assert!(failed > 0, "{fault:?} after {successes}: nothing failed");
            // A fault at a close refuses nobody; at a batch it refuses that batch.
            assert!(refused > 0 || successes > 0, "{fault:?} after {successes}");
            check(&engine, &format!("{fault:?} after {successes}")).await;
            engine.stop().await;
            let engine = Engine::start(folder.path()).await;
            check(&engine, &format!("{fault:?} after {successes}, restarted")).await;
            engine.stop().await;
        }
    }
}

/// Exactly the acknowledged entries are there, and the chain goes through.
async fn check(engine: &Engine, what: &str) {
    let log = engine
        .ingest
        .log(&LogName::new("orders").expect("a name"))
        .expect("the log");
    let checkpoint = engine.ingest.roll(&log).await.expect("a roll");
    assert_eq!(log.head().entries, 20, "{what}");
    assert_eq!(checkpoint.size, log.head().links, "{what}");
    let mut indexed = log.indexed();
    let segments = engine.storage.segments(&log.name).expect("segments").len() as u64;
    let last = indexed.wait_for(|last| *last == Some(segments - 1));
    tokio::time::timeout(Duration::from_secs(30), last)
        .await
        .expect("indexed")
        .expect("a log");
    let recent = engine
        .ingest
        .recent(&log, &subject_key("s"))
        .await
        .expect("a look");
    assert!(
        recent.hits.is_empty(),
        "{what}: the catalog knows everything"
    );
    let names = std::slice::from_ref(&log.name);
    let totals = engine.catalog.totals_of(names).await.expect("totals");
    let totals = totals.get(&log.name).copied().unwrap_or_default();
    assert_eq!(totals.segments, segments, "{what}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_index_is_rebuilt_for_searches_keys_and_closing() {
    let folder = tempfile::tempdir().expect("a folder");
    // A budget so small that every commit drops the index.
    let options = Options {
        roll_interval_micros: 0,
        active_index_bytes: 1,
        ..Options::default()
    };
    let engine = Engine::start_with(folder.path(), options, |storage| storage).await;
    for n in 0..30 {
        engine
            .append("orders", &event(&format!("s{}", n % 3), n))
            .await
            .expect("acknowledged");
        engine
            .append("others", &event("t", n))
            .await
            .expect("acknowledged");
    }
    let log = engine
        .ingest
        .log(&LogName::new("orders").expect("a name"))
        .expect("the log");
    let recent = engine
        .ingest
        .recent(&log, &subject_key("s1"))
        .await
        .expect("a look");
    assert_eq!(
        recent
            .hits
            .iter()
            .map(|hit| hit.entries.len())
            .sum::<usize>(),
        10
    );
    let checkpoint = engine.ingest.roll(&log).await.expect("a roll");
    assert_eq!(checkpoint.size, log.head().links);
    engine.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_index_is_closed_with_its_segment_when_memory_is_short() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = Options {
        active_index_bytes: 1 << 20,
        ..Options::default()
    };
    let engine = Engine::start_with(folder.path(), options, |storage| storage).await;
    let body: String = (0..4096).map(|n| event("s", n) + "\n").collect();
    const GROUPS: usize = 80;
    for _ in 0..GROUPS {
        engine.append("large", &body).await.expect("acknowledged");
    }
    let large = LogName::new("large").expect("a name");
    let large = engine.ingest.log(&large).expect("the log");
    assert!(!large.head().closed, "it is the only log, and stays open");
    // A dropped index would leave the segment open for a day. Memory is looked at when indexes have
    // grown by some part of the budget.
    let until = Instant::now() + Duration::from_secs(60);
    while !large.head().closed {
        assert!(Instant::now() < until, "not closed within a minute");
        engine.append("other", &body).await.expect("acknowledged");
    }
    let found = engine.ingest.recent(&large, &subject_key("s")).await;
    let hits = found.expect("a look").hits;
    let in_memory: usize = hits.iter().map(|hit| hit.entries.len()).sum();
    assert!(in_memory == GROUPS * 4096 || large.indexed().borrow().is_some());
    engine.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_queue_answers_busy_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = Options {
        queue_groups: 1,
        queue_wait: Duration::ZERO,
        ..Options::default()
    };
    let engine =
        std::sync::Arc::new(Engine::start_with(folder.path(), options, |storage| storage).await);
    let mut tasks = Vec::new();
    for task in 0..32 {
        let engine = engine.clone();
        tasks.push(tokio::spawn(async move {
            engine.append("orders", &event("s", task)).await
        }));
    }
    let mut acknowledged = 0;
    for task in tasks {
        match task.await.expect("a task") {
            Ok(_) => acknowledged += 1,
            Err(error) => assert_eq!(error, IngestError::Busy),
        }
    }
    let log = engine
        .ingest
        .log(&LogName::new("orders").expect("a name"))
        .expect("the log");
    assert_eq!(log.head().entries, acknowledged);
    assert!(acknowledged > 0);
    std::sync::Arc::into_inner(engine)
        .expect("no other user")
        .stop()
        .await;
}
