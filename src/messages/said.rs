//! What is to be said, before it is known in which language.
//!
//! Use cases do not know who reads: the same refusal becomes a problem in English and a page in the
//! reader's language.

use std::fmt::{self, Display};

use super::{Lang, Message, Shown, Style};

/// A message's key, and what is put into it.
///
/// It displays as the API says it: in English, with code between backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    key: &'static str,
    args: Vec<(&'static str, Given)>,
}

/// Owned, for it is carried out of the use case; how each is put in is `Message`'s matter.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Given {
    Own(String),
    Outside(String),
    Count(u64),
    Said(Said),
}

impl Said {
    /// A message without arguments so far.
    pub fn new(key: &'static str) -> Self {
        Self {
            key,
            args: Vec::new(),
        }
    }

    /// Puts in a text of the product's own.
    pub fn arg(self, name: &'static str, text: impl Display) -> Self {
        self.with(name, Given::Own(text.to_string()))
    }

    /// Puts in a text from outside.
    pub fn outside(self, name: &'static str, text: impl Display) -> Self {
        self.with(name, Given::Outside(text.to_string()))
    }

    /// Puts in a whole number below 2^53; the message's plural goes by it.
    pub fn count(self, name: &'static str, number: u64) -> Self {
        self.with(name, Given::Count(number))
    }

    /// Puts in what is itself to be said.
    pub fn said(self, name: &'static str, said: impl Into<Self>) -> Self {
        self.with(name, Given::Said(said.into()))
    }

    /// Puts something in under a name.
    fn with(mut self, name: &'static str, given: Given) -> Self {
        self.args.push((name, given));
        self
    }

    /// The message in a language, for HTML.
    pub fn html(&self, lang: Lang) -> Shown {
        self.message(lang).html()
    }

    /// The message in a language, as plain text.
    pub fn text(&self, lang: Lang) -> String {
        self.message(lang).to_string()
    }

    /// The message in a language, filled in.
    fn message(&self, lang: Lang) -> Message<'_> {
        let args = self.args.iter();
        args.fold(lang.with(self.key), |message, (name, given)| match given {
            Given::Own(text) => message.arg(name, text),
            Given::Outside(text) => message.outside(name, text),
            Given::Count(number) => message.count(name, number),
            Given::Said(said) => message.message(name, &said.message(lang)),
        })
    }
}

impl From<&'static str> for Said {
    fn from(key: &'static str) -> Self {
        Self::new(key)
    }
}

impl Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.message(Lang::English).runs();
        runs.iter().try_for_each(|run| match run.style {
            Style::Code => write!(f, "`{}`", run.text),
            _ => f.write_str(&run.text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_in_either_language_and_for_programs_in_english() {
        let said = Said::new("refusal-range");
        let english = "the range is empty: `to` must be later than `from`";
        assert_eq!(said.to_string(), english);
        assert_eq!(said.text(Lang::English), english.replace('`', ""));
        assert!(said.text(Lang::German).starts_with("der Zeitraum ist leer"));

        let said = Said::new("refusal-not-found").said("thing", "thing-entry");
        assert!(said.to_string().starts_with("there is no such entry,"));
        assert!(said.text(Lang::German).contains("Eintrag"));

        let said = Said::new("refusal-password-long").count("n", 1024);
        assert_eq!(said.text(Lang::German), "höchstens 1.024 Bytes");
        let hostile = Said::new("refusal-log").outside("log", "`<b>`");
        assert!(
            hostile
                .html(Lang::German)
                .to_string()
                .contains("`&#60;b&#62;`")
        );
    }
}
