//! The engine: entries in, durable and chained.

mod faults;
mod quiet;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use estreat::ids::LogName;
use estreat::ingest::subject_key;
use estreat::store::LogFolder;
use estreat::verifier::{Options, check_log};

use crate::support::engine::Engine;

pub fn event(subject: &str, n: usize) -> String {
    format!(r#"{{"operation":"read","data_subject":"{subject}","payload":{{"n":{n}}}}}"#)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_is_found_at_once_and_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Arc::new(Engine::start(folder.path()).await);
    let mut tasks = Vec::new();
    for task in 0..8 {
        let engine = engine.clone();
        tasks.push(tokio::spawn(async move {
            for n in 0..50 {
                let subject = format!("user_{}", n % 5);
                engine
                    .append("orders", &event(&subject, task * 50 + n))
                    .await
                    .expect("acknowledged");
            }
        }));
    }
    for task in tasks {
        task.await.expect("a task");
    }
    let name = LogName::new("orders").expect("a name");
    let log = engine.ingest.log(&name).expect("the log");
    assert_eq!(log.head().entries, 400);
    let recent = engine
        .ingest
        .recent(&log, &subject_key("user_3"))
        .await
        .expect("a look");
    assert_eq!(
        recent
            .hits
            .iter()
            .map(|hit| hit.entries.len())
            .sum::<usize>(),
        80
    );

    let checkpoint = engine.ingest.roll(&log).await.expect("a roll");
    assert_eq!(checkpoint.size, log.head().links);
    engine
        .append("orders", &event("user_3", 1))
        .await
        .expect("acknowledged");
    let engine = Arc::into_inner(engine).expect("no other user");
    engine.stop().await;

    let engine = Engine::start(folder.path()).await;
    let acknowledged = engine.append("orders", &event("user_3", 2)).await;
    let acknowledged = match acknowledged {
        Err(_) => {
            let log = engine.ingest.log(&name).expect("the log");
            engine.ingest.roll(&log).await.expect("recovered");
            engine
                .append("orders", &event("user_3", 2))
                .await
                .expect("acknowledged")
        }
        Ok(acknowledged) => acknowledged,
    };
    assert_eq!(acknowledged.first_entry, 401);
    engine.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headroom_goes_with_the_close_and_with_the_next_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("logs/orders");
    let name = LogName::new("orders").expect("a name");
    let engine = Engine::start(folder.path()).await;
    for n in 0..20 {
        engine
            .append("orders", &event("s", n))
            .await
            .expect("acknowledged");
    }
    assert!(headroom(&root, 0) > 0, "the writer has made none");
    let log = engine.ingest.log(&name).expect("the log");
    engine.ingest.roll(&log).await.expect("a roll");
    assert_eq!(headroom(&root, 0), 0);
    engine
        .append("orders", &event("s", 20))
        .await
        .expect("acknowledged");
    assert!(headroom(&root, 1) > 0, "a small file has some too");
    engine.stop().await;

    let engine = Engine::start(folder.path()).await;
    let log = engine.ingest.log(&name).expect("the log");
    engine.ingest.roll(&log).await.expect("recovered");
    assert_eq!(headroom(&root, 1), 0);
    assert!(!root.join("torn").exists(), "zeros are no evidence");
    assert_eq!(log.head().entries, 21);
    engine.stop().await;
    let files = LogFolder::new(&root);
    let report = check_log(&files, Options::default(), &mut |_| {
        ControlFlow::Continue(())
    });
    assert_eq!(report.expect("a check").findings, []);
}

/// Zeros at the end of a segment's file, but for the one that a tag may end with.
fn headroom(root: &Path, segment: u64) -> usize {
    let path = root.join(format!("segments/{segment:020}.seg"));
    let bytes = std::fs::read(path).expect("a segment");
    let zeros = bytes.iter().rev().take_while(|byte| **byte == 0).count();
    if zeros < 16 { 0 } else { zeros }
}
