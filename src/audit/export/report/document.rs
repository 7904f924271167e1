//! What a report says, in order: the one source of report.html and report.pdf.
//!
//! HTML and PDF are made of the same blocks, so that they cannot say different things.

use crate::messages::{Lang, Run, Shown, shown};

/// A text of runs.
pub type Text = Vec<Run>;

/// A whole report.
pub struct Document {
    /// Its language.
    pub lang: Lang,
    /// Its title, which names nobody.
    pub title: String,
    /// What it is, in a sentence.
    pub lead: String,
    /// The moment at which it was made, canonical.
    pub created_at: String,
    /// Its sections.
    pub sections: Vec<Section>,
}

/// A section.
pub struct Section {
    /// Its heading.
    pub title: String,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

/// A part of a section.
pub enum Block {
    /// A heading below the section's.
    Heading(String),
    /// A paragraph.
    Text(Text),
    /// The verdict.
    Verdict {
        /// Whether nothing was found.
        sound: bool,
        /// The line.
        text: Text,
    },
    /// A paragraph that nobody may overlook.
    Alarm(Text),
    /// Names and what they stand for.
    Facts(Vec<(String, Text)>),
    /// What to do, step by step.
    Steps(Vec<Text>),
    /// Points of one kind.
    Points(Vec<Text>),
    /// What a machine reads, line by line.
    Code(String),
    /// A table.
    Table(Table),
    /// A plot.
    Chart(Chart),
}

/// A table.
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, as many cells in each as there are columns.
    pub rows: Vec<Vec<Text>>,
}

/// A column.
pub struct Column {
    /// Its heading.
    pub name: String,
    /// Whether it holds numbers.
    pub number: bool,
    /// Its share of the width, beside those of the others.
    pub share: u8,
}

/// A plot of bars.
pub struct Chart {
    /// What it shows.
    pub caption: String,
    /// Labels and values.
    pub bars: Vec<(String, u64)>,
}

/// Width of a plot's coordinates.
pub const CHART_WIDTH: u32 = 640;
/// Height of one of its bars, with the space behind it.
pub const BAR_HEIGHT: u32 = 22;
/// Where its bars begin, right of their labels.
pub const BAR_BEGIN: u32 = 130;
/// The longest bar; its number stands behind it.
const BAR_LONGEST: u64 = 400;

impl Chart {
    /// The height of the plot's coordinates.
    pub fn height(&self) -> u32 {
        self.bars.len() as u32 * BAR_HEIGHT
    }

    /// The length of a bar, at least one unit for any value but none.
    pub fn length(&self, value: &u64) -> u32 {
        let most = self.bars.iter().map(|(_, value)| *value).max();
        let most = most.unwrap_or(0).max(1);
        let length = (u128::from(*value) * u128::from(BAR_LONGEST)).div_ceil(u128::from(most));
        length as u32
    }
}

impl Table {
    /// A table without rows.
    pub fn new(caption: String, columns: Vec<Column>) -> Self {
        Self {
            caption,
            columns,
            rows: Vec::new(),
        }
    }
}

impl Column {
    /// A column of words.
    pub fn words(name: String, share: u8) -> Self {
        Self {
            name,
            number: false,
            share,
        }
    }

    /// A column of numbers.
    pub fn numbers(name: String, share: u8) -> Self {
        Self {
            name,
            number: true,
            share,
        }
    }
}

/// A text for HTML.
pub fn html(text: &Text) -> Shown {
    shown(text.clone())
}

/// A text of the product's own.
pub fn plain(text: impl Into<String>) -> Text {
    vec![Run::plain(text)]
}

/// A text from outside.
pub fn outside(text: &str) -> Text {
    vec![Run::outside(text)]
}

/// A text from outside, to be read letter by letter.
pub fn code(text: &str) -> Text {
    vec![Run::code(text)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_values() {
        let chart = Chart {
            caption: String::new(),
            bars: [0, 1, 500, 1000].map(|value| (String::new(), value)).into(),
        };
        let lengths: Vec<u32> = chart
            .bars
            .iter()
            .map(|(_, value)| chart.length(value))
            .collect();
        assert_eq!(lengths, [0, 1, 200, 400]);
        assert_eq!(chart.height(), 4 * BAR_HEIGHT);
    }
}
