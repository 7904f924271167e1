//! A quiet log: an event a minute, for a month of its own clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use estreat::ids::LogName;
use estreat::ingest::Options;
use estreat::time::{Clock, Timestamp};

use super::event;
use crate::support::engine::Engine;

struct SetClock(AtomicI64);

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_segment_rolls_when_it_is_a_day_old() {
    const HOUR: i64 = 3600 * 1_000_000;
    let folder = tempfile::tempdir().expect("a folder");
    let clock = Arc::new(SetClock(AtomicI64::new(1_777_887_000_000_000)));
    let engine = Engine::start_at(
        folder.path(),
        Options::default(),
        clock.clone(),
        |storage| storage,
    )
    .await;
    for hour in 0..24 * 10 {
        engine
            .append("quiet", &event("s", hour))
            .await
            .expect("acknowledged");
        clock.0.fetch_add(HOUR, Ordering::SeqCst);
    }
    let name = LogName::new("quiet").expect("a name");
    let segments = engine.storage.segments(&name).expect("segments");
    // A day and the hour in which the next event came.
    assert_eq!(segments.len(), 10, "{segments:?}");
    engine.stop().await;
}
