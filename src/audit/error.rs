//! Why a use case was not done. One enum for all, since one mapper presents them.
//!
//! A refusal is a message's key and what is put into it, for API and pages alike. What is
//! `Internal` is logged where it becomes an answer, and shown to nobody.

use crate::catalog::CatalogError;
use crate::event::{Refusal, UnpackError};
use crate::ingest::IngestError;
use crate::messages::Said;
use crate::state::StateError;

/// A use case that was not done.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// No token, or one that does not hold.
    #[error("{}", Said::new("refusal-unauthorized"))]
    Unauthorized,
    /// The token's role or logs do not allow it.
    #[error("{0}")]
    Forbidden(Said),
    /// There is no such thing (by its message's key), or the caller may not know of it.
    #[error("{}", not_found(.0))]
    NotFound(&'static str),
    /// A field that is understood but cannot be.
    #[error("{field}: {detail}")]
    Invalid {
        /// The field.
        field: &'static str,
        /// What to do.
        detail: Said,
    },
    /// Too many guesses: how many seconds to wait.
    #[error("{}", too_soon(*.0))]
    TooSoon(u32),
    /// Events that were refused.
    #[error("{0}")]
    Events(Refusal),
    /// A body that could not be unpacked.
    #[error("{0}")]
    Unpack(#[from] UnpackError),
    /// The engine refuses.
    #[error(transparent)]
    Ingest(#[from] IngestError),
    /// The time of a thing, by its message's key, is over.
    #[error("{}", ended(.0))]
    Expired(&'static str),
    /// It cannot be done now.
    #[error("{0}")]
    Unavailable(Said),
    /// What was read is not what was written.
    #[error("{0}")]
    Finding(String),
    /// A failure inside.
    #[error("{0}")]
    Internal(String),
}

impl From<StateError> for AuditError {
    fn from(error: StateError) -> Self {
        storage(&error)
    }
}

impl From<CatalogError> for AuditError {
    fn from(error: CatalogError) -> Self {
        storage(&error)
    }
}

impl From<std::io::Error> for AuditError {
    /// Files that cannot be read are the server's trouble, not the caller's.
    fn from(error: std::io::Error) -> Self {
        storage(&error)
    }
}

impl AuditError {
    /// A field that cannot be.
    pub fn invalid(field: &'static str, detail: impl Into<Said>) -> Self {
        Self::Invalid {
            field,
            detail: detail.into(),
        }
    }

    /// A cursor that is none of this list.
    pub fn bad_cursor() -> Self {
        Self::invalid("cursor", "refusal-cursor")
    }

    /// A page of more rows than `most`, or of none.
    pub fn page_rows(most: u64) -> Self {
        Self::invalid("limit", Said::new("refusal-page-rows").count("n", most))
    }

    /// What is to be said to a person, in whichever language they read; `None` where only programs
    /// are spoken to, or the fault is the server's.
    pub fn said(&self) -> Option<Said> {
        Some(match self {
            Self::Unauthorized => Said::new("refusal-unauthorized"),
            Self::Forbidden(said) | Self::Unavailable(said) => said.clone(),
            Self::Invalid { detail, .. } => detail.clone(),
            Self::NotFound(thing) => not_found(thing),
            Self::Expired(thing) => ended(thing),
            Self::TooSoon(seconds) => too_soon(*seconds),
            Self::Ingest(error) => ingest(error),
            Self::Finding(_) => Said::new("refusal-finding"),
            Self::Events(_) | Self::Unpack(_) | Self::Internal(_) => return None,
        })
    }
}

/// There is no such thing, or the caller may not know that there is.
fn not_found(thing: &'static str) -> Said {
    Said::new("refusal-not-found").said("thing", thing)
}

/// It was there once.
fn ended(thing: &'static str) -> Said {
    Said::new("refusal-ended").said("thing", thing)
}

/// How long to wait.
fn too_soon(seconds: u32) -> Said {
    Said::new("refusal-too-soon").count("n", seconds.into())
}

/// A database or a file failed.
fn storage(error: &dyn std::error::Error) -> AuditError {
    AuditError::Unavailable(Said::new("refusal-storage").outside("detail", error))
}

/// Why the engine took nothing.
fn ingest(error: &IngestError) -> Said {
    match error {
        IngestError::Busy => Said::new("refusal-busy"),
        IngestError::Recovering => Said::new("refusal-recovering"),
        IngestError::Refused(why) => Said::new("refusal-by-log").outside("detail", why),
        IngestError::Disk(why) => Said::new("refusal-by-disk").outside("detail", why),
        IngestError::NoSpace => Said::new("refusal-no-space"),
        IngestError::Stopping => Said::new("refusal-stopping"),
        IngestError::TooManyLogs => Said::new("refusal-too-many-logs"),
        IngestError::KeyConflict => Said::new("refusal-key-conflict"),
    }
}
