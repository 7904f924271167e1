//! The fields of an event, in the order in which an entry keeps them.
//!
//! This is the order of every entry, whatever the order of its event: equal events give equal bytes
//! but for what the server adds. What a client may send and what the server writes are apart, so
//! that no client can write `received_at` or `submitted_by`.

/// A field that a client may send.
pub(super) struct Field {
    pub(super) name: &'static str,
    /// What is written before its value in an entry.
    /// A comma, the name in quotes, and a colon: always behind `time`, which opens the entry.
    pub(super) lead: &'static str,
    pub(super) rule: Rule,
}

/// What a field may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// RFC 3339.
    /// Written by `Writer::time`, since it may become two fields.
    Time,
    /// A short word.
    /// Up to `MAX_WORD_BYTES`.
    Word,
    /// One of three words.
    /// `success`, `denied` or `failed`.
    Outcome,
    /// An id or a name.
    /// Up to `id_bytes`.
    Name,
    /// A data subject's id.
    /// It is also a posting.
    Subject,
    /// Ids of data subjects.
    Subjects,
    /// Names of data categories.
    Categories,
    /// Anything.
    /// Kept to the letter, compact.
    Payload,
}

/// Makes the lead of the name, so that they cannot differ.
macro_rules! field {
    ($name:literal, $rule:ident) => {
        Field {
            name: $name,
            lead: concat!(",\"", $name, "\":"),
            rule: Rule::$rule,
        }
    };
}

/// What a client may send, in stored order.
pub(super) const FIELDS: [Field; CLIENT_FIELDS] = [
    field!("time", Time),
    field!("id", Name),
    field!("operation", Word),
    field!("outcome", Outcome),
    field!("data_subject", Subject),
    field!("data_subjects", Subjects),
    field!("resource", Name),
    field!("data_categories", Categories),
    field!("source", Name),
    field!("actor", Name),
    field!("actor_role", Name),
    field!("controller", Name),
    field!("processor", Name),
    field!("recipient", Name),
    field!("purpose", Name),
    field!("lawful_basis", Word),
    field!("payload", Payload),
];

/// How many fields a client may send.
pub(super) const CLIENT_FIELDS: usize = 17;
/// How many fields an entry may have: the client's and three of the server's.
pub(super) const STORED_FIELDS: usize = 20;

/// Positions in [`FIELDS`], and of the server's fields behind them; a test holds them against the
/// names.
pub(super) const TIME: usize = 0;
pub(super) const ID: usize = 1;
pub(super) const OPERATION: usize = 2;
pub(super) const OUTCOME: usize = 3;
pub(super) const DATA_SUBJECT: usize = 4;
pub(super) const DATA_SUBJECTS: usize = 5;
pub(super) const RESOURCE: usize = 6;
pub(super) const DATA_CATEGORIES: usize = 7;
pub(super) const SOURCE: usize = 8;
pub(super) const ACTOR: usize = 9;
pub(super) const ACTOR_ROLE: usize = 10;
pub(super) const CONTROLLER: usize = 11;
pub(super) const PROCESSOR: usize = 12;
pub(super) const RECIPIENT: usize = 13;
pub(super) const PURPOSE: usize = 14;
pub(super) const LAWFUL_BASIS: usize = 15;
pub(super) const PAYLOAD: usize = 16;
pub(super) const SUBMITTED_TIME: usize = 17;
pub(super) const RECEIVED_AT: usize = 18;
pub(super) const SUBMITTED_BY: usize = 19;

/// The position of a field of an entry by its name: the client's as in [`FIELDS`], then the
/// server's. The compiler makes this a look at the length and one comparison.
#[inline]
pub(super) fn position(name: &[u8]) -> Option<usize> {
    Some(match name {
        b"time" => TIME,
        b"id" => ID,
        b"operation" => OPERATION,
        b"outcome" => OUTCOME,
        b"data_subject" => DATA_SUBJECT,
        b"data_subjects" => DATA_SUBJECTS,
        b"resource" => RESOURCE,
        b"data_categories" => DATA_CATEGORIES,
        b"source" => SOURCE,
        b"actor" => ACTOR,
        b"actor_role" => ACTOR_ROLE,
        b"controller" => CONTROLLER,
        b"processor" => PROCESSOR,
        b"recipient" => RECIPIENT,
        b"purpose" => PURPOSE,
        b"lawful_basis" => LAWFUL_BASIS,
        b"payload" => PAYLOAD,
        b"submitted_time" => SUBMITTED_TIME,
        b"received_at" => RECEIVED_AT,
        b"submitted_by" => SUBMITTED_BY,
        _ => return None,
    })
}

/// The field whose name is nearest to a mistyped one, if any is near.
/// Only for the words of a refusal.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    let far = name.len() / 4 + 1;
    FIELDS
        .iter()
        .filter(|field| field.name.len().abs_diff(name.len()) <= far)
        .map(|field| (strsim::osa_distance(name, field.name), field.name))
        .filter(|(distance, _)| *distance <= far)
        .min()
        .map(|(_, field)| field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_lies_at_its_position() {
        for (at, field) in FIELDS.iter().enumerate() {
            assert_eq!(position(field.name.as_bytes()), Some(at));
        }
        assert_eq!(position(b"Time"), None);
    }

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(nearest("data_subjct"), Some("data_subject"));
        assert_eq!(nearest("Operation"), Some("operation"));
        assert_eq!(nearest("specversion"), None);
    }
}
