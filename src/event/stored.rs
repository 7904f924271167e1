//! What an exact entry says: to a verifier, and to people.
//!
//! What was stored is read more loosely than what is submitted: the format allows names and depths
//! that this release does not write, and a verifier must be able to read them. What the format does
//! fix is held to the letter: compact, no top-level name twice, one form of time.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::value::RawValue;

use super::fields::{
    ACTOR, ACTOR_ROLE, CONTROLLER, DATA_CATEGORIES, DATA_SUBJECT, DATA_SUBJECTS, ID, LAWFUL_BASIS,
    OPERATION, OUTCOME, PAYLOAD, PROCESSOR, PURPOSE, RECEIVED_AT, RECIPIENT, RESOURCE, SOURCE,
    STORED_FIELDS, SUBMITTED_BY, SUBMITTED_TIME, TIME, position,
};
use super::scan::{Scanner, Text, Value};
use crate::ids::SubjectId;
use crate::time::Timestamp;

/// What a verifier must know of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Its event time.
    pub time: Timestamp,
    /// Its data subjects, sorted as bytes, each once.
    /// What the entry's postings must be, and nothing else.
    pub subjects: Vec<SubjectId>,
}

/// Bytes that are no entry. None of these says what the bytes hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FactsError {
    /// Not UTF-8.
    #[error("the entry is not UTF-8")]
    NotUtf8,
    /// Not JSON.
    /// In no case a reason to guess: bytes that are no entry are a finding.
    #[error("the entry is not JSON at its byte {at}: expected {what}")]
    NotJson {
        /// Where reading ended.
        at: usize,
        /// What should stand there.
        what: &'static str,
    },
    /// JSON, but no object.
    #[error("the entry is not a JSON object")]
    NotAnObject,
    /// White space outside strings.
    #[error("the entry is not compact: white space stands outside its strings")]
    NotCompact,
    /// A name that is no string, for it has half of a surrogate pair.
    #[error("the entry has a top-level name that is not Unicode")]
    BadName,
    /// A name stands twice.
    #[error("the entry has a top-level name twice")]
    NameTwice,
    /// No time, or not the one written form.
    #[error("the entry has no `time` of the form YYYY-MM-DDThh:mm:ss.ffffffZ")]
    BadTime,
    /// A field that is not what it must be: a string, or strings.
    #[error("the entry's `{0}` is not of its type")]
    BadField(&'static str),
}

/// Reads what a verifier must know from an entry's exact bytes.
///
/// Names that are unknown are allowed here: a later release may write more. Of any depth, since
/// the format bounds none; nothing here recurses.
///
/// The same by which a writer's postings are checked: an index that names somebody else is found by
/// it.
pub fn facts(entry: &[u8]) -> Result<Facts, FactsError> {
    let members = Members::read(entry)?;
    let time = members.time()?;
    let one = members.text(DATA_SUBJECT, "data_subject")?;
    let many = members.texts(DATA_SUBJECTS, "data_subjects")?;
    let mut subjects: Vec<SubjectId> = one
        .iter()
        .chain(&many)
        .map(|subject| SubjectId::new(subject))
        .collect();
    subjects.sort_unstable();
    subjects.dedup();
    Ok(Facts { time, subjects })
}

/// The operation of an entry that keeps what could not be read.
pub const QUARANTINED: &str = "quarantined";

/// Whether an entry keeps what could not be read.
/// False also for bytes that are no entry.
pub fn is_quarantined(entry: &[u8]) -> bool {
    View::read(entry).is_ok_and(|view| view.operation.as_deref() == Some(QUARANTINED))
}

/// A stored entry, read for pages, tables and filters. It borrows what needs no unescaping.
/// Absent fields are none; `outcome` is always there in an entry of this release.
pub struct View<'a> {
    /// Event time.
    pub time: Timestamp,
    /// The time as it was sent, where that says more.
    pub submitted_time: Option<Cow<'a, str>>,
    /// The client's own id.
    pub id: Option<Cow<'a, str>>,
    /// What was done.
    pub operation: Option<Cow<'a, str>>,
    /// How it ended.
    pub outcome: Option<Cow<'a, str>>,
    /// The one data subject.
    /// In an entry it stands apart from the others: it is the one that most events have.
    pub data_subject: Option<Cow<'a, str>>,
    /// More data subjects.
    pub data_subjects: Vec<Cow<'a, str>>,
    /// What was touched.
    pub resource: Option<Cow<'a, str>>,
    /// Categories of the data.
    pub data_categories: Vec<Cow<'a, str>>,
    /// The system that acted.
    pub source: Option<Cow<'a, str>>,
    /// Who acted.
    /// Personal data of an employee, perhaps; no data subject of the entry unless named as one.
    pub actor: Option<Cow<'a, str>>,
    /// As what.
    pub actor_role: Option<Cow<'a, str>>,
    /// The controller.
    pub controller: Option<Cow<'a, str>>,
    /// The processor.
    pub processor: Option<Cow<'a, str>>,
    /// Who received the data.
    pub recipient: Option<Cow<'a, str>>,
    /// What for.
    pub purpose: Option<Cow<'a, str>>,
    /// On what ground.
    pub lawful_basis: Option<Cow<'a, str>>,
    /// Anything else, to the letter.
    /// Never looked into.
    pub payload: Option<&'a RawValue>,
    /// When the server received it.
    pub received_at: Option<Cow<'a, str>>,
    /// The id of the token that submitted it.
    pub submitted_by: Option<Cow<'a, str>>,
}

impl<'a> View<'a> {
    /// Reads an entry's exact bytes.
    pub fn read(entry: &'a [u8]) -> Result<Self, FactsError> {
        let members = Members::read(entry)?;
        Ok(Self {
            time: members.time()?,
            submitted_time: members.text(SUBMITTED_TIME, "submitted_time")?,
            id: members.text(ID, "id")?,
            operation: members.text(OPERATION, "operation")?,
            outcome: members.text(OUTCOME, "outcome")?,
            data_subject: members.text(DATA_SUBJECT, "data_subject")?,
            data_subjects: members.texts(DATA_SUBJECTS, "data_subjects")?,
            resource: members.text(RESOURCE, "resource")?,
            data_categories: members.texts(DATA_CATEGORIES, "data_categories")?,
            source: members.text(SOURCE, "source")?,
            actor: members.text(ACTOR, "actor")?,
            actor_role: members.text(ACTOR_ROLE, "actor_role")?,
            controller: members.text(CONTROLLER, "controller")?,
            processor: members.text(PROCESSOR, "processor")?,
            recipient: members.text(RECIPIENT, "recipient")?,
            purpose: members.text(PURPOSE, "purpose")?,
            lawful_basis: members.text(LAWFUL_BASIS, "lawful_basis")?,
            payload: members.raw(PAYLOAD)?,
            received_at: members.text(RECEIVED_AT, "received_at")?,
            submitted_by: members.text(SUBMITTED_BY, "submitted_by")?,
        })
    }

    /// Each data subject, as often as it is given.
    /// As they stand; [`Facts`] has them sorted.
    pub fn subjects(&self) -> impl Iterator<Item = &str> {
        self.data_subject
            .iter()
            .chain(&self.data_subjects)
            .map(AsRef::as_ref)
    }

    /// Whether it names a person other than `subject`: another data subject, or an actor.
    ///
    /// For deciding what to withhold (GDPR Article 15(4)). A person who is named in a payload is
    /// not seen.
    pub fn names_other_than(&self, subject: &str) -> bool {
        self.subjects()
            .chain(self.actor.as_deref())
            .any(|name| name != subject)
    }
}

/// The top level of an entry.
/// By position; a server's field too.
struct Members<'a> {
    values: [Option<Value<'a>>; STORED_FIELDS],
}

impl<'a> Members<'a> {
    /// UTF-8 is checked once for all. Of several flaws the gravest is said: no JSON, then the
    /// names, then the white space.
    fn read(entry: &'a [u8]) -> Result<Self, FactsError> {
        if std::str::from_utf8(entry).is_err() {
            return Err(FactsError::NotUtf8);
        }
        let mut scanner = Scanner::new(entry);
        if scanner.peek() != Some(b'{') {
            return Err(FactsError::NotAnObject);
        }
        let mut values = [None; STORED_FIELDS];
        // Names that this release does not know must not stand twice either.
        let mut unknown = BTreeSet::new();
        let mut flaw = None;
        let read = scanner.members(|name, value| {
            if let Err(error) = take(name, value, &mut values, &mut unknown) {
                flaw.get_or_insert(error);
            }
        });
        let end = read.and_then(|()| match scanner.peek() {
            None => Ok(()),
            Some(_) => scanner.fail("the end of the entry"),
        });
        match (end, flaw) {
            (Err(syntax), _) => Err(FactsError::NotJson {
                at: syntax.at,
                what: syntax.what,
            }),
            (_, Some(flaw)) => Err(flaw),
            _ if scanner.met_space() => Err(FactsError::NotCompact),
            _ => Ok(Self { values }),
        }
    }

    fn time(&self) -> Result<Timestamp, FactsError> {
        self.text(TIME, "time")
            .ok()
            .flatten()
            .and_then(|text| Timestamp::parse_canonical(text.as_bytes()))
            .ok_or(FactsError::BadTime)
    }

    /// `None` for a field that is not there; an error for one that is no string.
    fn text(&self, at: usize, name: &'static str) -> Result<Option<Cow<'a, str>>, FactsError> {
        let decode = |value: &Value<'a>| value.text()?.decode();
        self.values[at]
            .as_ref()
            .map(|value| decode(value).ok_or(FactsError::BadField(name)))
            .transpose()
    }

    fn texts(&self, at: usize, name: &'static str) -> Result<Vec<Cow<'a, str>>, FactsError> {
        let Some(value) = &self.values[at] else {
            return Ok(Vec::new());
        };
        let texts = value.texts(usize::MAX).ok_or(FactsError::BadField(name))?;
        let decoded = texts.iter().map(|text| text.decode());
        decoded
            .collect::<Option<_>>()
            .ok_or(FactsError::BadField(name))
    }

    /// It was read as JSON before; serde_json only wraps it.
    fn raw(&self, at: usize) -> Result<Option<&'a RawValue>, FactsError> {
        self.values[at]
            .map(|value| serde_json::from_slice(value.raw))
            .transpose()
            .map_err(|_| FactsError::BadField("payload"))
    }
}

/// Names are compared without their escapes.
fn take<'a>(
    name: Text<'a>,
    value: Value<'a>,
    values: &mut [Option<Value<'a>>; STORED_FIELDS],
    unknown: &mut BTreeSet<Cow<'a, str>>,
) -> Result<(), FactsError> {
    let name = name.decode().ok_or(FactsError::BadName)?;
    let first = match position(name.as_bytes()) {
        Some(at) => values[at].replace(value).is_none(),
        None => unknown.insert(name),
    };
    first.then_some(()).ok_or(FactsError::NameTwice)
}
