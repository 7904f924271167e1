//! entries.csv: RFC 4180, and nothing that a spreadsheet would run.
//!
//! An apostrophe stands before each `=`, `+`, `-`, `@`, tab, carriage return and apostrophe that
//! begins a cell, or that follows a semicolon, a tab or a line break inside of one: a spreadsheet
//! set up for another separator would begin a cell there. So the value comes back by taking one
//! apostrophe away wherever one stands in such a place. A plain negative number stays as it is.

use std::io::{self, Write};

use crate::digest::Digest;
use crate::event::View;

/// The header line.
pub const HEADER: &str = "log,entry,time,received_at,operation,outcome,purpose,lawful_basis,actor,actor_role,\
source,recipient,resource,data_categories,data_subjects,controller,processor,id,submitted_time,submitted_by,payload,link,leaf_hash\r\n";

/// Writes an entry's line.
pub fn write_row(
    out: &mut impl Write,
    log: &str,
    entry: u64,
    view: &View<'_>,
    link: u64,
    leaf: &Digest,
) -> io::Result<()> {
    let subjects: Vec<&str> = view.subjects().collect();
    let list = |values: &[&str]| serde_json::to_string(values).unwrap_or_default();
    let categories: Vec<&str> = view.data_categories.iter().map(AsRef::as_ref).collect();
    let cells = [
        log,
        &entry.to_string(),
        &view.time.to_string(),
        view.received_at.as_deref().unwrap_or_default(),
        view.operation.as_deref().unwrap_or_default(),
        view.outcome.as_deref().unwrap_or_default(),
        view.purpose.as_deref().unwrap_or_default(),
        view.lawful_basis.as_deref().unwrap_or_default(),
        view.actor.as_deref().unwrap_or_default(),
        view.actor_role.as_deref().unwrap_or_default(),
        view.source.as_deref().unwrap_or_default(),
        view.recipient.as_deref().unwrap_or_default(),
        view.resource.as_deref().unwrap_or_default(),
        &if categories.is_empty() {
            String::new()
        } else {
            list(&categories)
        },
        &list(&subjects),
        view.controller.as_deref().unwrap_or_default(),
        view.processor.as_deref().unwrap_or_default(),
        view.id.as_deref().unwrap_or_default(),
        view.submitted_time.as_deref().unwrap_or_default(),
        view.submitted_by.as_deref().unwrap_or_default(),
        view.payload.map_or("", |payload| payload.get()),
        &link.to_string(),
        &leaf.to_string(),
    ];
    let line = cells.map(cell).join(",") + "\r\n";
    out.write_all(line.as_bytes())
}

/// A cell, in quotes where a separator of any kind or a line's end is in it.
fn cell(value: &str) -> String {
    let value = match is_negative_number(value) {
        true => value.to_owned(),
        false => neutral(value),
    };
    if value.contains(['"', ',', ';', '\t', '\n', '\r']) {
        return format!("\"{}\"", value.replace('"', "\"\""));
    }
    value
}

/// A value in which nothing stands where it would run.
fn neutral(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 1);
    let mut begins = true;
    for c in value.chars() {
        if begins && matches!(c, '=' | '+' | '-' | '@' | '\t' | '\r' | '\'') {
            out.push('\'');
        }
        begins = matches!(c, ';' | '\t' | '\n' | '\r');
        out.push(c);
    }
    out
}

/// A number with a minus alone: it runs nothing, and a spreadsheet should count with it.
fn is_negative_number(value: &str) -> bool {
    let Some(digits) = value.strip_prefix('-') else {
        return false;
    };
    let mut parts = digits.splitn(2, '.');
    let whole = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.next().is_some_and(whole) && parts.next().is_none_or(whole)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_runs_and_plain_values_stay() {
        for (value, written) in [
            ("plain", "plain"),
            ("=1+1", "'=1+1"),
            ("+49 30", "'+49 30"),
            ("@cmd", "'@cmd"),
            ("-12.5", "-12.5"),
            ("-1+1", "'-1+1"),
            ("-", "'-"),
            ("'quoted", "''quoted"),
            ("it's", "it's"),
            ("a,\"b\"", "\"a,\"\"b\"\"\""),
            ("\t=1", "\"'\t'=1\""),
            ("two\nlines", "\"two\nlines\""),
            ("a;=1+1;-2", "\"a;'=1+1;'-2\""),
            ("a\r\n@b", "\"a\r\n'@b\""),
        ] {
            assert_eq!(cell(value), written);
        }
    }

    /// What README.txt of a bundle tells people to do.
    fn back(written: &str) -> String {
        let (mut out, mut begins) = (String::new(), true);
        let mut rest = written.chars();
        while let Some(mut c) = rest.next() {
            if begins && c == '\'' {
                c = rest.next().expect("never alone");
            }
            begins = matches!(c, ';' | '\t' | '\n' | '\r');
            out.push(c);
        }
        out
    }

    proptest! {
        #[test]
        fn every_value_comes_back(value in "[a;='+@\t\r\n-]{0,12}") {
            let written = neutral(&value);
            prop_assert_eq!(back(&written), value);
            for piece in written.split([';', '\t', '\n', '\r']) {
                prop_assert!(!piece.starts_with(['=', '+', '-', '@']), "{}", written);
            }
        }
    }
}
