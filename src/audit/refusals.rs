//! What was refused of that which services sent, by reason, since the server's start.

use std::sync::atomic::{AtomicU64, Ordering};

use super::AuditError;
use crate::event::RefusalKind;
use crate::ingest::IngestError;

/// Why requests to append are refused: the words of the API and of metrics.
pub(super) const REASONS: [&str; 7] = [
    "unreadable",
    "too_large",
    "invalid",
    "not_allowed",
    "busy",
    "no_space",
    "log_not_open",
];

/// Requests refused, by reason.
#[derive(Default)]
pub(super) struct Refusals([AtomicU64; REASONS.len()]);

impl Refusals {
    /// Notes a request that was refused.
    pub(super) fn note(&self, error: &AuditError) {
        let reason = match error {
            AuditError::Events(refusal) => match refusal.kind {
                RefusalKind::Unparseable => 0,
                RefusalKind::TooLarge => 1,
                RefusalKind::Invalid => 2,
            },
            AuditError::Unpack(_) => 0,
            AuditError::Invalid { .. } => 2,
            AuditError::Forbidden(_) => 3,
            AuditError::Ingest(IngestError::Busy) => 4,
            AuditError::Ingest(IngestError::NoSpace) => 5,
            _ => 6,
        };
        self.0[reason].fetch_add(1, Ordering::Relaxed);
    }

    /// Notes a body that was too large to be read.
    pub(super) fn note_too_large(&self) {
        self.0[1].fetch_add(1, Ordering::Relaxed);
    }

    /// Each reason, and how many.
    pub(super) fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let counts = self.0.iter().map(|count| count.load(Ordering::Relaxed));
        REASONS.into_iter().zip(counts)
    }
}
