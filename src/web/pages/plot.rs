//! A plot of entries by day: an image of presentation attributes alone, so that it needs no style
//! of its own and no script.

use crate::audit::{Bar, Days, Unit};

/// Width of the image, in its own units.
pub const WIDTH: u64 = 8000;
/// Height of the image, in its own units.
pub const HEIGHT: u64 = 1000;

/// Entries by day, to be drawn.
pub struct Plot {
    /// The days with entries.
    pub bars: Vec<Column>,
    /// The most entries of one day.
    pub most: u64,
    /// What one column stands for: days become months or years where they are too many.
    unit: Unit,
}

/// One day's column.
pub struct Column {
    /// The day.
    pub label: String,
    /// Its entries.
    pub count: u64,
    /// Its left edge.
    pub x: u64,
    /// Its upper edge.
    pub y: u64,
    /// Its width.
    pub width: u64,
    /// Its height.
    pub height: u64,
}

impl Plot {
    /// Draws what was counted.
    pub fn of(days: &Days) -> Self {
        /// No column is thinner, or lower, than can be seen.
        const LEAST: u64 = 24;
        let bars = days.bars();
        let most = bars.iter().map(|bar| bar.count).max().unwrap_or_default();
        let span = bars.last().map_or(1, |bar| bar.at + 1);
        let step = WIDTH / span.min(WIDTH);
        // A column keeps a tenth of its place free.
        let width = (step * 9 / 10).clamp(LEAST, WIDTH / 10);
        let column = |bar: Bar| {
            let share = u128::from(bar.count) * u128::from(HEIGHT) / u128::from(most.max(1));
            let height = (share as u64).max(LEAST);
            let left = u128::from(bar.at) * u128::from(WIDTH) / u128::from(span);
            Column {
                label: bar.label,
                count: bar.count,
                x: (left as u64).min(WIDTH - width),
                y: HEIGHT - height,
                width,
                height,
            }
        };
        Self {
            bars: bars.into_iter().map(column).collect(),
            most,
            unit: days.unit,
        }
    }

    /// The key of what a column stands for.
    pub fn unit_key(&self) -> &'static str {
        match self.unit {
            Unit::Day => "case-day",
            Unit::Month => "case-month",
            Unit::Year => "case-year",
        }
    }

    /// The first day with entries.
    pub fn first(&self) -> &str {
        self.bars.first().map_or("", |bar| &bar.label)
    }

    /// The last day with entries.
    pub fn last(&self) -> &str {
        self.bars.last().map_or("", |bar| &bar.label)
    }
}
