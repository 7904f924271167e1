//! Why a body is refused: data for whoever sent it, with no value from the events in it.
//!
//! A refusal is logged, shown and sent back, perhaps to somebody other than the data subject, so no
//! value of an event is in it: it names fields and lines.

use std::fmt;

/// A body that is not taken, wholly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What the first bad event suffers from; the status code of the answer.
    /// Of several, the first one's: whoever mends events begins there.
    pub kind: RefusalKind,
    /// The bad events by line, at most
    /// [`MAX_REPORTED_ERRORS`](crate::limits::MAX_REPORTED_ERRORS).
    pub errors: Vec<LineError>,
}

/// The kinds of refusal, one for each status code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalKind {
    /// Not JSON, or not UTF-8: 400.
    Unparseable,
    /// Past a limit: 413.
    TooLarge,
    /// JSON, but no event: 422.
    Invalid,
}

/// What is wrong in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    /// The line on which the event begins, from 1.
    /// Lines are counted by line feeds, whatever the body's form.
    pub line: u64,
    /// The field, where it is one.
    pub field: Option<String>,
    /// What is wrong and what to do about it.
    /// Without a field it is a sentence; with one, the rest of a sentence that its name begins.
    pub detail: String,
}

impl RefusalKind {
    /// One sentence for all refusals of this kind.
    pub fn title(self) -> &'static str {
        match self {
            Self::Unparseable => "The body cannot be read as JSON.",
            Self::TooLarge => "The request is too large.",
            Self::Invalid => "An event is not valid.",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.title())?;
        match self.errors.first() {
            Some(error) => write!(f, " {error}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line {}: ", self.line)?;
        if let Some(field) = &self.field {
            write!(f, "`{field}` ")?;
        }
        f.write_str(&self.detail)
    }
}

/// What is wrong with one event; it has no line yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    /// By its plain name.
    pub(super) field: Option<String>,
    pub(super) detail: String,
}

impl Problem {
    /// Of the event as a whole: a sentence.
    pub(super) fn whole(detail: impl Into<String>) -> Self {
        Self {
            field: None,
            detail: detail.into(),
        }
    }

    /// Of one field: the rest of a sentence.
    pub(super) fn of(field: &str, detail: impl Into<String>) -> Self {
        Self {
            field: Some(field.to_owned()),
            detail: detail.into(),
        }
    }
}
