//! How many entries there are on each day: counted from the indexes, without opening any entry.

use std::collections::BTreeMap;

use crate::limits::MAX_PLOT_BARS;
use crate::time::Timestamp;

/// In microseconds; days are those of UTC, which all have this length.
const DAY_MICROS: i64 = 24 * 3600 * 1_000_000;

/// What is counted apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unit {
    /// Days, in UTC.
    #[default]
    Day,
    /// Months, where the days are too many.
    Month,
    /// Years, where the months are.
    Year,
}

/// Entries by day of their event time; by month or year, where those are too many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Days {
    /// What is counted apart.
    pub unit: Unit,
    /// All of them.
    pub total: u64,
    /// By number of the day since 1970, of the month since year 0, or of the year.
    counts: BTreeMap<i64, u64>,
}

/// One day, month or year with entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// How many units it lies behind the first.
    pub at: u64,
    /// As ISO 8601 writes it.
    pub label: String,
    /// Its entries.
    pub count: u64,
}

impl Days {
    /// Counts an entry.
    pub(super) fn add(&mut self, time: Timestamp) {
        self.total += 1;
        let day = time.0.div_euclid(DAY_MICROS);
        *self.counts.entry(self.unit.of_day(day)).or_default() += 1;
        // Years are few enough as they are: events have four digits for them.
        if self.counts.len() > MAX_PLOT_BARS && self.unit != Unit::Year {
            self.coarsen();
        }
    }

    /// Those with entries, the earliest first.
    pub fn bars(&self) -> Vec<Bar> {
        let first = self.counts.keys().next().copied().unwrap_or_default();
        let bars = self.counts.iter();
        bars.map(|(number, count)| Bar {
            at: number.abs_diff(first),
            label: self.unit.label(*number),
            count: *count,
        })
        .collect()
    }

    /// Goes over to the next larger unit, until there are few enough bars.
    fn coarsen(&mut self) {
        let coarser = match self.unit {
            Unit::Day => Unit::Month,
            Unit::Month | Unit::Year => Unit::Year,
        };
        let mut counts = BTreeMap::new();
        for (number, count) in &self.counts {
            let number = match (self.unit, coarser) {
                (Unit::Day, _) => coarser.of_day(*number),
                (Unit::Month, _) => number.div_euclid(12),
                (Unit::Year, _) => *number,
            };
            *counts.entry(number).or_default() += count;
        }
        self.unit = coarser;
        self.counts = counts;
    }
}

impl Unit {
    /// The number of the unit in which a day lies.
    fn of_day(self, day: i64) -> i64 {
        let text = first_moment(day);
        let part = |range: std::ops::Range<usize>| {
            text.get(range).and_then(|part| part.parse::<i64>().ok())
        };
        let (year, month) = (
            part(0..4).unwrap_or_default(),
            part(5..7).unwrap_or_default(),
        );
        match self {
            Self::Day => day,
            Self::Month => year * 12 + month - 1,
            Self::Year => year,
        }
    }

    /// What stands below a bar.
    fn label(self, number: i64) -> String {
        match self {
            Self::Day => first_moment(number).chars().take(10).collect(),
            Self::Month => format!(
                "{:04}-{:02}",
                number.div_euclid(12),
                number.rem_euclid(12) + 1
            ),
            Self::Year => format!("{number:04}"),
        }
    }
}

/// Where a day begins.
fn first_moment(day: i64) -> String {
    Timestamp(day.saturating_mul(DAY_MICROS)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_days(days: impl Iterator<Item = i64>) -> Days {
        let mut counted = Days::default();
        days.for_each(|day| counted.add(Timestamp(day * DAY_MICROS + 1)));
        counted
    }

    #[test]
    fn days_are_counted_apart_and_nothing_is_lost() {
        let counted = of_days([0, 0, 3, -1].into_iter());
        let bars = counted.bars();
        let shown: Vec<_> = bars
            .iter()
            .map(|bar| (bar.at, &*bar.label, bar.count))
            .collect();
        assert_eq!(
            shown,
            [
                (0, "1969-12-31", 1),
                (1, "1970-01-01", 2),
                (4, "1970-01-04", 1)
            ]
        );
        assert_eq!((counted.total, counted.unit), (4, Unit::Day));
    }

    #[test]
    fn too_many_days_become_months_and_too_many_months_years() {
        let counted = of_days(0..800);
        assert_eq!(counted.unit, Unit::Month);
        let bars = counted.bars();
        assert_eq!((bars[0].label.as_str(), bars[0].count), ("1970-01", 31));
        assert_eq!(bars.iter().map(|bar| bar.count).sum::<u64>(), 800);
        let counted = of_days((0..20_000).step_by(7));
        assert_eq!(counted.unit, Unit::Year);
        assert!(counted.bars().len() <= MAX_PLOT_BARS);
        let sum: u64 = counted.bars().iter().map(|bar| bar.count).sum();
        assert_eq!(sum, counted.total);
    }
}
