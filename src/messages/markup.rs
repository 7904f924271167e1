//! The little markup of messages, and how what is put into them is kept from being read as markup.
//!
//! Only the files' own text is read as markup. What is put in is escaped character by character
//! before, so that a subject's id can neither become a link nor end the isolation in which it is
//! shown.

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// How it is shown.
    pub style: Style,
    /// Its text.
    pub text: String,
    /// Whether it came from outside.
    pub outside: bool,
}

/// How a piece of a message is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Style {
    /// As it is.
    Plain,
    /// As what a person types or a machine reads.
    Code,
    /// With weight.
    Strong,
    /// As the way to a page of the server.
    Link(String),
}

impl Run {
    /// A text of the product's own.
    pub fn plain(text: impl Into<String>) -> Self {
        Self {
            style: Style::Plain,
            text: text.into(),
            outside: false,
        }
    }

    /// A text from outside.
    pub fn outside(text: impl Into<String>) -> Self {
        Self {
            outside: true,
            ..Self::plain(text)
        }
    }

    /// A text from outside that is to be read letter by letter.
    pub fn code(text: impl Into<String>) -> Self {
        Self {
            style: Style::Code,
            ..Self::outside(text)
        }
    }
}

/// First of three private characters that keep what is put in apart: escape, begin and end of a
/// text from outside.
const ESCAPE: char = '\u{e000}';
/// Where a text from outside begins.
const BEGIN: char = '\u{e001}';
/// Where it ends.
const END: char = '\u{e002}';
/// Characters with a meaning, each written as the escape and the letter beside it.
const MEANINGS: [(char, char); 8] = [
    ('`', 'a'),
    ('*', 'b'),
    ('[', 'c'),
    (']', 'd'),
    (')', 'e'),
    (ESCAPE, 'f'),
    (BEGIN, 'g'),
    (END, 'h'),
];

/// Texts as they are put into messages.
pub struct Guarded;

impl Guarded {
    /// A text of the product's own.
    pub fn own(text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            match MEANINGS.iter().find(|(meant, _)| *meant == c) {
                Some((_, letter)) => out.extend([ESCAPE, *letter]),
                None => out.push(c),
            }
        }
        out
    }

    /// A text from outside.
    pub fn outside(text: &str) -> String {
        format!("{BEGIN}{}{END}", Self::own(text))
    }
}

/// Reads a message's markup.
pub fn read(text: &str) -> Vec<Run> {
    let mut reader = Reader {
        style: Style::Plain,
        outside: false,
        text: String::new(),
        runs: Vec::new(),
    };
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            ESCAPE => reader.text.extend(rest.next().and_then(meant)),
            BEGIN => reader.turn(|reader| reader.outside = true),
            END => reader.turn(|reader| reader.outside = false),
            '`' => reader.toggle(Style::Code),
            '*' => reader.toggle(Style::Strong),
            '[' => reader.turn(|reader| reader.style = Style::Link(String::new())),
            ']' => {
                let place = rest
                    .as_str()
                    .strip_prefix('(')
                    .and_then(|it| it.split_once(')'));
                let (place, after) = place.unwrap_or(("", rest.as_str()));
                reader.style = Style::Link(unguarded(place));
                reader.turn(|reader| reader.style = Style::Plain);
                rest = after.chars();
            }
            c => reader.text.push(c),
        }
    }
    reader.turn(|_| {});
    reader.runs
}

/// The run that is being read, and those before it.
struct Reader {
    style: Style,
    outside: bool,
    text: String,
    runs: Vec<Run>,
}

impl Reader {
    /// Ends the run, and changes what comes behind it.
    fn turn(&mut self, change: impl FnOnce(&mut Self)) {
        if !self.text.is_empty() {
            self.runs.push(Run {
                style: self.style.clone(),
                text: std::mem::take(&mut self.text),
                outside: self.outside,
            });
        }
        change(self);
    }

    /// Begins a style, or ends it.
    fn toggle(&mut self, style: Style) {
        self.turn(|reader| {
            reader.style = match reader.style == style {
                true => Style::Plain,
                false => style,
            };
        });
    }
}

/// The character that an escape stands for.
fn meant(letter: char) -> Option<char> {
    let found = MEANINGS.iter().find(|(_, written)| *written == letter);
    found.map(|(meant, _)| *meant)
}

/// A link's place, of which only the text counts.
fn unguarded(text: &str) -> String {
    read(text).into_iter().map(|run| run.text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(style: Style, text: &str) -> Run {
        Run {
            style,
            text: text.into(),
            outside: false,
        }
    }

    #[test]
    fn markup_is_read_and_what_is_put_in_is_not() {
        assert_eq!(
            read("Run `x` *now*, see [all](/docs)."),
            [
                run(Style::Plain, "Run "),
                run(Style::Code, "x"),
                run(Style::Plain, " "),
                run(Style::Strong, "now"),
                run(Style::Plain, ", see "),
                run(Style::Link("/docs".into()), "all"),
                run(Style::Plain, "."),
            ]
        );
        let hostile = "`a` *b* [c](/d) \u{e000}f \u{e001}";
        for guarded in [Guarded::own(hostile), Guarded::outside(hostile)] {
            let text: String = read(&guarded).into_iter().map(|run| run.text).collect();
            assert_eq!(text, hostile);
        }
        let runs = read(&format!("is `{}`", Guarded::outside(hostile)));
        assert_eq!(runs[1], Run::code(hostile));
    }
}
