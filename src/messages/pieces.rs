//! Messages as data, for the page whose script fills them in itself: `static/verify/words.js`.

use std::collections::BTreeMap;

use fluent_syntax::ast::{Expression, InlineExpression, Pattern, PatternElement, VariantKey};
use serde::Serialize;

use super::{Bundle, Lang};

/// A piece of a message that is not filled in yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Piece {
    /// Text with its markup.
    Text(String),
    /// What is put in under a name.
    Arg {
        /// The name.
        arg: String,
    },
    /// One of several rows of pieces, by the number put in under a name.
    Choice {
        /// The name.
        by: String,
        /// The rows: by a number's digits, or by a plural category of Unicode (CLDR).
        of: BTreeMap<String, Vec<Piece>>,
        /// Which of them is taken if no other fits.
        or: String,
    },
}

/// Reads a pattern; messages that it refers to are read in its place.
pub(super) fn read(lang: Lang, pattern: &Pattern<&str>, bundle: &Bundle) -> Vec<Piece> {
    let elements = pattern.elements.iter();
    elements
        .flat_map(|element| match element {
            PatternElement::TextElement { value } => vec![Piece::Text((*value).to_owned())],
            PatternElement::Placeable { expression } => placed(lang, expression, bundle),
        })
        .collect()
}

/// What stands in braces: a choice by a number, or a single thing.
fn placed(lang: Lang, expression: &Expression<&str>, bundle: &Bundle) -> Vec<Piece> {
    match expression {
        Expression::Inline(inline) => inlined(lang, inline, bundle),
        Expression::Select { selector, variants } => {
            let InlineExpression::VariableReference { id } = selector else {
                return Vec::new();
            };
            let rows = variants.iter().map(|variant| {
                let row = read(lang, &variant.value, bundle);
                (name(&variant.key), row)
            });
            let default = variants.iter().find(|variant| variant.default);
            vec![Piece::Choice {
                by: id.name.to_owned(),
                of: rows.collect(),
                or: default.map_or_else(String::new, |variant| name(&variant.key)),
            }]
        }
    }
}

/// A single thing in braces; another message is read in its place.
fn inlined(lang: Lang, inline: &InlineExpression<&str>, bundle: &Bundle) -> Vec<Piece> {
    match inline {
        InlineExpression::VariableReference { id } => vec![Piece::Arg {
            arg: id.name.to_owned(),
        }],
        InlineExpression::MessageReference { id, .. } => lang.pieces_of(id.name, bundle),
        InlineExpression::StringLiteral { value } | InlineExpression::NumberLiteral { value } => {
            vec![Piece::Text((*value).to_owned())]
        }
        InlineExpression::Placeable { expression } => placed(lang, expression, bundle),
        // The files have neither functions nor terms; a test holds it.
        InlineExpression::FunctionReference { .. } | InlineExpression::TermReference { .. } => {
            Vec::new()
        }
    }
}

/// The name of a row of a choice.
fn name(key: &VariantKey<&str>) -> String {
    match key {
        VariantKey::Identifier { name } => (*name).to_owned(),
        VariantKey::NumberLiteral { value } => (*value).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_those_of_the_file() {
        let day = &Lang::German.pieces(&[], &["day"])["day"];
        assert_eq!(day[0], Piece::Arg { arg: "day".into() });
        assert_eq!(day[1], Piece::Text(". ".into()));
        let Piece::Choice { by, of, or } = &day[2] else {
            panic!("a month is one of twelve: {day:?}");
        };
        assert_eq!((by.as_str(), or.as_str(), of.len()), ("month", "12", 12));
        assert_eq!(of["3"], [Piece::Text("März".into())]);
        assert_eq!(day.last(), Some(&Piece::Arg { arg: "year".into() }));

        let ages = Lang::English.pieces(&["ago"], &[]);
        assert!(ages.keys().all(|key| key.starts_with("ago")) && ages.len() == 5);
        let one = serde_json::json!([{"by": "n", "of": {"one": ["1 day ago"],
            "other": [{"arg": "n"}, " days ago"]}, "or": "other"}]);
        assert_eq!(serde_json::to_value(&ages["ago-days"]).unwrap(), one);
    }
}
