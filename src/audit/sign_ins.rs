//! Sign-ins that were refused: counted by kind, and spoken of now and then, without any name.

use std::sync::{Mutex, PoisonError};

use super::AuditError;
use crate::limits::REFUSED_SIGN_INS_LINE_MICROS;
use crate::time::Timestamp;

/// How somebody tries to sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// With a name and a password.
    Password,
    /// With a token.
    Token,
}

/// The kinds of refusals: the words of metrics. The third is an attempt that came too soon after
/// wrong ones, whose password was not looked at.
pub(super) const KINDS: [&str; 3] = ["password", "token", "limited"];

/// Minutes of an hour, each with its count.
const MINUTES: usize = 60;
/// In microseconds.
const MINUTE_MICROS: i64 = 60_000_000;

/// Refused sign-ins since the server's start.
#[derive(Default)]
pub(super) struct RefusedSignIns(Mutex<Counts>);

/// A kilobyte, whatever comes.
struct Counts {
    all: [u64; KINDS.len()],
    /// At the minute's number modulo their count: the minute, and its refusals.
    minutes: [(i64, u64); MINUTES],
    /// Those that no line has spoken of yet.
    unsaid: [u64; KINDS.len()],
    said_at: Option<Timestamp>,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            all: Default::default(),
            minutes: [(0, 0); MINUTES],
            unsaid: Default::default(),
            said_at: None,
        }
    }
}

impl RefusedSignIns {
    /// Notes what became of a sign-in; gives a line for the log if it was refused and there was
    /// none for a while.
    pub(super) fn note<T>(
        &self,
        way: Way,
        signed_in: &Result<T, AuditError>,
        now: Timestamp,
    ) -> Option<String> {
        let kind = match (signed_in, way) {
            (Err(AuditError::Unauthorized), Way::Password) => 0,
            (Err(AuditError::Unauthorized), Way::Token) => 1,
            (Err(AuditError::TooSoon(_)), _) => 2,
            _ => return None,
        };
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.all[kind] += 1;
        counts.unsaid[kind] += 1;
        let minute = now.0.div_euclid(MINUTE_MICROS);
        let slot = &mut counts.minutes[minute.rem_euclid(MINUTES as i64) as usize];
        if slot.0 != minute {
            *slot = (minute, 0);
        }
        slot.1 += 1;
        // A clock that was set back keeps no line away for long.
        let since = counts.said_at.map(|at| now.0.abs_diff(at.0));
        if since.is_some_and(|since| since < REFUSED_SIGN_INS_LINE_MICROS.unsigned_abs()) {
            return None;
        }
        counts.said_at = Some(now);
        let [password, token, limited] = std::mem::take(&mut counts.unsaid);
        Some(format!(
            "sign-ins refused since the last such line: {password} for a password, {token} for a token, {limited} that came too soon"
        ))
    }

    /// Each kind, and how many.
    pub(super) fn counts(&self) -> [(&'static str, u64); KINDS.len()] {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner).all;
        std::array::from_fn(|kind| (KINDS[kind], all[kind]))
    }

    /// How many there were in the last hour.
    pub(super) fn last_hour(&self, now: Timestamp) -> u64 {
        let last = now.0.div_euclid(MINUTE_MICROS);
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let within = counts
            .minutes
            .iter()
            .filter(|(minute, _)| (0..MINUTES as i64).contains(&(last - minute)));
        within.map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRONG: Result<(), AuditError> = Err(AuditError::Unauthorized);

    fn at(minute: i64) -> Timestamp {
        Timestamp(minute * MINUTE_MICROS + 5)
    }

    #[test]
    fn an_hour_is_counted_by_minutes_that_come_and_go() {
        let refused = RefusedSignIns::default();
        let soon: Result<(), _> = Err(AuditError::TooSoon(10));
        for minute in [0, 0, 30, 59, 60, 120] {
            refused.note(Way::Password, &soon, at(minute));
            refused.note(Way::Token, &Ok(()), at(minute));
        }
        refused.note(Way::Token, &WRONG, at(120));
        assert_eq!(
            refused.counts(),
            [("password", 0), ("token", 1), ("limited", 6)]
        );
        assert_eq!(refused.last_hour(at(120)), 2);
        assert_eq!(refused.last_hour(at(179)), 2);
        assert_eq!(refused.last_hour(at(180)), 0);
    }

    #[test]
    fn a_flood_is_one_line_a_minute_which_counts_all_before_it() {
        let refused = RefusedSignIns::default();
        let lines = |minute: i64, times: u32| {
            (0..times)
                .filter_map(|_| refused.note(Way::Password, &WRONG, at(minute)))
                .collect::<Vec<_>>()
        };
        let first = lines(0, 100);
        assert_eq!(first.len(), 1);
        assert!(first[0].contains(" 1 for a password"), "{first:?}");
        let second = lines(1, 100);
        assert_eq!(second.len(), 1);
        assert!(second[0].contains(" 100 for a password"), "{second:?}");
        // The clock is set back by a year.
        assert_eq!(lines(-525_600, 5).len(), 1);
    }
}
