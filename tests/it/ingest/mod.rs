//! The engine: entries in, durable and chained.

mod faults;
mod quiet;

use std::sync::Arc;

use estreat::ids::LogName;
use estreat::ingest::subject_key;

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
