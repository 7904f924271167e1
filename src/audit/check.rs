//! Checking one entry anew, from the bytes on disk to the signed checkpoint, step by step.
//!
//! Each step rests on the one before it, so that the first that fails says where the fault lies. A
//! step that `reader` would not have let pass stands as holding here: it was checked on the way.

use std::fmt::Display;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::json;
use utoipa::ToSchema;

use super::access::{Purpose, Reading};
use super::entry::EntryRequest;
use super::reader::{OpenedBatch, Reader};
use super::tree::LogTree;
use super::{Audit, AuditError, Caller, rights};
use crate::chain::Body;
use crate::checkpoint::Checkpoint;
use crate::digest::Digest;
use crate::ingest::Log;
use crate::merkle::{self, partial};
use crate::messages::{Lang, Said};
use crate::state::StoredCheckpoint;

/// What a step looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckedPart {
    /// The bytes in the segment's file open under its key.
    Bytes,
    /// The entry's salt and bytes hash to its leaf.
    Leaf,
    /// The leaves of the batch hash to the root that its link states.
    Batch,
    /// The link's bytes hash to a leaf of the log's tree.
    Link,
    /// The log's first links give the root of an older checkpoint.
    Prefix,
    /// All of its links give the root of its newest checkpoint.
    Newest,
    /// That leaf lies under the checkpoint's root.
    Checkpoint,
    /// The checkpoint is signed by this server's key.
    Signature,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepVerdict {
    /// It is as it should be.
    Holds,
    /// It is not: a finding.
    Fails,
    /// There is nothing yet to check it against.
    Open,
    /// A step before it failed.
    NotReached,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CheckStep {
    /// What it looks at.
    pub part: CheckedPart,
    /// How it ended.
    pub verdict: StepVerdict,
    /// What should be there, where something else says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What is there, as far as it was looked at.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "in_english")]
    #[schema(value_type = Option<String>)]
    pub found: Option<Said>,
}

impl Audit {
    /// Checks an entry anew from disk, without showing what it says. It is in `_access` before.
    pub async fn check_entry(
        &self,
        caller: &Caller,
        log: &str,
        index: u64,
        request: &EntryRequest,
    ) -> Result<Vec<CheckStep>, AuditError> {
        caller.require(rights::READ)?;
        let purpose = Purpose::new(&request.purpose, request.case.as_deref())?;
        let log = self.covered_log(caller, log)?;
        self.require_case(&log.name, &purpose).await?;
        let (segment, place) = self.place_of(&log, index).await?;
        let reading = Reading {
            operation: "check_entry",
            subjects: Vec::new(),
            purpose: Some(purpose),
            what: json!({"log": log.name.to_string(), "entry": index}),
        };
        self.record(caller, &reading).await?;
        let mut reader: Reader = self.reader(&log);
        let read = tokio::task::spawn_blocking(move || reader.batch(segment, &place));
        let read = read
            .await
            .map_err(|error| AuditError::Internal(error.to_string()))?;
        let batch = match read {
            Ok(batch) => batch,
            Err(AuditError::Finding(what)) => return Ok(unread(what)),
            Err(other) => return Err(other),
        };
        let mut steps = inside(&batch, (index - place.first_entry) as usize)?.to_vec();
        steps.extend(self.outside(&log, &batch).await?);
        Ok(steps)
    }

    /// From the link to the signed checkpoint.
    async fn outside(
        &self,
        log: &Arc<Log>,
        batch: &OpenedBatch,
    ) -> Result<[CheckStep; 2], AuditError> {
        let number = batch.link.head.number;
        let closed = log.closed_head().borrow().clone();
        let checkpoint = closed.map(|closed| closed.checkpoint);
        let Some(checkpoint) = checkpoint.filter(|it| it.size > number) else {
            return Ok([CheckedPart::Checkpoint, CheckedPart::Signature].map(CheckStep::open));
        };
        let mut tree = LogTree::new(&self.parts.catalog, &log.name);
        let nodes = tree.partial(checkpoint.size, &[number]).await?;
        let root = partial::root(checkpoint.size, &[(number, batch.link_hash())], &nodes);
        let root = root.map_or_else(|error| error.to_string(), |root| root.to_string());
        let under = CheckStep::compared(CheckedPart::Checkpoint, checkpoint.root.to_string(), root);
        Ok([under, self.signature(log, &checkpoint)])
    }

    /// The step from the checkpoint to the key: the note is opened anew, and must state what is
    /// compared.
    fn signature(&self, log: &Arc<Log>, checkpoint: &StoredCheckpoint) -> CheckStep {
        let key = self.parts.keyring.log_verifier(&log.name);
        let found = match Checkpoint::open(checkpoint.note.as_bytes(), key.as_slice()) {
            Ok(signed) => stated(signed.size, signed.root),
            Err(error) => error.to_string(),
        };
        let expected = stated(checkpoint.size, checkpoint.root);
        CheckStep::compared(CheckedPart::Signature, expected, found)
    }
}

/// What a checkpoint states, in a line.
fn stated(size: u64, root: Digest) -> String {
    format!("{size} {root}")
}

/// As programs are told it.
fn in_english<S: Serializer>(said: &Option<Said>, serializer: S) -> Result<S::Ok, S::Error> {
    let text = said.as_ref().map(|said| said.text(Lang::English));
    text.serialize(serializer)
}

/// A value that is the same in every language.
pub(super) fn value(text: impl Display) -> Said {
    Said::new("check-value").outside("value", text)
}

/// From the bytes to the link.
fn inside(batch: &OpenedBatch, position: usize) -> Result<[CheckStep; 4], AuditError> {
    let content = batch
        .batch
        .get(position)
        .ok_or(AuditError::NotFound("thing-entry"))?;
    let Body::Batch(body) = &batch.link.body else {
        return Err(AuditError::NotFound("thing-entry"));
    };
    let root = merkle::root(&batch.batch.leaves());
    let head = &batch.link.head;
    let place = Said::new("check-place")
        .count("segment", head.segment)
        .count("link", head.number);
    Ok([
        CheckStep::stands(CheckedPart::Bytes, place),
        CheckStep::stands(CheckedPart::Leaf, value(content.leaf())),
        CheckStep::compared(
            CheckedPart::Batch,
            body.entries_root.to_string(),
            root.to_string(),
        ),
        CheckStep::stands(CheckedPart::Link, value(batch.link_hash())),
    ])
}

/// The steps where the bytes are not what was recorded.
fn unread(what: String) -> Vec<CheckStep> {
    use CheckedPart::{Batch, Bytes, Checkpoint, Leaf, Link, Signature};
    let mut steps = vec![CheckStep {
        verdict: StepVerdict::Fails,
        ..CheckStep::stands(Bytes, value(what))
    }];
    let rest = [Leaf, Batch, Link, Checkpoint, Signature];
    steps.extend(rest.map(CheckStep::not_reached));
    steps
}

impl CheckStep {
    /// A step that holds, with what was found.
    fn stands(part: CheckedPart, found: Said) -> Self {
        Self {
            part,
            verdict: StepVerdict::Holds,
            expected: None,
            found: Some(found),
        }
    }

    /// A step that holds if both are the same to the letter.
    pub(super) fn compared(part: CheckedPart, expected: String, found: String) -> Self {
        let verdict = match expected == found {
            true => StepVerdict::Holds,
            false => StepVerdict::Fails,
        };
        Self {
            part,
            verdict,
            expected: Some(expected),
            found: Some(value(found)),
        }
    }

    /// A step that fails, where what was found is not of the same kind as what was expected.
    pub(super) fn fails(part: CheckedPart, expected: String, found: Said) -> Self {
        Self {
            part,
            verdict: StepVerdict::Fails,
            expected: Some(expected),
            found: Some(found),
        }
    }

    /// A step behind one that failed.
    pub(super) fn not_reached(part: CheckedPart) -> Self {
        Self {
            verdict: StepVerdict::NotReached,
            ..Self::open(part)
        }
    }

    /// A step for which there is nothing yet to compare.
    fn open(part: CheckedPart) -> Self {
        Self {
            part,
            verdict: StepVerdict::Open,
            expected: None,
            found: None,
        }
    }
}
