//! Why a use case was not done. One enum for all, since one mapper presents them.

use crate::catalog::CatalogError;
use crate::event::{Refusal, UnpackError};
use crate::ingest::IngestError;
use crate::state::StateError;

/// A use case that was not done.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// No token, or one that does not hold.
    #[error("this needs a valid token: send `Authorization: Bearer TOKEN`, or sign in")]
    Unauthorized,
    /// The token's role or logs do not allow it.
    #[error("{0}")]
    Forbidden(String),
    /// There is no such thing, or the caller may not know of it.
    #[error("there is no such {0}, or this token may not see it")]
    NotFound(&'static str),
    /// A field that is understood but cannot be.
    #[error("{field}: {detail}")]
    Invalid {
        /// The field.
        field: &'static str,
        /// What to do.
        detail: String,
    },
    /// Too many guesses: how many seconds to wait.
    #[error("there were too many wrong attempts; wait {0} s and try again")]
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
    /// Its time is over.
    #[error("this {0} has ended")]
    Expired(&'static str),
    /// It cannot be done now.
    #[error("{0}")]
    Unavailable(String),
    /// What was read is not what was written.
    #[error("{0}")]
    Finding(String),
    /// A failure inside.
    #[error("{0}")]
    Internal(String),
}

impl From<StateError> for AuditError {
    fn from(error: StateError) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl From<CatalogError> for AuditError {
    fn from(error: CatalogError) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl From<std::io::Error> for AuditError {
    fn from(error: std::io::Error) -> Self {
        Self::Unavailable(format!("the disk: {error}"))
    }
}

impl AuditError {
    /// A field that cannot be.
    pub fn invalid(field: &'static str, detail: impl Into<String>) -> Self {
        Self::Invalid {
            field,
            detail: detail.into(),
        }
    }

    /// A cursor that is none of this list.
    pub fn bad_cursor() -> Self {
        Self::invalid("cursor", "send the cursor of the page before, unchanged")
    }
}
