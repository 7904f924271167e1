//! One entry in full: its exact bytes, its link, and its proof.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::access::{Purpose, Reading};
use super::logs::CheckpointView;
use super::reader::{OpenedBatch, Reader};
use super::tree::LogTree;
use super::{Audit, AuditError, Caller, rights};
use crate::base64;
use crate::catalog::BatchPlace;
use crate::event::facts;
use crate::format::payload::Content;
use crate::ids::SegmentNumber;
use crate::ingest::Log;
use crate::merkle::partial;

/// Why an entry is read.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EntryRequest {
    /// What it is read for.
    pub purpose: String,
    /// The case it belongs to.
    pub case: Option<String>,
}

/// An entry in full.
#[derive(Serialize, ToSchema)]
pub struct EntryView {
    /// The log.
    pub log: String,
    /// Its index in the log.
    pub entry: u64,
    /// Its exact bytes, as text; absent if it was erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<String>,
    /// Its leaf hash, hex.
    pub leaf: String,
    /// The link of its batch.
    pub link: LinkView,
    /// How the leaf is proved.
    pub proof: Proof,
}

/// A link.
#[derive(Serialize, ToSchema)]
pub struct LinkView {
    /// Its number.
    pub number: u64,
    /// Its segment.
    pub segment: u64,
    /// Its bytes, base64.
    pub bytes: String,
    /// Its leaf hash, hex.
    pub hash: String,
    /// When it was committed.
    pub committed_at: String,
}

/// Proof of an entry, as in proof.json of a bundle.
#[derive(Serialize, ToSchema)]
pub struct Proof {
    /// Position in the batch.
    pub position: u32,
    /// The salt, base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// Partial tree of the batch: `[level, index, hash]`, base64.
    #[schema(value_type = Vec<Vec<serde_json::Value>>)]
    pub batch_tree: crate::merkle::PartialTree,
    /// The checkpoint that covers the link; absent while there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<CheckpointView>,
    /// Partial tree of the log at that checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Vec<serde_json::Value>>>)]
    pub log_tree: Option<crate::merkle::PartialTree>,
}

impl Audit {
    /// Reads one entry. The reading is in `_access` before its bytes are shown, under everybody
    /// whom the entry names: each of them may ask who has read about them (GDPR Art. 15; CJEU
    /// C-579/21).
    pub async fn entry(
        &self,
        caller: &Caller,
        log: &str,
        index: u64,
        request: &EntryRequest,
    ) -> Result<EntryView, AuditError> {
        caller.require(rights::READ)?;
        let purpose = Purpose::new(&request.purpose, request.case.as_deref())?;
        let log = self.covered_log(caller, log)?;
        self.require_case(&log.name, &purpose).await?;
        let (segment, place) = self.place_of(&log, index).await?;
        let batch = read_batch(self.reader(&log), segment, place).await?;
        let position = (index - place.first_entry) as usize;
        let content = batch
            .batch
            .get(position)
            .ok_or(AuditError::NotFound("thing-entry"))?;
        let subjects = match content {
            // An entry that cannot be read names nobody.
            Content::Kept(_, entry) => {
                facts(entry).map_or_else(|_| Vec::new(), |facts| facts.subjects)
            }
            Content::Erased(_) => Vec::new(),
        };
        let what = json!({"log": log.name.to_string(), "entry": index});
        self.record(
            caller,
            &Reading {
                operation: "read_entry",
                subjects,
                purpose: Some(purpose),
                what,
            },
        )
        .await?;
        let (bytes, salt) = match content {
            Content::Kept(salt, entry) => (
                Some(String::from_utf8_lossy(entry).into_owned()),
                Some(base64::encode(salt)),
            ),
            Content::Erased(_) => (None, None),
        };
        let leaves = batch.batch.leaves();
        let (checkpoint, log_tree) = self.log_proof(&log, &batch).await?;
        Ok(EntryView {
            log: log.name.to_string(),
            entry: index,
            bytes,
            leaf: content.leaf().to_string(),
            link: LinkView::of(&batch),
            proof: Proof {
                position: position as u32,
                salt,
                batch_tree: partial::build(&leaves, &[position as u64]),
                checkpoint,
                log_tree,
            },
        })
    }

    /// Where an entry stands.
    pub(super) async fn place_of(
        &self,
        log: &Arc<Log>,
        entry: u64,
    ) -> Result<(SegmentNumber, BatchPlace), AuditError> {
        if entry >= log.head().entries {
            return Err(AuditError::NotFound("thing-entry"));
        }
        if let Some(found) = log.recent_batch(entry) {
            return Ok(found);
        }
        let segment = self
            .parts
            .catalog
            .segment_of_entry(&log.name, entry)
            .await?;
        let place = match &segment {
            Some((id, _)) => self.parts.catalog.batch_of(*id, entry).await?,
            None => None,
        };
        match (segment, place) {
            (Some((_, row)), Some(place)) => Ok((row.number, place)),
            _ => Err(AuditError::Unavailable("refusal-place".into())),
        }
    }

    /// The checkpoint and the tree nodes for a link that the catalog and a checkpoint cover.
    async fn log_proof(
        &self,
        log: &Arc<Log>,
        batch: &OpenedBatch,
    ) -> Result<(Option<CheckpointView>, Option<crate::merkle::PartialTree>), AuditError> {
        let closed = log.closed_head().borrow().clone();
        let number = batch.link.head.number;
        let Some(closed) = closed.filter(|closed| closed.checkpoint.size > number) else {
            return Ok((None, None));
        };
        let checkpoint = closed.checkpoint;
        let mut tree = LogTree::new(&self.parts.catalog, &log.name);
        let Ok(nodes) = tree.partial(checkpoint.size, &[number]).await else {
            return Ok((None, None));
        };
        let root = partial::root(checkpoint.size, &[(number, batch.link_hash())], &nodes);
        match root {
            Ok(root) if root == checkpoint.root => {
                Ok((Some(CheckpointView::of(&checkpoint)), Some(nodes)))
            }
            _ => Err(AuditError::Finding(format!(
                "ALTERED: log {}: link {number} does not lie under the checkpoint of {} links",
                log.name, checkpoint.size
            ))),
        }
    }
}

pub(super) async fn read_batch(
    mut reader: Reader,
    segment: SegmentNumber,
    place: BatchPlace,
) -> Result<Arc<OpenedBatch>, AuditError> {
    let read = tokio::task::spawn_blocking(move || reader.batch(segment, &place));
    read.await
        .map_err(|error| AuditError::Internal(error.to_string()))?
}

impl LinkView {
    fn of(batch: &OpenedBatch) -> Self {
        let head = &batch.link.head;
        Self {
            number: head.number,
            segment: head.segment,
            bytes: base64::encode(&batch.link_bytes),
            hash: batch.link_hash().to_string(),
            committed_at: head.committed_at.to_string(),
        }
    }
}
