//! From an event to the exact bytes of its entry.
//!
//! Everything that is wrong with an event is said at once, so that its sender need not find out one
//! by one. An entry is written straight into the batch's bytes, and taken back if anything was
//! wrong.

use std::borrow::Cow;

use super::fields::{CLIENT_FIELDS, FIELDS, Field, OPERATION, OUTCOME, Rule, TIME};
use super::fields::{nearest, position};
use super::refusal::{Problem, RefusalKind};
use super::scan::{Scanner, Syntax, Text, Value, plain_prefix};
use super::{Context, Entries, entries::Mark, when};
use crate::limits::{
    MAX_EVENT_CATEGORIES, MAX_EVENT_SUBJECTS, MAX_REPORTED_ERRORS, MAX_WORD_BYTES,
};
use crate::time::{CANONICAL_BYTES, Timestamp};

/// An event taken apart: each field's value as it was spelled.
pub(super) struct Event<'a> {
    /// By position in [`FIELDS`]; of a field given twice, the later.
    values: [Option<Value<'a>>; CLIENT_FIELDS],
    /// Found while reading; the values' own come when they are written.
    problems: Vec<Problem>,
}

impl<'a> Event<'a> {
    /// Reads the next value as an event. Whatever is JSON is read; what is no event has problems.
    pub(super) fn read(scanner: &mut Scanner<'a>, max_depth: usize) -> Result<Self, Syntax> {
        let mut event = Self {
            values: [None; CLIENT_FIELDS],
            problems: Vec::new(),
        };
        if scanner.peek() == Some(b'{') {
            scanner.members(|name, value| event.take(name, value, max_depth))?;
        } else {
            scanner.value()?;
            event.problem(Problem::whole("An event must be a JSON object."));
        }
        Ok(event)
    }

    /// A name with escapes is the same name: otherwise `"data_subject"` spelled with one would pass
    /// as no field.
    fn take(&mut self, name: Text<'a>, value: Value<'a>, max_depth: usize) {
        let known = match name.escaped {
            false => position(name.raw),
            true => name.decode().and_then(|name| position(name.as_bytes())),
        };
        let Some(slot) = known.and_then(|at| self.values.get_mut(at)) else {
            let first = self.problems.is_empty();
            return self.problem(not_a_client_field(&name, known.is_some(), first));
        };
        let twice = slot.replace(value).is_some();
        let field = known.map_or("", |at| FIELDS[at].name);
        if twice {
            let detail = "is given twice, and either choice would lose one; send it once.";
            self.problem(Problem::of(field, detail));
        }
        // The scanner reads any depth; but whoever reads the entry later may recurse.
        if 1 + value.depth > max_depth {
            let detail =
                format!("is nested too deeply; at most {max_depth} levels, the event being one.");
            self.problem(Problem::of(field, detail));
        }
    }

    /// A bounded list: one event can have many thousand bad names.
    fn problem(&mut self, problem: Problem) {
        if self.problems.len() < MAX_REPORTED_ERRORS {
            self.problems.push(problem);
        }
    }
}

/// What is wrong with an event, and the gravest way in which it is.
pub(super) type Wrong = (RefusalKind, Vec<Problem>);

/// Writes the entries of one request: what all of them share is made once.
pub(super) struct Writer<'c> {
    context: &'c Context,
    /// `received_at` in its written form.
    received: [u8; CANONICAL_BYTES],
    /// The end of every entry: `received_at`, `submitted_by`, and the closing brace.
    end: String,
}

impl<'c> Writer<'c> {
    pub(super) fn new(context: &'c Context) -> Self {
        let (received, by) = (context.received_at, context.submitted_by);
        Self {
            context,
            received: received.to_canonical(),
            end: format!(",\"received_at\":\"{received}\",\"submitted_by\":\"{by}\"}}"),
        }
    }

    /// Adds the event's entry; or nothing, and says everything that is wrong with it.
    pub(super) fn event(&self, event: Event<'_>, entries: &mut Entries) -> Result<(), Wrong> {
        let mark = entries.mark();
        let mut problems = event.problems;
        // Behind a bad time the other fields are read too; what was written so far is taken back in
        // the end.
        let time = self
            .time(event.values[TIME].as_ref(), entries.tail())
            .unwrap_or_else(|detail| {
                problems.push(Problem::of(FIELDS[TIME].name, detail));
                self.context.received_at
            });
        let fields = FIELDS.iter().zip(&event.values).enumerate();
        for (at, (field, value)) in fields.skip(TIME + 1) {
            let written = match value {
                Some(value) => self.field(field, value, entries, &mark),
                None => absent(at, entries.tail()),
            };
            if let Err(detail) = written {
                problems.push(Problem::of(field.name, detail));
            }
        }
        let wrong = match problems.is_empty() {
            true => match self.close(entries, &mark, time) {
                Ok(()) => return Ok(()),
                Err(problem) => (RefusalKind::TooLarge, vec![problem]),
            },
            false => (RefusalKind::Invalid, problems),
        };
        entries.go_back(&mark);
        Err(wrong)
    }

    /// Adds an entry that keeps what could not be read.
    ///
    /// The event's own time is not trusted to be one, so it has the time of its receipt, and nobody
    /// as its data subject: it is found by its operation, never by a person. What is not UTF-8 is
    /// kept in base64.
    pub(super) fn quarantined(
        &self,
        raw: &[u8],
        reason: &str,
        entries: &mut Entries,
    ) -> Result<(), Problem> {
        let mark = entries.mark();
        let out = entries.tail();
        self.time(None, out).ok();
        out.extend_from_slice(br#","operation":"quarantined","outcome":"failed","payload":{"#);
        match std::str::from_utf8(raw) {
            Ok(text) => {
                out.extend_from_slice(br#""raw":"#);
                quote(text, out);
            }
            Err(_) => {
                out.extend_from_slice(br#""raw_base64":"#);
                quote(&crate::base64::encode(raw), out);
            }
        }
        out.extend_from_slice(br#","reason":"#);
        quote(reason, out);
        out.push(b'}');
        self.close(entries, &mark, self.context.received_at)
            .inspect_err(|_| entries.go_back(&mark))
    }

    /// The bound is checked last, over the entry as it will be kept.
    fn close(&self, entries: &mut Entries, mark: &Mark, time: Timestamp) -> Result<(), Problem> {
        entries.tail().extend_from_slice(self.end.as_bytes());
        let max = self.context.limits.entry_bytes;
        if entries.byte_len() - mark.raw > max {
            return Err(Problem::whole(format!(
                "Its entry would be longer than {max} bytes; keep bulk elsewhere, send its digest."
            )));
        }
        entries.finish(mark, time);
        Ok(())
    }

    /// Writes the opening brace, `time`, and where that says less than what was sent,
    /// `submitted_time`.
    fn time(&self, value: Option<&Value<'_>>, out: &mut Vec<u8>) -> Result<Timestamp, String> {
        out.extend_from_slice(br#"{"time":""#);
        let Some(value) = value else {
            out.extend_from_slice(&self.received);
            out.push(b'"');
            return Ok(self.context.received_at);
        };
        let given = decode(value.text().ok_or(NOT_A_STRING)?)?;
        let when = when::parse(&given)?;
        out.extend_from_slice(&when.time.to_canonical());
        out.push(b'"');
        if when.says_more {
            out.extend_from_slice(br#","submitted_time":"#);
            quote(&given, out);
        }
        Ok(when.time)
    }

    /// An error is a clause for the field's name. What was written is then of no use, and goes with
    /// the entry.
    fn field(
        &self,
        field: &Field,
        value: &Value<'_>,
        entries: &mut Entries,
        mark: &Mark,
    ) -> Result<(), String> {
        entries.tail().extend_from_slice(field.lead.as_bytes());
        let id_bytes = self.context.limits.id_bytes;
        let one = || value.text().ok_or(NOT_A_STRING);
        match field.rule {
            // Written before all others.
            Rule::Time => {}
            Rule::Word => drop(string(one()?, MAX_WORD_BYTES, entries.tail())?),
            Rule::Name => drop(string(one()?, id_bytes, entries.tail())?),
            Rule::Outcome => {
                let word = string(one()?, MAX_WORD_BYTES, entries.tail())?;
                if !matches!(word.as_ref(), "success" | "denied" | "failed") {
                    return Err("must be success, denied or failed.".to_owned());
                }
            }
            Rule::Subject => {
                let subject = string(one()?, id_bytes, entries.tail())?;
                entries.add_subject(mark, &subject);
            }
            Rule::Subjects => {
                for subject in strings(value, MAX_EVENT_SUBJECTS, id_bytes, entries.tail())? {
                    entries.add_subject(mark, &subject);
                }
            }
            Rule::Categories => {
                drop(strings(
                    value,
                    MAX_EVENT_CATEGORIES,
                    id_bytes,
                    entries.tail(),
                )?);
            }
            Rule::Payload if value.spaced => compact(value.raw, entries.tail()),
            Rule::Payload => entries.tail().extend_from_slice(value.raw),
        }
        Ok(())
    }
}

const NOT_A_STRING: &str = "must be a string.";

/// Writes what an entry has in place of a field that was not sent.
/// `operation` alone must be there; an event that says nothing of its outcome has succeeded.
fn absent(at: usize, out: &mut Vec<u8>) -> Result<(), String> {
    match at {
        OPERATION => Err("is missing; say what was done, like read or update.".to_owned()),
        OUTCOME => {
            out.extend_from_slice(br#","outcome":"success""#);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Writes an array of strings, each by the rule of [`string`].
/// An empty array is kept as one.
fn strings<'a>(
    value: &Value<'a>,
    max_count: usize,
    max_bytes: usize,
    out: &mut Vec<u8>,
) -> Result<Vec<Cow<'a, str>>, String> {
    // One more than allowed tells "too many", and the rest is never looked at.
    let most = max_count + 1;
    let texts = value.texts(most).ok_or("must be an array of strings.")?;
    if texts.len() > max_count {
        return Err(format!("has more than {max_count} items."));
    }
    out.push(b'[');
    let mut all = Vec::with_capacity(texts.len());
    for (at, text) in texts.into_iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        let item = string(text, max_bytes, out);
        let item = item.map_err(|detail| format!("(item {at}) {detail}"))?;
        all.push(item);
    }
    out.push(b']');
    Ok(all)
}

/// Writes an id, name or word with the fewest escapes, so that each has one spelling: it is
/// not empty, has at most `max` bytes and no control character.
/// Not normalised: two spellings of one name in Unicode are two ids.
fn string<'a>(text: Text<'a>, max: usize, out: &mut Vec<u8>) -> Result<Cow<'a, str>, String> {
    let decoded = decode(text)?;
    if decoded.is_empty() {
        return Err("is empty; leave it out instead.".to_owned());
    }
    if decoded.len() > max {
        return Err(format!("is longer than {max} bytes."));
    }
    // Without a branch in it, the compiler makes this loop wide.
    let control = |found: bool, byte: u8| found | (byte < 0x20) | (byte == 0x7F);
    if decoded.bytes().fold(false, control) {
        return Err("has a control character; only payload may have one.".to_owned());
    }
    // Without escapes its bytes are its fewest already.
    if text.escaped {
        quote(&decoded, out);
    } else {
        out.push(b'"');
        out.extend_from_slice(text.raw);
        out.push(b'"');
    }
    Ok(decoded)
}

/// A lone surrogate has no UTF-8, and so no bytes that could be an id.
fn decode(text: Text<'_>) -> Result<Cow<'_, str>, String> {
    let none = "has half of a surrogate pair, which is no character; send the whole pair.";
    text.decode().ok_or_else(|| none.to_owned())
}

/// Writes text as a JSON string, escaping only what must be.
/// The form of RFC 8785 §3.2.2.2 but for `\b` and `\f`, which are written as `\u` escapes.
pub(super) fn quote(text: &str, out: &mut Vec<u8>) {
    let mut rest = text.as_bytes();
    out.push(b'"');
    loop {
        let (plain, tail) = rest.split_at(plain_prefix(rest));
        out.extend_from_slice(plain);
        let Some((special, tail)) = tail.split_first() else {
            break;
        };
        match special {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            control => out.extend_from_slice(format!("\\u{control:04x}").as_bytes()),
        }
        rest = tail;
    }
    out.push(b'"');
}

/// Writes JSON without the white space outside its strings, all else to the letter.
/// Its grammar was checked: strings end, and white space elsewhere means nothing.
fn compact(json: &[u8], out: &mut Vec<u8>) {
    let (mut from, mut at) = (0, 0);
    while let Some(byte) = json.get(at) {
        match byte {
            b' ' | b'\n' | b'\r' | b'\t' => {
                out.extend_from_slice(&json[from..at]);
                at += 1;
                from = at;
            }
            b'"' => at = string_end(json, at + 1),
            _ => at += 1,
        }
    }
    out.extend_from_slice(&json[from..]);
}

/// The position behind the closing quote of a string that begins at `at`.
/// An escape's second byte is skipped, since it may be a quote.
fn string_end(json: &[u8], mut at: usize) -> usize {
    loop {
        at += plain_prefix(&json[at..]);
        match json.get(at) {
            Some(b'\\') => at += 2,
            _ => return at + 1,
        }
    }
}

/// What is wrong with a field that no client may send. Only the `first` of an event costs the
/// search for a name near to it.
fn not_a_client_field(name: &Text<'_>, server_field: bool, first: bool) -> Problem {
    // A name may carry personal data, so it is shown only if it looks like one of ours.
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    let decoded = name.decode().unwrap_or_default();
    let shown = (1..=MAX_WORD_BYTES).contains(&decoded.len()) && decoded.bytes().all(plain);
    if !shown {
        let detail = "A field's name is none that an event has; put the field into payload.";
        return Problem::whole(detail);
    }
    let near = if first { nearest(&decoded) } else { None };
    let detail = match (server_field, near) {
        (true, _) => "is written by the server; leave it out, or put it into payload.".to_owned(),
        (_, Some(near)) => format!("is not a field of an event; did you mean `{near}`?"),
        _ => "is not a field of an event; put it into payload.".to_owned(),
    };
    Problem::of(&decoded, detail)
}
