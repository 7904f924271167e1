//! How values are shown: numbers to the digit, times as `<time>`, and texts from outside so
//! that nothing in them hides or turns what stands beside them.

use std::fmt::{self, Display};

use askama::filters::{Escaper as _, Html, HtmlSafe};

use crate::time::Timestamp;

/// A number with its thousands set apart: 1,234,567.
pub fn count(number: impl Display) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A text from outside: isolated from its neighbours, its invisible characters marked.
pub struct Outside<'a>(&'a str);

/// Shows a text from outside.
pub fn outside(text: &str) -> Outside<'_> {
    Outside(text)
}

impl HtmlSafe for Outside<'_> {}

impl Display for Outside<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        f.write_str("<bdi dir=\"ltr\">")?;
        for c in self.0.chars() {
            if is_invisible(c) {
                let code = u32::from(c);
                write!(f, "<span class=\"invisible\">U+{code:04X}</span>")?;
            } else {
                Html.write_escaped_char(&mut *f, c)?;
            }
        }
        f.write_str("</bdi>")
    }
}

/// Whether a text has characters that nobody sees.
pub fn hides(text: &str) -> bool {
    text.chars().any(is_invisible)
}

/// Controls, bidirectional marks, and characters without width.
fn is_invisible(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
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
    let seconds = now.0.saturating_sub(then.0) / 1_000_000;
    let (number, unit) = match seconds {
        ..0 => return "in the future: the clock stepped back".into(),
        0..60 => (seconds, "second"),
        60..3600 => (seconds / 60, "minute"),
        3600..172_800 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {unit}{plural} ago")
}

/// What a log's phase means.
pub fn phase(phase: &str) -> &'static str {
    match phase {
        "open" => "takes entries",
        "recovering" => "is being read after a start; entries are refused until it is done",
        "repairing" => "gave up a failed write and begins a new segment; it goes on by itself",
        "refused" => "takes no entries until its operator acts; estreat verify says more",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact() {
        assert_eq!(count(0_u64), "0");
        assert_eq!(count(999_u64), "999");
        assert_eq!(count(9_007_199_254_740_993_u64), "9,007,199,254,740,993");
    }

    #[test]
    fn nothing_from_outside_is_markup_or_hidden() {
        let shown = outside("<b>\"'&\u{202e}x\u{200b}").to_string();
        assert_eq!(
            shown,
            "<bdi dir=\"ltr\">&#60;b&#62;&#34;&#39;&#38;<span class=\"invisible\">U+202E</span>x<span class=\"invisible\">U+200B</span></bdi>"
        );
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
