//! The processor's cores, for work that comes in independent pieces.
//!
//! Ingest has threads of its own. This is for checks, which come seldom and should end soon:
//! threads are made for each call and end with it, so that nothing idles in between.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many cores this process may use.
/// By affinity and cgroup, as the operating system tells it at each call.
pub fn all() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Half of the cores, at least one: for long work beside a server's own.
/// A check on a server must not keep those waiting who append or read.
pub fn half() -> NonZeroUsize {
    NonZeroUsize::new(all().get() / 2).unwrap_or(NonZeroUsize::MIN)
}

/// Calls `piece` once for each number below `count`, on up to `cores` threads of which the
/// caller's is one, and comes back when all are done. A thread takes the next piece when it has
/// done one, so pieces may be of different sizes.
/// A panic in a piece comes out of this call, once the others are done.
pub fn spread(cores: NonZeroUsize, count: usize, piece: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            // It only gives out numbers; what pieces write is seen by the caller because the
            // threads are joined.
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= count {
                return;
            }
            piece(n);
        }
    };
    thread::scope(|scope| {
        // Where no thread can be had, the others do its part.
        for helper in 1..cores.get().min(count) {
            let named = thread::Builder::new().name(format!("core {helper}"));
            let _ = named.spawn_scoped(scope, work);
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn every_piece_is_done_once() {
        for (cores, count) in [(1, 5), (3, 0), (3, 1), (4, 1000)] {
            let done = Mutex::new(vec![0; count]);
            let cores = NonZeroUsize::new(cores).unwrap();
            spread(cores, count, &|n| done.lock().unwrap()[n] += 1);
            assert_eq!(done.into_inner().unwrap(), vec![1; count]);
        }
    }
}
