//! Appending events.

use serde::Serialize;
use tokio::sync::{Semaphore, SemaphorePermit};
use utoipa::ToSchema;

use super::pieces::Pieces;
use super::refusals::Refusals;
use super::{Audit, AuditError, Caller, rights};
use crate::digest::Digest;
use crate::event::{self, Encoding, OnInvalid, Quarantined, Submission, UnpackError};
use crate::ids::LogName;
use crate::ingest::{Acknowledgement, Append, Durability, IngestError, Outcome};
use crate::limits::MAX_IDEMPOTENCY_KEY_BYTES;
use crate::messages::Said;
use crate::time::Timestamp;

/// A request to append.
pub struct AppendRequest<'a> {
    /// The log.
    pub log: &'a str,
    /// The body, as it came.
    pub body: Pieces,
    /// How it is packed.
    pub encoding: Encoding,
    /// The idempotency key.
    pub key: Option<&'a str>,
    /// What to do with what cannot be read.
    pub on_invalid: OnInvalid,
    /// When to answer.
    pub durability: Durability,
    /// The room that the body takes.
    pub intake: Intake<'a>,
}

/// What became of a request.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Receipt {
    /// The log.
    pub log: String,
    /// Index of the first entry; absent if only queued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_entry: Option<u64>,
    /// Number of entries.
    pub count: u32,
    /// The link of their batch; absent if only queued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<ReceiptLink>,
    /// When the request was received.
    pub received_at: String,
    /// What was kept as quarantined.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quarantined: Vec<ReceiptQuarantined>,
    /// Whether this is the answer of an earlier request with the same key.
    #[serde(skip)]
    pub repeated: bool,
}

/// The link of a batch.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReceiptLink {
    /// Its number in the log.
    pub number: u64,
    /// Its leaf hash, hex.
    pub hash: String,
}

/// Something that could not be read, and was kept all the same.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReceiptQuarantined {
    /// Its line in the body, from 1.
    pub line: u64,
    /// Which of the request's entries it became, from 0.
    pub position: u32,
    /// Why it could not be read.
    pub detail: String,
}

impl Audit {
    /// Appends a body's events to a log, all or nothing.
    pub async fn append(
        &self,
        caller: &Caller,
        request: AppendRequest<'_>,
    ) -> Result<Receipt, AuditError> {
        let appended = self.append_all(caller, request).await;
        appended.inspect_err(|error| self.refusals.note(error))
    }

    /// The whole way of a request; `append` counts what becomes of it.
    async fn append_all(
        &self,
        caller: &Caller,
        request: AppendRequest<'_>,
    ) -> Result<Receipt, AuditError> {
        caller.require(rights::APPEND)?;
        let log = LogName::new(request.log)
            .map_err(|_| AuditError::invalid("log", "refusal-log-name"))?;
        if log.is_reserved() {
            return Err(AuditError::Forbidden("refusal-reserved".into()));
        }
        caller.require_log(&log)?;
        if request
            .key
            .is_some_and(|key| key.is_empty() || key.len() > MAX_IDEMPOTENCY_KEY_BYTES)
        {
            let why =
                Said::new("refusal-idempotency-key").count("n", MAX_IDEMPOTENCY_KEY_BYTES as u64);
            return Err(AuditError::invalid("Idempotency-Key", why));
        }
        let received_at = self.now();
        let durability = request.durability;
        let prepared = self.prepare(caller, request, received_at).await?;
        let Prepared {
            submission,
            key,
            mut intake,
        } = prepared;
        intake.hold_at_least(submission.entries.byte_len())?;
        let count = submission.entries.len() as u32;
        let log = self.parts.ingest.log_or_new(&log)?;
        let append = Append {
            quarantined: submission.quarantined.len() as u32,
            entries: submission.entries,
            key,
            received_at,
        };
        let outcome = self.parts.ingest.append(&log, append, durability).await?;
        // Held so far: until the queue had room, nothing else bounded the entries.
        drop(intake);
        let repeated = matches!(outcome, Outcome::Repeated(_));
        let done = match outcome {
            Outcome::Acknowledged(done) | Outcome::Repeated(done) => Some(done),
            Outcome::Queued => None,
        };
        // A repeated request was received when the first one was.
        let received_at = done.map_or(received_at, |done| done.received_at);
        Ok(Receipt {
            log: log.name.to_string(),
            first_entry: done.map(|done| done.first_entry),
            count: done.map_or(count, |done| done.count),
            link: done.map(ReceiptLink::of),
            received_at: received_at.to_string(),
            quarantined: submission
                .quarantined
                .into_iter()
                .map(ReceiptQuarantined::of)
                .collect(),
            repeated,
        })
    }

    /// Bytes of a request, as it is sent and unpacked.
    pub fn max_request_bytes(&self) -> usize {
        self.options.events.request_bytes
    }

    /// Room for a body that begins to arrive.
    pub fn intake(&self) -> Intake<'_> {
        Intake {
            in_flight: &self.in_flight,
            refusals: &self.refusals,
            max: self.options.events.request_bytes,
            held: 0,
            permits: None,
        }
    }

    /// Unpacks and reads a body; a large one on a thread where it stops nobody.
    async fn prepare<'a>(
        &'a self,
        caller: &Caller,
        request: AppendRequest<'a>,
        received_at: Timestamp,
    ) -> Result<Prepared<'a>, AuditError> {
        let AppendRequest {
            body,
            encoding,
            key,
            on_invalid,
            mut intake,
            ..
        } = request;
        let context = event::Context {
            received_at,
            submitted_by: caller.id(),
            limits: self.options.events,
        };
        let max = self.options.events.request_bytes;
        // What the body unpacks to is known only when it is unpacked: it is tried within the room
        // that is held, and within more if that was too little.
        let length = body.byte_len();
        let mut body = body;
        loop {
            if encoding != Encoding::Identity && intake.held < max {
                let wanted = (intake.held.saturating_mul(8)).clamp(FIRST_UNPACK_BYTES, max);
                intake
                    .grow(wanted - intake.held)
                    .map_err(IntakeError::into_busy)?;
            }
            let room = intake.held.min(max).max(length.min(max));
            let has_key = key.is_some();
            let read = move || {
                let whole = body.into_whole();
                let done = read(&whole, encoding, room, &context, on_invalid, has_key);
                (done, whole)
            };
            let (done, whole) = match length <= INLINE_BYTES && encoding == Encoding::Identity {
                true => read(),
                false => tokio::task::spawn_blocking(read)
                    .await
                    .map_err(|error| AuditError::Internal(error.to_string()))?,
            };
            match done {
                Err(AuditError::Unpack(UnpackError::TooLarge { .. })) if room < max => {
                    body = whole.into();
                }
                Err(error) => return Err(error),
                Ok((submission, body_hash)) => {
                    let key = key.map(|key| Digest::of(&[&caller.id().0, key.as_bytes()]));
                    let key = key.zip(body_hash);
                    return Ok(Prepared {
                        submission,
                        key,
                        intake,
                    });
                }
            }
        }
    }
}

/// Bodies up to this are read where they arrive: about a tenth of a millisecond.
const INLINE_BYTES: usize = 64 << 10;
/// Room for the first attempt at unpacking.
const FIRST_UNPACK_BYTES: usize = 256 << 10;

/// A body that was read. `key` is the hash of account and idempotency key, and that of the body.
struct Prepared<'a> {
    submission: Submission,
    key: Option<(Digest, Digest)>,
    intake: Intake<'a>,
}

/// Unpacks and reads a body, on whatever thread.
fn read(
    body: &[u8],
    encoding: Encoding,
    room: usize,
    context: &event::Context,
    on_invalid: OnInvalid,
    has_key: bool,
) -> Result<(Submission, Option<Digest>), AuditError> {
    let body = event::unpack(encoding, body, room)?;
    let submission = event::read_body(&body, context, on_invalid).map_err(AuditError::Events)?;
    Ok((submission, has_key.then(|| Digest::of(&[&body]))))
}

/// A share of the bytes that may be in flight, growing as a body arrives.
pub struct Intake<'a> {
    in_flight: &'a Semaphore,
    refusals: &'a Refusals,
    max: usize,
    /// Bytes of the body that room was taken for; `permits` may hold more.
    held: usize,
    permits: Option<SemaphorePermit<'a>>,
}

/// Why there is no more room.
#[derive(Debug)]
pub enum IntakeError {
    /// A body has at most this many bytes.
    TooLarge(usize),
    /// Too many bodies are in flight.
    Busy(IngestError),
}

impl Intake<'_> {
    /// Takes room for more bytes.
    pub fn grow(&mut self, bytes: usize) -> Result<(), IntakeError> {
        if self.held + bytes > self.max {
            self.refusals.note_too_large();
            return Err(IntakeError::TooLarge(self.max));
        }
        // Never waited for: who waits here would hold what he has, and two could wait for each
        // other.
        let more = self.in_flight.try_acquire_many(bytes as u32);
        let more = more.map_err(|_| {
            self.refusals.note(&AuditError::Ingest(IngestError::Busy));
            IntakeError::Busy(IngestError::Busy)
        })?;
        match &mut self.permits {
            Some(permits) => permits.merge(more),
            none => *none = Some(more),
        }
        self.held += bytes;
        Ok(())
    }
}

impl Intake<'_> {
    /// Holds as much room as the entries take that a body has become: small events grow.
    fn hold_at_least(&mut self, bytes: usize) -> Result<(), IngestError> {
        let more = bytes.saturating_sub(self.held);
        let permits = self.in_flight.try_acquire_many(more as u32);
        let more = permits.map_err(|_| IngestError::Busy)?;
        match &mut self.permits {
            Some(permits) => permits.merge(more),
            none => *none = Some(more),
        }
        Ok(())
    }
}

impl IntakeError {
    /// While a body is unpacked it is too large only for the moment.
    fn into_busy(self) -> AuditError {
        AuditError::Ingest(IngestError::Busy)
    }
}

impl ReceiptLink {
    fn of(done: Acknowledgement) -> Self {
        Self {
            number: done.link,
            hash: done.link_hash.to_string(),
        }
    }
}

impl ReceiptQuarantined {
    fn of(quarantined: Quarantined) -> Self {
        let Quarantined {
            position,
            line,
            detail,
        } = quarantined;
        Self {
            line,
            position,
            detail,
        }
    }
}
