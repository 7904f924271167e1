//! The languages, how one is chosen, and how each writes numbers and days.

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A language that people read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Lang {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// German.
    #[serde(rename = "de")]
    German,
}

impl Lang {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// Its tag (BCP 47), as in `lang=`.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// What it calls itself.
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
        }
    }

    /// The language with a tag.
    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.code() == code)
    }

    /// The language that a browser likes best of these, by its `Accept-Language` (RFC 9110,
    /// 12.5.4); `None` if it names none of them.
    pub fn accepted(header: &str) -> Option<Self> {
        let mut best = None;
        for range in header.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let tag = parts.next().unwrap_or_default();
            let primary = tag.split('-').next().unwrap_or_default();
            let Some(lang) = Self::parse(&primary.to_ascii_lowercase()) else {
                continue;
            };
            let weight = parts.find_map(|part| part.strip_prefix("q="));
            let weight: f32 = weight.map_or(1.0, |text| text.parse().unwrap_or(0.0));
            let better = best.is_none_or(|(_, so_far)| weight > so_far);
            if better && weight > 0.0 {
                best = Some((lang, weight));
            }
        }
        best.map(|(lang, _)| lang)
    }

    /// A whole number to the digit, its thousands set apart: 1,234,567 or 1.234.567.
    pub fn number(self, number: impl Display) -> String {
        let mark = match self {
            Self::English => ',',
            Self::German => '.',
        };
        let digits = number.to_string();
        let mut out = String::with_capacity(digits.len() + digits.len() / 3);
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                out.push(mark);
            }
            out.push(digit);
        }
        out
    }

    /// A day: 4 May 2026, or 4. Mai 2026.
    pub fn day(self, year: i64, month: u64, day: u64) -> String {
        self.with("day")
            .count("month", month)
            .arg("day", day)
            .arg("year", year)
            .to_string()
    }

    /// A month written `2026-05`: May 2026, or Mai 2026. Anything else comes back as it is.
    pub fn month(self, text: &str) -> String {
        let month = text.get(5..7).and_then(|month| month.parse::<u64>().ok());
        match (text.get(..4), month) {
            (Some(year), Some(month)) if text.len() == 7 => self
                .with("month")
                .count("month", month)
                .arg("year", year)
                .to_string(),
            _ => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_the_language_that_it_likes_best() {
        let (english, german) = (Some(Lang::English), Some(Lang::German));
        for (header, lang) in [
            ("de", german),
            ("de-AT, en;q=0.8", german),
            ("en;q=0.8, de-DE", german),
            ("fr, en-GB;q=0.5, de;q=0.4", english),
            ("DE", german),
            ("de;q=0, en;q=0.1", english),
            ("fr, *", None),
            ("", None),
            ("de;q=x", None),
        ] {
            assert_eq!(Lang::accepted(header), lang, "{header}");
        }
    }

    #[test]
    fn numbers_are_exact_and_days_are_in_words() {
        assert_eq!(Lang::English.number(0_u64), "0");
        let large = 9_007_199_254_740_991_u64;
        assert_eq!(Lang::English.number(large), "9,007,199,254,740,991");
        assert_eq!(Lang::German.number(large), "9.007.199.254.740.991");
        assert_eq!(Lang::English.day(2026, 5, 4), "4 May 2026");
        assert_eq!(Lang::German.day(2026, 3, 4), "4. März 2026");
        assert_eq!(Lang::German.month("2026-12"), "Dezember 2026");
        assert_eq!(Lang::German.month("—"), "—");
    }
}
