//! What the product says to people, in English and German: one message file a language.
//!
//! The files are Fluent (<https://projectfluent.org>), embedded, parsed once. A message is plain
//! text with a little markup ([`Run`]): `` `code` ``, `*strong*` and `[words](/place)`. What is put
//! into a message is never read as markup, whatever it holds.
//!
//! A key that no file has displays as itself: a page with a strange word is better than none.

mod html;
mod lang;
mod markup;
mod pieces;
mod said;

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

pub use html::{Outside, Shown, is_hidden, outside, shown};
pub use lang::Lang;
pub use markup::{Run, Style};
pub use pieces::Piece;
pub use said::Said;

use markup::Guarded;

/// The concurrent kind, since every thread reads it.
type Bundle = FluentBundle<FluentResource>;

/// The message files, in the order of [`Lang::ALL`].
const FILES: [&str; 2] = [
    include_str!("../../templates/messages/en.ftl"),
    include_str!("../../templates/messages/de.ftl"),
];

/// By `Lang as usize`, which is the order of `Lang::ALL`.
static BUNDLES: LazyLock<[Bundle; 2]> = LazyLock::new(|| Lang::ALL.map(parse));

/// The messages of a language, ready to be filled in.
fn parse(lang: Lang) -> Bundle {
    let id = lang.code().parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![id]);
    // Texts from outside are isolated where they are shown, by markup.
    bundle.set_use_isolating(false);
    bundle.set_formatter(Some(match lang {
        Lang::English => |value, _| grouped(Lang::English, value),
        Lang::German => |value, _| grouped(Lang::German, value),
    }));
    // A test holds that both files are without fault; what can be read of one is used.
    let file = FluentResource::try_new(FILES[lang as usize].to_owned());
    bundle.add_resource_overriding(file.unwrap_or_else(|(readable, _)| readable));
    bundle
}

/// The key of the message that begins on a line of a file.
fn key_of(line: &'static str) -> Option<&'static str> {
    let (key, _) = line.split_once(" =")?;
    key.starts_with(|c: char| c.is_ascii_lowercase())
        .then_some(key)
}

/// Numbers of the product are whole and below 2^53 ([`crate::limits::NUMBERS_END`]): exact in `f64`.
fn grouped(lang: Lang, value: &FluentValue<'_>) -> Option<String> {
    match value {
        FluentValue::Number(number) => Some(lang.number(number.value as u64)),
        _ => None,
    }
}

/// A message being filled in. It displays as plain text, without its markup.
#[must_use]
pub struct Message<'a> {
    lang: Lang,
    key: &'a str,
    args: FluentArgs<'a>,
}

impl Lang {
    /// A message without arguments, as plain text.
    pub fn get(self, key: &str) -> String {
        self.with(key).to_string()
    }

    /// A message to fill in. An unknown key displays as itself.
    pub fn with(self, key: &str) -> Message<'_> {
        Message {
            lang: self,
            key,
            args: FluentArgs::new(),
        }
    }

    /// A message without arguments, with its markup, for HTML.
    pub fn html(self, key: &str) -> Shown {
        self.with(key).html()
    }

    /// All messages of these areas (a key's area ends at its first dash) and those with these
    /// keys, in pieces, by their keys.
    pub fn pieces(self, areas: &[&str], keys: &[&str]) -> BTreeMap<&'static str, Vec<Piece>> {
        let bundle = &BUNDLES[self as usize];
        let all = FILES[self as usize].lines().filter_map(key_of);
        let wanted = all.filter(|key| {
            let area = key.split_once('-').map(|(area, _)| area);
            keys.contains(key) || area.is_some_and(|area| areas.contains(&area))
        });
        wanted
            .map(|key| (key, self.pieces_of(key, bundle)))
            .collect()
    }

    /// A message in pieces; none for an unknown key.
    fn pieces_of(self, key: &str, bundle: &Bundle) -> Vec<Piece> {
        let pattern = bundle.get_message(key).and_then(|it| it.value());
        pattern.map_or_else(Vec::new, |pattern| pieces::read(self, pattern, bundle))
    }
}

impl<'a> Message<'a> {
    /// Puts in a text of the product's own, or one that needs no isolation.
    pub fn arg(mut self, name: &'static str, text: impl Display) -> Self {
        let guarded = Guarded::own(&text.to_string());
        self.args.set(name, guarded);
        self
    }

    /// Puts in a text from outside: it is isolated from its neighbours, its hidden characters shown.
    pub fn outside(mut self, name: &'static str, text: &str) -> Self {
        self.args.set(name, Guarded::outside(text));
        self
    }

    /// Puts in a whole number below 2^53; the message's plural goes by it.
    pub fn count(mut self, name: &'static str, number: impl Borrow<u64>) -> Self {
        self.args.set(name, *number.borrow());
        self
    }

    /// Puts in another message, with its markup.
    pub fn message(mut self, name: &'static str, message: &Message<'_>) -> Self {
        self.args.set(name, message.raw());
        self
    }

    /// The message with its markup.
    pub fn runs(&self) -> Vec<Run> {
        markup::read(&self.raw())
    }

    /// The message with its markup, for HTML.
    pub fn html(&self) -> Shown {
        shown(self.runs())
    }

    /// The message filled in, its markup unread: what was put in is guarded, so that reading it
    /// later tells the two apart.
    fn raw(&self) -> String {
        let bundle = &BUNDLES[self.lang as usize];
        let pattern = bundle.get_message(self.key).and_then(|it| it.value());
        match pattern {
            Some(pattern) => {
                // A name that nothing was put in under displays as itself.
                let mut faults = Vec::new();
                bundle
                    .format_pattern(pattern, Some(&self.args), &mut faults)
                    .into_owned()
            }
            None => self.key.to_owned(),
        }
    }
}

impl Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.runs()
            .iter()
            .try_for_each(|run| f.write_str(&run.text))
    }
}
