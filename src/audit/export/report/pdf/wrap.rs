//! Texts broken into lines.

use super::faces::{Faces, Kind};
use crate::messages::{Run, Style, is_hidden};

/// A part of a line in one font.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The font.
    pub kind: Kind,
    /// The text.
    pub text: String,
}

/// A line.
pub type Line = Vec<Span>;

/// Breaks runs into lines of at most `width` points at a size; never into none.
pub fn lines(faces: &Faces, runs: &[Run], base: Kind, size: f32, width: f32) -> Vec<Line> {
    let mut breaker = Breaker {
        faces,
        room: width / size,
        used: 0.0,
        lines: vec![Line::new()],
    };
    for run in runs {
        let kind = match run.style {
            Style::Code => Kind::Mono,
            Style::Strong => Kind::Bold,
            Style::Plain | Style::Link(_) => base,
        };
        breaker.run(kind, &visible(faces, kind, &run.text));
    }
    breaker.lines
}

/// Lines that are broken only where they are too long, their spaces kept.
pub fn code(faces: &Faces, text: &str, size: f32, width: f32) -> Vec<Line> {
    let face = faces.get(Kind::Mono);
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut rest = visible(faces, Kind::Mono, line);
        let room = (width / size / face.width("0")) as usize;
        while let Some((end, _)) = rest.char_indices().nth(room.max(1)) {
            let tail = rest.split_off(end);
            lines.push(vec![mono(std::mem::replace(&mut rest, tail))]);
        }
        lines.push(vec![mono(rest)]);
    }
    lines
}

/// A text in the font of code.
fn mono(text: String) -> Span {
    Span {
        kind: Kind::Mono,
        text,
    }
}

/// A text in which every character is seen: what is invisible, or has no picture in the font,
/// stands by its number.
fn visible(faces: &Faces, kind: Kind, text: &str) -> String {
    let face = faces.get(kind);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(' '),
            c if is_hidden(c) || !face.has(c) => out += &format!("[U+{:04X}]", u32::from(c)),
            c => out.push(c),
        }
    }
    out
}

/// `used` is what the last line has taken of `room`.
struct Breaker<'a> {
    faces: &'a Faces,
    /// Width of a line at a size of 1.
    room: f32,
    used: f32,
    lines: Vec<Line>,
}

impl Breaker<'_> {
    /// Breaks a run at its spaces, which stay at the end of their line.
    fn run(&mut self, kind: Kind, text: &str) {
        for word in text.split_inclusive(' ') {
            let bare = self.faces.get(kind).width(word.trim_end_matches(' '));
            if self.used + bare > self.room && self.used > 0.0 {
                self.turn();
            }
            if bare > self.room {
                self.long(kind, word);
            } else {
                self.put(kind, word);
            }
        }
    }

    /// A word that is longer than a line.
    fn long(&mut self, kind: Kind, word: &str) {
        let face = self.faces.get(kind);
        for c in word.chars() {
            let mut buffer = [0; 4];
            let c = c.encode_utf8(&mut buffer);
            if self.used + face.width(c) > self.room && self.used > 0.0 {
                self.turn();
            }
            self.put(kind, c);
        }
    }

    /// Puts a text behind the last line's.
    fn put(&mut self, kind: Kind, text: &str) {
        self.used += self.faces.get(kind).width(text);
        let Some(line) = self.lines.last_mut() else {
            return;
        };
        match line.last_mut() {
            Some(last) if last.kind == kind => last.text += text,
            _ => line.push(Span {
                kind,
                text: text.to_owned(),
            }),
        }
    }

    /// Begins a line.
    fn turn(&mut self) {
        self.lines.push(Line::new());
        self.used = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(runs: &[Run], width: f32) -> Vec<String> {
        let faces = Faces::load().unwrap();
        let lines = lines(&faces, runs, Kind::Regular, 10.0, width);
        let text = |line: Line| line.into_iter().map(|span| span.text).collect();
        lines.into_iter().map(text).collect()
    }

    #[test]
    fn lines_break_at_spaces_and_lose_nothing() {
        let text = "one two three four five six seven";
        let lines = texts(&[Run::plain(text)], 60.0);
        assert!(lines.len() > 2, "{lines:?}");
        assert_eq!(lines.concat(), text);
        let long = "x".repeat(100);
        let lines = texts(&[Run::plain("a "), Run::code(long.as_str())], 60.0);
        assert!(lines.len() > 5);
        assert_eq!(lines.concat(), format!("a {long}"));
        assert_eq!(texts(&[], 60.0), [""]);
    }

    #[test]
    fn what_nobody_sees_stands_by_its_number() {
        let shown = texts(&[Run::outside("a\u{202e}b\u{4e2d}é")], 500.0);
        assert_eq!(shown, ["a[U+202E]b[U+4E2D]é"]);
    }
}
