//! How values are shown: numbers to the digit, times as `<time>`, and texts from outside so
//! that nothing in them hides or turns what stands beside them.

use std::fmt::{self, Display};

use askama::filters::{Escaper as _, Html, HtmlSafe};

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
