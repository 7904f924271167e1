//! Why entries were not taken.

use std::io;

/// Why entries were not taken. Each says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IngestError {
    /// The queue is full.
    #[error("the queue is full; send again in a moment")]
    Busy,
    /// The log is being read after a start.
    #[error("the log is being recovered after a restart; send again in a moment")]
    Recovering,
    /// The log waits for an operator.
    #[error("the log does not take entries until an operator has looked at it: {0}")]
    Refused(String),
    /// The disk refuses.
    #[error("the disk refuses, and nothing of this request was kept: {0}. Send again later")]
    Disk(String),
    /// Too little space.
    #[error("only the disk space reserved for auditing is left; free some, then send again")]
    NoSpace,
    /// The server stops.
    #[error("the server is stopping; send again after its restart")]
    Stopping,
    /// Too many logs.
    #[error(
        "there are as many logs as the server may have; name an existing one or raise the limit"
    )]
    TooManyLogs,
    /// An idempotency key that came with another body before.
    #[error("this Idempotency-Key came with another body before; use a new key for new events")]
    KeyConflict,
}

impl IngestError {
    /// A device failed: the log is repaired before it takes anything more.
    pub(super) fn disk(error: io::Error) -> Self {
        Self::Disk(error.to_string())
    }
}
