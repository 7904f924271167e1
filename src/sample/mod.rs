//! A believable month of a small company, for the demo, the tests and the benches.
//!
//! Made from a seed alone: the same seed, size and start give the same bytes. Ten people work
//! here, two hundred are customers, and nobody of them exists. One customer,
//! [`PROTAGONIST`], goes through everything that a log like this is kept for: consent, orders,
//! a colleague's curiosity, a breach, a request for access, and one for erasure.

mod daily;
mod story;

use crate::time::Timestamp;

/// The customer with the rich story.
pub const PROTAGONIST: &str = "customer-0042";

const CUSTOMERS: u64 = 200;
const CONTROLLER: &str = "Lindenhof Goods";
const DAY_MICROS: u64 = 24 * 3600 * 1_000_000;
const MONTH_MICROS: u64 = 30 * DAY_MICROS;

/// Events of one month, one JSON line each without its LF, in order of time.
pub struct Month {
    random: Random,
    start: Timestamp,
    events: u64,
    next: u64,
    scenes: std::slice::Iter<'static, story::Scene>,
}

impl Month {
    /// A month of `events` events that begins at `start`.
    ///
    /// From about a hundred events on, the whole story of [`PROTAGONIST`] fits in.
    pub fn new(seed: u64, events: usize, start: Timestamp) -> Self {
        Self {
            random: Random(seed),
            start,
            events: events as u64,
            next: 0,
            scenes: story::SCENES.iter(),
        }
    }

    /// When event number `next` happens: each has its slice of the month and lies somewhere
    /// in it, so times ascend.
    fn time(&mut self) -> Timestamp {
        let slice = (MONTH_MICROS / self.events).max(1);
        let even = u128::from(MONTH_MICROS) * u128::from(self.next) / u128::from(self.events);
        let within = self.random.below(slice);
        self.start
            .plus_micros(office_hours(even as u64 + within) as i64)
    }

    /// The next scene of the story, once its part of the month has come.
    fn scene(&mut self) -> Option<&'static story::Scene> {
        let scene = self.scenes.as_slice().first()?;
        let due = u64::from(scene.permille) * self.events / 1000 <= self.next;
        if due { self.scenes.next() } else { None }
    }
}

impl Iterator for Month {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        if self.next == self.events {
            return None;
        }
        let time = self.time();
        let id = format!("ev-{:016x}", self.random.next());
        let line = Line::new(time, &id);
        let line = match self.scene() {
            Some(scene) => scene.write(line),
            None => daily::write(line, &mut self.random),
        };
        self.next += 1;
        Some(line.end())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.events - self.next).unwrap_or(usize::MAX);
        (left, Some(left))
    }
}

/// Moves an evenly spread time of day to where work is done: a tenth of the day's events before
/// eight o'clock, eight tenths until six, a tenth in the evening. Order is kept.
fn office_hours(micros: u64) -> u64 {
    const TENTH: u64 = DAY_MICROS / 10;
    const HOUR: u64 = DAY_MICROS / 24;
    let (day, within) = (micros / DAY_MICROS, micros % DAY_MICROS);
    let moved = match within / TENTH {
        0 => scale(within, 8 * HOUR, TENTH),
        1..=8 => 8 * HOUR + scale(within - TENTH, 10 * HOUR, 8 * TENTH),
        _ => 18 * HOUR + scale(within - 9 * TENTH, 6 * HOUR, TENTH),
    };
    day * DAY_MICROS + moved
}

/// `value · to / from`, of numbers whose product passes 64 bits.
fn scale(value: u64, to: u64, from: u64) -> u64 {
    (u128::from(value) * u128::from(to) / u128::from(from)) as u64
}

/// An event being written, field by field.
struct Line(String);

impl Line {
    fn new(time: Timestamp, id: &str) -> Self {
        Self(format!("{{\"time\":\"{time}\",\"id\":\"{id}\""))
    }

    /// A field that is a string.
    fn text(self, name: &str, value: &str) -> Self {
        let quoted = serde_json::Value::from(value).to_string();
        self.raw(name, &quoted)
    }

    /// A field that is already JSON.
    fn raw(mut self, name: &str, json: &str) -> Self {
        for part in [",\"", name, "\":", json] {
            self.0.push_str(part);
        }
        self
    }

    /// Several string fields.
    fn texts(self, fields: &[(&str, &str)]) -> Self {
        let add = |line: Self, (name, value): &(&str, &str)| line.text(name, value);
        fields.iter().fold(self, add)
    }

    fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): enough for examples, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0. The bias is below 2^-20 for all ends used here.
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        let at = self.below(from.len().max(1) as u64) as usize;
        from.get(at).copied().unwrap_or_default()
    }

    /// Some customers come more often than others: the lesser of two draws.
    fn customer(&mut self) -> String {
        let number = self.below(CUSTOMERS).min(self.below(CUSTOMERS)) + 1;
        format!("customer-{number:04}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Context, Limits, OnInvalid, read_body};
    use crate::ids::TokenId;

    const START: Timestamp = Timestamp(1_777_593_600_000_000);

    fn read(lines: &[String]) -> crate::event::Entries {
        let context = Context {
            received_at: START,
            submitted_by: TokenId([0; 16]),
            limits: Limits::default(),
        };
        let taken = read_body(lines.join("\n").as_bytes(), &context, OnInvalid::Refuse);
        assert!(taken.is_ok(), "{taken:?}");
        taken
            .map(|submission| submission.entries)
            .unwrap_or_default()
    }

    fn month(seed: u64, events: usize) -> Vec<String> {
        Month::new(seed, events, START).collect()
    }

    #[test]
    fn every_line_is_an_event_and_times_ascend() {
        for (seed, events) in [(1, 0), (2, 1), (3, 7), (4, 100), (5, 20_000)] {
            let lines = month(seed, events);
            if lines.is_empty() {
                assert_eq!(events, 0);
                continue;
            }
            let entries = read(&lines);
            assert_eq!(entries.len(), events);
            assert!(entries.times().is_sorted());
            let end = START.plus_micros(MONTH_MICROS as i64);
            assert!(
                entries
                    .times()
                    .iter()
                    .all(|time| (START..end).contains(time))
            );
        }
    }

    #[test]
    fn a_seed_is_a_month() {
        assert_eq!(month(7, 500), month(7, 500));
        assert_ne!(month(7, 500), month(8, 500));
    }

    #[test]
    fn the_story_is_told_in_a_hundred_events() {
        let lines = month(9, 100);
        for operation in [
            "access.requested",
            "access.fulfilled",
            "erasure.requested",
            "erasure.refused",
            "breach.notified",
            "consent.withdrawn",
        ] {
            let quoted = format!("\"operation\":\"{operation}\"");
            assert!(
                lines.iter().any(|line| line.contains(&quoted)),
                "{operation}"
            );
        }
        assert!(
            lines
                .iter()
                .any(|line| line.contains("\"outcome\":\"denied\""))
        );
        let entries = read(&lines);
        let told = entries
            .postings()
            .filter(|(_, subject)| *subject == PROTAGONIST);
        assert!(told.count() >= story::SCENES.len());
    }

    #[test]
    fn everybody_appears() {
        let entries = read(&month(10, 20_000));
        let mut names: Vec<&str> = entries.postings().map(|(_, subject)| subject).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CUSTOMERS as usize);
    }
}
