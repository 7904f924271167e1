//! Messages and texts from outside as HTML.
//!
//! A text from outside stands in `<bdi>`: a mark that turns the direction of writing in an id
//! reaches no further than the id.

use std::fmt::{self, Display};

use askama::filters::{Escaper as _, Html, HtmlSafe};

use super::markup::{Run, Style};

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
            if is_hidden(c) {
                let code = u32::from(c);
                write!(f, "<span class=\"invisible\">U+{code:04X}</span>")?;
            } else {
                Html.write_escaped_char(&mut *f, c)?;
            }
        }
        f.write_str("</bdi>")
    }
}

/// Whether nobody sees a character: controls, bidirectional marks, characters without width or
/// without ink. Fillers, joiners and variation selectors are Default_Ignorable_Code_Point (UAX #44);
/// the empty Braille pattern and the interlinear marks are not, and are as invisible.
pub fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{2800}' => true,
        '\u{fe00}'..='\u{fe0f}' | '\u{fff9}'..='\u{fffb}' => true,
        '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}' => true,
        c => c.is_control(),
    }
}

/// A message, or another row of runs, as HTML.
pub struct Shown(Vec<Run>);

/// Shows runs.
pub fn shown(runs: Vec<Run>) -> Shown {
    Shown(runs)
}

impl HtmlSafe for Shown {}

impl Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for run in &self.0 {
            let end = match &run.style {
                Style::Plain => "",
                Style::Code => {
                    f.write_str("<code>")?;
                    "</code>"
                }
                Style::Strong => {
                    f.write_str("<strong>")?;
                    "</strong>"
                }
                Style::Link(place) => {
                    f.write_str("<a href=\"")?;
                    Html.write_escaped_str(&mut *f, place)?;
                    f.write_str("\">")?;
                    "</a>"
                }
            };
            match run.outside {
                true => write!(f, "{}", outside(&run.text))?,
                false => Html.write_escaped_str(&mut *f, &run.text)?,
            }
            f.write_str(end)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_ink_is_hidden_and_its_neighbours_are_not() {
        let hidden = [
            0x34f..=0x34f,
            0x115f..=0x1160,
            0x2800..=0x2800,
            0x3164..=0x3164,
            0xfe00..=0xfe0f,
            0xffa0..=0xffa0,
            0xfff9..=0xfffb,
            0xe0100..=0xe01ef,
        ];
        let hides = |code: u32| char::from_u32(code).is_some_and(is_hidden);
        for range in hidden {
            let (before, behind) = (range.start() - 1, range.end() + 1);
            assert!(!hides(before) && !hides(behind), "around {range:x?}");
            assert!(range.clone().all(hides), "{range:x?}");
        }
        assert_eq!(
            outside("a\u{3164}").to_string(),
            "<bdi dir=\"ltr\">a<span class=\"invisible\">U+3164</span></bdi>"
        );
    }

    #[test]
    fn nothing_from_outside_is_markup_or_hidden() {
        let text = outside("<b>\"'&\u{202e}x\u{200b}").to_string();
        assert_eq!(
            text,
            "<bdi dir=\"ltr\">&#60;b&#62;&#34;&#39;&#38;<span class=\"invisible\">U+202E</span>x<span class=\"invisible\">U+200B</span></bdi>"
        );
        let runs = vec![Run::plain("<i> "), Run::code("<b>")];
        assert_eq!(
            shown(runs).to_string(),
            "&#60;i&#62; <code><bdi dir=\"ltr\">&#60;b&#62;</bdi></code>"
        );
    }
}
