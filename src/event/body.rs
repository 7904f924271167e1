//! From a request's body to entries, or to everything that is wrong with it.
//!
//! A body is one array, or values one after another with or without white space between them.
//! There is one path for good and bad bodies: what is read is read once, and where an event is
//! wrong, reading goes on behind it, so that a sender learns of all bad events at once.
//!
//! Work is bounded as well as memory: every byte is read once, and behind flaws at most once more
//! (`again`). A body ends early at the first limit that it passes, and at the last error that is
//! listed.

use std::ops::Range;

use super::refusal::{LineError, Problem, Refusal, RefusalKind};
use super::scan::{Scanner, Syntax};
use super::write::{Event, Writer};
use super::{Context, Entries, Limits, OnInvalid, Quarantined, Submission};
use crate::limits::{MAX_ADDED_BYTES, MAX_REPORTED_ERRORS};

/// Reads the body of a request, unpacked.
///
/// All or nothing: a [`Refusal`] says which events are bad and why, and nothing is kept. With
/// [`OnInvalid::Quarantine`] a bad event is kept as an entry of its own and listed; only a
/// request past its limits is then refused, or one without any event.
pub fn read_body(body: &[u8], context: &Context, mode: OnInvalid) -> Result<Submission, Refusal> {
    let mut reader = Reader::new(body, context, mode);
    if body.len() > context.limits.request_bytes {
        let max = context.limits.request_bytes;
        reader.stop(0, format!("The body is longer than {max} bytes."));
    } else {
        reader.read();
    }
    reader.done()
}

/// Of one body, on one thread.
struct Reader<'a> {
    body: &'a [u8],
    /// Whether all of the body is UTF-8, so that no part needs a look of its own.
    utf8: bool,
    /// Its place is the place of reading; after a flaw it is moved on.
    scanner: Scanner<'a>,
    writer: Writer<'a>,
    context: &'a Context,
    mode: OnInvalid,
    lines: Lines,
    /// How many bytes may still be read a second time: without a bound, a body of opening
    /// braces would be read once from each of them.
    again: usize,
    /// What was taken so far; given back only if nothing is refused.
    entries: Entries,
    quarantined: Vec<Quarantined>,
    /// That of the first flaw, which decides the status code. Some: the request is refused.
    kind: Option<RefusalKind>,
    /// At most `MAX_REPORTED_ERRORS`, by line.
    errors: Vec<LineError>,
    /// A limit was passed, or enough was said: nothing more is read.
    stopped: bool,
}

impl<'a> Reader<'a> {
    fn new(body: &'a [u8], context: &'a Context, mode: OnInvalid) -> Self {
        let room = body.len().min(context.limits.request_bytes);
        Self {
            body,
            utf8: std::str::from_utf8(body).is_ok(),
            scanner: Scanner::new(body),
            writer: Writer::new(context),
            context,
            mode,
            lines: Lines { at: 0, line: 1 },
            again: body.len(),
            // An entry is up to a half longer than its event; growing would copy all of them.
            entries: Entries::with_capacity(room + room / 2),
            quarantined: Vec::new(),
            kind: None,
            errors: Vec::new(),
            stopped: false,
        }
    }

    /// A byte order mark is let pass (RFC 8259 §8.1 allows to). Values one after another, on lines
    /// or not, are the same to this loop.
    fn read(&mut self) {
        const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
        if self.body.starts_with(BYTE_ORDER_MARK) {
            self.scanner.go_to(BYTE_ORDER_MARK.len());
        }
        if self.scanner.peek() == Some(b'[') {
            self.scanner.take();
            self.array();
        }
        while !self.stopped && self.scanner.peek().is_some() {
            self.value();
        }
        if self.entries.is_empty() && self.kind.is_none() {
            let problem = Problem::whole("There is no event in the body.");
            self.refuse(0, RefusalKind::Invalid, problem);
        }
    }

    /// Reads an array's items behind its bracket; reports whatever follows the array.
    fn array(&mut self) {
        let mut state = Item::First;
        while !self.stopped {
            match (self.scanner.peek(), state) {
                (Some(b']'), Item::First | Item::Behind | Item::Unsure) => {
                    self.scanner.take();
                    break;
                }
                (Some(b','), Item::Behind | Item::Unsure) => {
                    self.scanner.take();
                    state = Item::Next;
                }
                (Some(_), Item::First | Item::Next | Item::Unsure) => {
                    state = if self.value() {
                        Item::Behind
                    } else {
                        Item::Unsure
                    };
                }
                (Some(_), Item::Behind) => {
                    self.unparseable(self.scanner.at(), "a comma or a closing bracket");
                    state = Item::Unsure;
                }
                (None, _) => {
                    self.unparseable(self.scanner.at(), "the array's closing bracket");
                    break;
                }
            }
        }
        while !self.stopped && self.scanner.peek().is_some() {
            self.unparseable(self.scanner.at(), "nothing behind the array");
        }
    }

    /// Reads one value. False if it could not be told where it ends.
    /// True although the event was bad, as long as its end is known.
    fn value(&mut self) -> bool {
        if self.is_full(self.scanner.at()) {
            return false;
        }
        let start = self.scanner.at();
        let event = match Event::read(&mut self.scanner, self.context.limits.depth) {
            Ok(event) => event,
            Err(syntax) => {
                self.cut_off(start, syntax);
                return false;
            }
        };
        let span = start..self.scanner.at();
        // Only where the body as a whole is not UTF-8; then each value is looked at by itself, so
        // that one bad byte costs one event.
        if let Some(at) = self.not_utf8(&span) {
            let problem = self.syntax_problem(start, Syntax { at, what: "UTF-8" });
            self.bad(span, RefusalKind::Unparseable, vec![problem]);
        } else if let Err((kind, problems)) = self.writer.event(event, &mut self.entries) {
            self.bad(span, kind, problems);
        } else {
            self.keep_bounds(start);
        }
        true
    }

    /// Whether no further entry fits; if so, reading stops here.
    fn is_full(&mut self, at: usize) -> bool {
        let max = self.context.limits.events;
        let full = self.entries.len() >= max;
        if full {
            self.stop(
                at,
                format!("There are more than {max} events; send fewer at once."),
            );
        }
        full
    }

    /// Behind each event, so that a request passes a bound by one event at most.
    fn keep_bounds(&mut self, at: usize) {
        let limits = &self.context.limits;
        let (max, max_bytes) = (limits.postings, longest(limits));
        if self.entries.posting_count() > max {
            let detail =
                format!("Data subjects are named more than {max} times; send fewer at once.");
            self.stop(at, detail);
        } else if self.entries.byte_len() > max_bytes {
            let detail =
                format!("The entries would have more than {max_bytes} bytes; send fewer at once.");
            self.stop(at, detail);
        }
    }

    /// A flaw where no value begins.
    fn unparseable(&mut self, at: usize, what: &'static str) {
        self.cut_off(at, Syntax { at, what });
    }

    /// Gives up on the value that begins at `start`, and goes on behind it: at the next line
    /// that begins like an event, or else at the first line behind the flaw. So a line that
    /// was cut in two costs no other.
    fn cut_off(&mut self, start: usize, syntax: Syntax) {
        let end = self.next_start(start, syntax.at);
        self.again = self.again.saturating_sub(syntax.at.saturating_sub(end));
        let problem = self.syntax_problem(start, syntax);
        self.bad(start..end, RefusalKind::Unparseable, vec![problem]);
        self.scanner.go_to(end);
    }

    /// A line that begins with a brace before the flaw is taken for the next event: the flaw may be
    /// that the one before has no end.
    fn next_start(&self, start: usize, flaw: usize) -> usize {
        let begins = |end: usize| {
            self.body.get(end + 1) == Some(&b'{') && flaw.saturating_sub(end) <= self.again
        };
        self.body[start..]
            .iter()
            .zip(start..)
            .filter(|(byte, _)| **byte == b'\n')
            .map(|(_, end)| end)
            .find(|end| *end >= flaw || begins(*end))
            .unwrap_or(self.body.len())
    }

    /// Says where and what, not which bytes stand there: they may be personal data.
    fn syntax_problem(&mut self, start: usize, syntax: Syntax) -> Problem {
        let line = self.lines.of(self.body, start) + Lines::ends(&self.body[start..syntax.at]);
        let found = match syntax.at == self.body.len() {
            true => "the body ends",
            false => "there is something else",
        };
        let Syntax { at, what } = syntax;
        Problem::whole(format!(
            "Expected {what}, but {found} (line {line}, byte {at} of the body)."
        ))
    }

    /// The offset of the first byte that is not.
    fn not_utf8(&self, span: &Range<usize>) -> Option<usize> {
        if self.utf8 {
            return None;
        }
        let error = std::str::from_utf8(&self.body[span.clone()]).err()?;
        Some(span.start + error.valid_up_to())
    }

    /// Notes a bad event, or keeps it in quarantine.
    /// Quarantine is kept to the same bounds as everything else.
    fn bad(&mut self, span: Range<usize>, kind: RefusalKind, problems: Vec<Problem>) {
        if self.mode == OnInvalid::Quarantine {
            if self.is_full(span.start) {
                return;
            }
            // Without the line's end, which is nobody's.
            let raw = self.body[span.clone()].trim_ascii_end();
            let reason = reason(&problems);
            match self.writer.quarantined(raw, &reason, &mut self.entries) {
                Ok(()) => {
                    let line = self.lines.of(self.body, span.start);
                    self.quarantined.push(Quarantined {
                        position: (self.entries.len() - 1) as u32,
                        line,
                        detail: reason,
                    });
                }
                Err(problem) => self.refuse(span.start, RefusalKind::TooLarge, problem),
            }
            self.keep_bounds(span.start);
            return;
        }
        for problem in problems {
            self.refuse(span.start, kind, problem);
        }
    }

    /// Positions ascend, as `lines` needs.
    fn refuse(&mut self, at: usize, kind: RefusalKind, problem: Problem) {
        self.kind.get_or_insert(kind);
        if self.errors.len() < MAX_REPORTED_ERRORS {
            self.errors.push(LineError {
                line: self.lines.of(self.body, at),
                field: problem.field,
                detail: problem.detail,
            });
        }
        self.stopped |= self.errors.len() >= MAX_REPORTED_ERRORS;
    }

    /// The errors so far are still listed: the sender may learn from them.
    fn stop(&mut self, at: usize, detail: String) {
        self.refuse(at, RefusalKind::TooLarge, Problem::whole(detail));
        self.stopped = true;
    }

    /// One refusal is enough for nothing to be kept: a request is whole or not there.
    fn done(self) -> Result<Submission, Refusal> {
        match self.kind {
            None => Ok(Submission {
                entries: self.entries,
                quarantined: self.quarantined,
            }),
            Some(kind) => Err(Refusal {
                kind,
                errors: self.errors,
            }),
        }
    }
}

/// How many bytes the entries of a request may have. Only text in quarantine can pass this, by
/// its escapes; whatever keeps to it fits in one batch.
fn longest(limits: &Limits) -> usize {
    limits.request_bytes + limits.events * MAX_ADDED_BYTES
}

/// What may come next in an array.
#[derive(Clone, Copy)]
enum Item {
    /// An item or the end.
    First,
    /// An item, behind a comma.
    Next,
    /// A comma or the end, behind an item.
    Behind,
    /// Any of these, behind something that could not be read.
    /// So that one flaw is not followed by a second about the comma behind it.
    Unsure,
}

/// Of some problems, for an entry in quarantine.
fn reason(problems: &[Problem]) -> String {
    const SHOWN: usize = 3;
    let sentences = problems
        .iter()
        .take(SHOWN)
        .map(|problem| match &problem.field {
            Some(field) => format!("`{field}` {}", problem.detail),
            None => problem.detail.clone(),
        });
    sentences.collect::<Vec<_>>().join(" ")
}

/// Counts lines only as far as somebody asked, and never twice. Only LF ends a line.
struct Lines {
    at: usize,
    line: u64,
}

impl Lines {
    /// The line of a position that is not before the last one asked for.
    fn of(&mut self, body: &[u8], at: usize) -> u64 {
        self.line += Self::ends(body.get(self.at..at).unwrap_or_default());
        self.at = self.at.max(at);
        self.line
    }

    /// Line feeds.
    fn ends(bytes: &[u8]) -> u64 {
        bytes.iter().filter(|byte| **byte == b'\n').count() as u64
    }
}
