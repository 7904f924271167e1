//! Names of things: logs, tokens, keys, and the people a log speaks about.
//!
//! This floor knows no bytes, no files and no clock.

use std::fmt;
use std::sync::Arc;

use crate::limits::{MAX_LOG_NAME_BYTES, MAX_ORIGIN_BYTES};

/// Number of an entry in its log, from 0.
pub type EntryIndex = u64;
/// Number of a link in its log, from 0.
pub type LinkNumber = u64;
/// Number of a segment in its log, from 0.
pub type SegmentNumber = u64;

macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub [u8; 16]);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut text = [0; 32];
                hex::encode_to_slice(self.0, &mut text).map_err(|_| fmt::Error)?;
                f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl $name {
            /// Reads the 32 hexadecimal digits that `Display` writes.
            pub fn parse(text: &str) -> Option<Self> {
                let mut bytes = [0; 16];
                hex::decode_to_slice(text, &mut bytes).ok()?;
                Some(Self(bytes))
            }
        }
    };
}

identifier!(
    /// First 16 bytes of the SHA-256 of a log's origin.
    LogId
);
identifier!(
    /// An account's public id, a bearer token's or a person's; what an entry's `submitted_by` holds.
    TokenId
);
identifier!(
    /// Random name of a key-encryption key.
    KekId
);
identifier!(
    /// Random name of an export or verification job.
    JobId
);
identifier!(
    /// Random name of a case: ids of one person, looked at together.
    CaseId
);
identifier!(
    /// Public name of a link that hands out an export.
    LinkId
);

/// A log's name: `[a-z0-9_][a-z0-9._-]{0,62}`.
///
/// Names that begin with `_` are the server's own.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LogName(Arc<str>);

impl LogName {
    /// The log in which the server records what auditors do.
    pub fn access() -> Self {
        Self(Arc::from("_access"))
    }

    /// Checks and takes a name.
    pub fn new(name: &str) -> Result<Self, BadName> {
        let first = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let rest = |byte: u8| first(byte) || byte == b'.' || byte == b'-';
        match name.as_bytes() {
            [head, tail @ ..]
                if name.len() <= MAX_LOG_NAME_BYTES
                    && first(*head)
                    && tail.iter().copied().all(rest) =>
            {
                Ok(Self(Arc::from(name)))
            }
            _ => Err(BadName),
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the server alone writes to this log.
    pub fn is_reserved(&self) -> bool {
        self.0.starts_with('_')
    }
}

impl fmt::Display for LogName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a server or of a log, as it stands in checkpoints: `<server origin>/<log name>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin(Arc<str>);

impl Origin {
    /// Takes a server's origin: a key name as C2SP signed-note allows it
    /// (no white space, no plus sign), not empty, no slash at its end.
    pub fn new(text: &str) -> Result<Self, BadName> {
        let plain = |c: char| !c.is_whitespace() && !c.is_control() && c != '+';
        let fits = !text.is_empty() && text.len() <= MAX_ORIGIN_BYTES && !text.ends_with('/');
        if fits && text.chars().all(plain) {
            Ok(Self(Arc::from(text)))
        } else {
            Err(BadName)
        }
    }

    /// The origin of one of this server's logs.
    pub fn of_log(&self, log: &LogName) -> Self {
        Self(Arc::from(format!("{}/{}", self.0, log)))
    }

    /// Reads a log's origin: a server's, a slash, and a log's name.
    pub fn parse_log(text: &str) -> Result<Self, BadName> {
        let (server, log) = text.rsplit_once('/').ok_or(BadName)?;
        Ok(Self::new(server)?.of_log(&LogName::new(log)?))
    }

    /// The origin as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part after the last slash: a log's folder name.
    pub fn folder(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A data subject's id: exact bytes, case-sensitive, never normalised.
///
/// It does not print: an id is personal data and belongs in no log line.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubjectId(Arc<str>);

impl SubjectId {
    /// Takes an id as it is.
    pub fn new(id: &str) -> Self {
        Self(Arc::from(id))
    }

    /// The id, for hashing, sealing and answers to the one who asked.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SubjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SubjectId(…)")
    }
}

/// A name that breaks its rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a valid name: a log's is [a-z0-9_][a-z0-9._-]{{0,62}}, an origin has no white space and no '+'"
)]
pub struct BadName;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_names_follow_their_pattern() {
        for good in ["a", "_access", "orders-2026.eu_west", "0"] {
            assert!(LogName::new(good).is_ok(), "{good}");
        }
        let long = "a".repeat(MAX_LOG_NAME_BYTES + 1);
        for bad in ["", "A", ".a", "-a", "a/b", "a b", "é", "..", &long] {
            assert!(LogName::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn subject_ids_do_not_print() {
        assert!(!format!("{:?}", SubjectId::new("alice")).contains("alice"));
    }
}
