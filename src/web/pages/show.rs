//! How values are shown: numbers to the digit, times as `<time>`, and texts from outside so
//! that nothing in them hides or turns what stands beside them.

use std::fmt::{self, Display};

use askama::filters::{Escaper as _, Html, HtmlSafe};

use crate::audit::operation_key;
use crate::finding::Verdict;
use crate::messages::is_hidden;
pub use crate::messages::outside;
use crate::time::Timestamp;
use crate::web::language;

/// A number to the digit, as the page's language writes it.
pub fn count(number: impl Display) -> String {
    language::current().number(number)
}

/// Whether a text has characters that nobody sees.
pub fn hides(text: &str) -> bool {
    text.chars().any(is_hidden)
}

/// Prose of the API's description, where words between backticks are code.
pub struct Prose<'a>(&'a str);

/// Shows prose of the API's description.
pub fn prose(text: &str) -> Prose<'_> {
    Prose(text)
}

impl HtmlSafe for Prose<'_> {}

impl Display for Prose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.0.split('`').enumerate() {
            let is_code = at % 2 == 1;
            f.write_str(if is_code { "<code>" } else { "" })?;
            Html.write_escaped_str(&mut *f, part)?;
            f.write_str(if is_code { "</code>" } else { "" })?;
        }
        Ok(())
    }
}

/// A moment in UTC.
pub struct Moment<'a> {
    canonical: &'a str,
    digits: usize,
}

/// Shows a canonical moment to the second.
pub fn when(canonical: &str) -> Moment<'_> {
    Moment {
        canonical,
        digits: 0,
    }
}

/// Shows a canonical moment to the microsecond.
pub fn exactly(canonical: &str) -> Moment<'_> {
    Moment {
        canonical,
        digits: 7,
    }
}

impl HtmlSafe for Moment<'_> {}

impl Display for Moment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.canonical;
        let end = 19 + self.digits;
        match (text.get(..10), text.get(11..end)) {
            (Some(day), Some(time)) if Timestamp::parse_canonical(text.as_bytes()).is_some() => {
                write!(
                    f,
                    "<time datetime=\"{text}\">{day} <span class=\"whole\">{time}</span> UTC</time>"
                )
            }
            _ => Html.write_escaped_str(f, text),
        }
    }
}

/// How long ago a canonical moment was, in words.
pub fn ago(now: &Timestamp, canonical: &str) -> String {
    let Some(then) = Timestamp::parse_canonical(canonical.as_bytes()) else {
        return String::new();
    };
    let t = language::current();
    let seconds = now.0.saturating_sub(then.0) / 1_000_000;
    let (number, key) = match seconds {
        ..0 => return t.get("ago-future"),
        0..60 => (seconds, "ago-seconds"),
        60..3600 => (seconds / 60, "ago-minutes"),
        3600..172_800 => (seconds / 3600, "ago-hours"),
        _ => (seconds / 86_400, "ago-days"),
    };
    t.with(key).count("n", number.unsigned_abs()).to_string()
}

/// Entries by the hour, as a small plot with its numbers beside it.
pub struct Hours<'a>(&'a [u64]);

/// Shows entries by the hour, the present one last.
pub fn hours(hours: &[u64]) -> Hours<'_> {
    Hours(hours)
}

impl HtmlSafe for Hours<'_> {}

impl Display for Hours<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const HEIGHT: u64 = 24;
        let most = self.0.iter().copied().max().unwrap_or_default();
        let sum: u64 = self.0.iter().sum();
        let now = self.0.last().copied().unwrap_or_default();
        let t = language::current();
        let alt = t
            .with("overview-rate-alt")
            .count("now", now)
            .count("sum", sum)
            .count("most", most);
        let width = self.0.len() * 4;
        write!(
            f,
            "<svg role=\"img\" width=\"{width}\" height=\"{HEIGHT}\" viewBox=\"0 0 {width} {HEIGHT}\" fill=\"currentColor\"><title>"
        )?;
        Html.write_escaped_str(&mut *f, &alt.to_string())?;
        f.write_str("</title>")?;
        for (at, entries) in self.0.iter().enumerate().filter(|(_, it)| **it > 0) {
            // An hour with any entry is seen.
            let share = u128::from(*entries) * u128::from(HEIGHT) / u128::from(most.max(1));
            let height = (share as u64).max(1);
            let (x, y) = (at * 4, HEIGHT - height);
            write!(
                f,
                "<rect x=\"{x}\" y=\"{y}\" width=\"3\" height=\"{height}\"/>"
            )?;
        }
        f.write_str("</svg><br><span class=\"note\">")?;
        let words = t.with("overview-per-hour").count("n", now).to_string();
        Html.write_escaped_str(&mut *f, &words)?;
        f.write_str("</span>")
    }
}

/// A verdict's word, and beside it what it says in the page's language.
pub fn verdict(word: &str) -> String {
    match Verdict::of(word) {
        Some(verdict) => language::current().get(verdict.key()),
        None => word.to_owned(),
    }
}

/// What an operation of the access log is, in words; empty if it has none.
pub fn operation(operation: &str) -> String {
    operation_key(operation).map_or_else(String::new, |key| language::current().get(key))
}

/// The state of a job, in a word.
pub fn status(status: &str) -> String {
    let key = match status {
        "queued" => "status-queued",
        "running" => "status-running",
        "done" => "status-done",
        "failed" => "status-failed",
        _ => return status.to_owned(),
    };
    language::current().get(key)
}

/// A log's phase, in a word.
pub fn phase_word(phase: &str) -> String {
    let key = match phase {
        "open" => "status-open",
        "recovering" => "status-recovering",
        "repairing" => "status-repairing",
        "refused" => "status-refused",
        _ => return phase.to_owned(),
    };
    language::current().get(key)
}

/// What a log's phase means.
pub fn phase(phase: &str) -> String {
    let key = match phase {
        "open" => "phase-open",
        "recovering" => "phase-recovering",
        "repairing" => "phase-repairing",
        "refused" => "phase-refused",
        _ => return String::new(),
    };
    language::current().get(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_moment_is_no_markup() {
        assert_eq!(when("<script>").to_string(), "&#60;script&#62;");
    }

    #[test]
    fn prose_has_code() {
        assert_eq!(prose("a `b<c` d").to_string(), "a <code>b&#60;c</code> d");
    }

    #[test]
    fn ages_are_in_words() {
        let then = "1970-01-01T00:00:00.000000Z";
        let age = |seconds: i64| ago(&Timestamp(seconds * 1_000_000), then);
        assert_eq!(age(1), "1 second ago");
        assert_eq!(age(7200), "2 hours ago");
        assert_eq!(age(400 * 86_400), "400 days ago");
    }
}
