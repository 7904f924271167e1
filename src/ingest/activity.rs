//! What has come to a log lately: entries by the hour, in a few hundred bytes of memory.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::log::Log;
use crate::time::Timestamp;

/// Hours that are kept.
pub const HOURS: usize = 24;
/// In microseconds.
const HOUR_MICROS: i64 = 3_600_000_000;

/// Entries by the hour, since the server's start.
#[derive(Debug, Default)]
pub(super) struct Activity {
    /// At the hour's number modulo their count: the hour, and its entries.
    hours: Mutex<[(i64, u64); HOURS]>,
    quarantined: AtomicU64,
}

impl Activity {
    /// Notes entries that were committed.
    fn note(&self, at: Timestamp, entries: u64) {
        let hour = at.0.div_euclid(HOUR_MICROS);
        let mut hours = self.hours.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = &mut hours[hour.rem_euclid(HOURS as i64) as usize];
        if slot.0 != hour {
            *slot = (hour, 0);
        }
        slot.1 += entries;
    }

    /// Entries of each of the last 24 hours, the present one last.
    fn hours(&self, now: Timestamp) -> [u64; HOURS] {
        let last = now.0.div_euclid(HOUR_MICROS);
        let hours = *self.hours.lock().unwrap_or_else(PoisonError::into_inner);
        std::array::from_fn(|at| {
            let hour = last - (HOURS - 1 - at) as i64;
            let (kept, entries) = hours[hour.rem_euclid(HOURS as i64) as usize];
            if kept == hour { entries } else { 0 }
        })
    }
}

impl Log {
    /// Entries committed in each of the last 24 hours since the server's start, the present hour
    /// last.
    pub fn hours(&self, now: Timestamp) -> [u64; HOURS] {
        self.activity.hours(now)
    }

    /// Quarantined entries since the server's start.
    pub fn quarantined(&self) -> u64 {
        self.activity.quarantined.load(Ordering::Relaxed)
    }

    /// Counted by the time of commit, not of the event: it tells whether a sender has fallen
    /// silent.
    pub(super) fn note_activity(&self, at: Timestamp, entries: u64, quarantined: u64) {
        self.activity.note(at, entries);
        let sum = &self.activity.quarantined;
        sum.fetch_add(quarantined, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_come_and_go() {
        let activity = Activity::default();
        let at = |hour: i64| Timestamp(hour * HOUR_MICROS + 5);
        activity.note(at(100), 2);
        activity.note(at(100), 1);
        activity.note(at(102), 7);
        let mut expected = [0; HOURS];
        (expected[HOURS - 3], expected[HOURS - 1]) = (3, 7);
        assert_eq!(activity.hours(at(102)), expected);
        assert_eq!(activity.hours(at(123))[0], 3);
        assert_eq!(activity.hours(at(126)), [0; HOURS]);
        activity.note(at(124), 4);
        assert_eq!(activity.hours(at(124))[HOURS - 1], 4);
        assert_eq!(
            activity.hours(at(123))[0],
            0,
            "the place is the later hour's"
        );
    }
}
