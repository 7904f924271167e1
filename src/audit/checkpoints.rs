//! The checkpoints that a log has signed, and whether one of them, kept here or by somebody else,
//! is still part of it.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::access::{self, Reading};
use super::check::{CheckStep, CheckedPart, StepVerdict, value};
use super::integrity::page_rows;
use super::logs::{CheckpointView, RangeFilter};
use super::{Audit, AuditError, Caller, rights};
use crate::chain::Flaw;
use crate::checkpoint::{Checkpoint, Note, Signed, VerifierKey};
use crate::digest::Digest;
use crate::finding::Verdict;
use crate::ingest::Log;
use crate::limits::NUMBERS_END;
use crate::messages::Said;
use crate::sequencer::Sequencer;
use crate::state::{CheckpointQuery, Kept, StoredCheckpoint};
use crate::store::Storage;
use crate::time::Timestamp;
use crate::verifier::{ScanEnd, check_header, read_header, scan};

/// A checkpoint that is kept.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct KeptCheckpoint {
    /// What it states.
    #[serde(flatten)]
    pub checkpoint: CheckpointView,
    /// Why it is kept: newest, hour or day (the last of one), or export.
    pub kept: String,
    /// Fingerprint of the log's key, if that has signed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

/// A page of checkpoints.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CheckpointsPage {
    /// The checkpoints, the newest first.
    pub checkpoints: Vec<KeptCheckpoint>,
    /// Where the next page begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// A checkpoint to be compared with its log.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CheckpointRequest {
    /// One that is kept, by the number of its links.
    pub size: Option<u64>,
    /// Or the signed note of one that somebody holds.
    pub note: Option<String>,
}

/// What came of it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CheckpointCheck {
    /// Links that the checkpoint covers.
    pub size: u64,
    /// Root over them, hex.
    pub root: String,
    /// What it was compared with: the log's newest checkpoint.
    pub newest: CheckpointView,
    /// VERIFIED: it is still part of the log; ALTERED or TRUNCATED: it is not; UNKNOWN KEY: the
    /// log's key has not signed it, so that it says nothing of the log.
    pub verdict: String,
    /// The steps: signature, prefix, newest.
    pub steps: Vec<CheckStep>,
    /// When it was compared.
    pub checked_at: String,
}

/// The roots of the log at the sizes that were asked for, or what stood in the way.
type Roots = Result<BTreeMap<u64, Digest>, String>;

impl Audit {
    /// Checkpoints of a log, the newest first.
    pub async fn checkpoints(
        &self,
        caller: &Caller,
        log: &str,
        filter: &RangeFilter,
    ) -> Result<CheckpointsPage, AuditError> {
        caller.require(rights::SEE_LOGS)?;
        let log = self.covered_log(caller, log)?;
        let limit = page_rows(filter.limit)?;
        let (from, to) = access::range(filter.from.as_deref(), filter.to.as_deref())?;
        let below = filter.cursor.as_deref().map(str::parse).transpose();
        let below = below.map_err(|_| AuditError::bad_cursor())?;
        let query = CheckpointQuery {
            from: from.unwrap_or(Timestamp(i64::MIN)),
            to: to.unwrap_or(Timestamp(i64::MAX)),
            below: below.unwrap_or(NUMBERS_END),
            limit: limit + 1,
        };
        let mut rows = self.parts.state.checkpoints(&log.name, query).await?;
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let last = rows.last().filter(|_| more);
        let cursor = last.map(|(last, _)| last.size.to_string());
        let key = self.parts.keyring.log_verifier(&log.name);
        let view = |(stored, kept): &(StoredCheckpoint, Kept)| KeptCheckpoint {
            checkpoint: CheckpointView::of(stored),
            kept: kept.word().into(),
            fingerprint: key
                .as_ref()
                .filter(|key| signs(key, stored))
                .map(VerifierKey::fingerprint),
        };
        Ok(CheckpointsPage {
            checkpoints: rows.iter().map(view).collect(),
            cursor,
        })
    }

    /// The checkpoint of a log that covers so many links, if it is kept.
    pub async fn checkpoint(
        &self,
        caller: &Caller,
        log: &str,
        size: &str,
    ) -> Result<CheckpointView, AuditError> {
        caller.require(rights::SEE_LOGS)?;
        let log = self.covered_log(caller, log)?;
        let size = size
            .parse()
            .map_err(|_| AuditError::NotFound("thing-checkpoint"))?;
        Ok(CheckpointView::of(&self.kept_checkpoint(&log, size).await?))
    }

    /// Compares a checkpoint with its log as it is now: who signed it, whether the first links of
    /// the log give its root, and whether the same links lie under the newest checkpoint.
    /// It is in `_access` before.
    pub async fn check_checkpoint(
        &self,
        caller: &Caller,
        log: &str,
        request: &CheckpointRequest,
    ) -> Result<CheckpointCheck, AuditError> {
        caller.require(rights::VERIFY)?;
        let log = self.covered_log(caller, log)?;
        let note = match (&request.note, request.size) {
            (Some(note), None) => note.clone(),
            (None, Some(size)) => self.signed_checkpoint(&log, size).await?.note,
            _ => {
                return Err(AuditError::invalid("note", "refusal-checkpoint-one"));
            }
        };
        let note = read_note(&note)?;
        let old = Checkpoint::of_note(&note).map_err(|error| no_checkpoint(&error))?;
        if old.origin != log.origin {
            let why = Said::new("refusal-checkpoint-other")
                .outside("other", &old.origin)
                .arg("log", &log.origin);
            return Err(AuditError::invalid("note", why));
        }
        let what = json!({"log": log.name.to_string(), "links": old.size});
        self.record(caller, &Reading::operation("check_checkpoint", what))
            .await?;
        self.parts.ingest.sign(&log).await;
        let newest = self.parts.state.checkpoint(&log.name).await?;
        let newest = newest.ok_or(AuditError::NotFound("thing-checkpoint"))?;
        let roots = match old.size <= newest.size {
            true => self.roots(&log, old.size, newest.size).await?,
            false => Ok(BTreeMap::new()),
        };
        let key = self.parts.keyring.log_verifier(&log.name);
        let signed = signed_by(&old, &note, key.as_slice());
        let signature = signature(&signed, key.as_slice());
        let check = CheckpointCheck::of(&old, &newest, signature, &roots, self.now());
        Ok(match signed {
            // Whether its roots fit or not: nobody vouches for them.
            Signed::UnknownKey => CheckpointCheck {
                verdict: Verdict::UnknownKey.to_string(),
                ..check
            },
            Signed::By(_) | Signed::Bad => check,
        })
    }

    /// The checkpoint that covers so many links, if it is kept.
    async fn kept_checkpoint(&self, log: &Log, size: u64) -> Result<StoredCheckpoint, AuditError> {
        let query = CheckpointQuery {
            from: Timestamp(i64::MIN),
            to: Timestamp(i64::MAX),
            below: size.saturating_add(1),
            limit: 1,
        };
        let found = self.parts.state.checkpoints(&log.name, query).await?;
        let found = found.into_iter().map(|(stored, _)| stored);
        let mut found = found.filter(|stored| stored.size == size);
        found.next().ok_or(AuditError::NotFound("thing-checkpoint"))
    }

    /// The same; one of all links that there are is signed now, if it is not yet.
    async fn signed_checkpoint(
        &self,
        log: &Arc<Log>,
        size: u64,
    ) -> Result<StoredCheckpoint, AuditError> {
        match self.kept_checkpoint(log, size).await {
            Err(AuditError::NotFound(_)) if log.head().links == size => {
                self.parts.ingest.sign(log).await;
                self.kept_checkpoint(log, size).await
            }
            found => found,
        }
    }

    /// The roots over the log's first `old` and first `new` links, `old` ≤ `new`.
    ///
    /// Every link is read from the disk, about a second for a million: the catalog has the tree of
    /// closed segments too, but would still have it when a link on the disk was changed.
    async fn roots(&self, log: &Arc<Log>, old: u64, new: u64) -> Result<Roots, AuditError> {
        let (storage, log) = (self.parts.storage.clone(), log.clone());
        let walked = tokio::task::spawn_blocking(move || walk(&*storage, &log, [old, new]));
        let walked = walked
            .await
            .map_err(|error| AuditError::Internal(error.to_string()))?;
        Ok(walked?)
    }
}

/// Reads links from the disk, without their payloads, and takes the roots at those sizes.
fn walk(storage: &dyn Storage, log: &Log, sizes: [u64; 2]) -> io::Result<Roots> {
    let mut at = Sequencer::new(log.log_id);
    let mut roots = BTreeMap::new();
    let mut note = |at: &Sequencer| {
        if sizes.contains(&at.tree.size()) {
            roots.insert(at.tree.size(), at.tree.root());
        }
    };
    note(&at);
    while at.tree.size() < sizes[1] {
        let segment = at.chain.segment;
        let flaw = |what: &dyn std::fmt::Display| Ok(Err(format!("segment {segment}: {what}")));
        let file = match storage.open(&log.name, segment) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return flaw(&"it is missing"),
            Err(error) => return Err(error),
        };
        let key_part = storage.key_part(&log.name, segment)?;
        let header = match read_header(&*file, key_part.as_deref())? {
            Ok(header) => header,
            Err(error) => return flaw(&error),
        };
        if let Err(other) = check_header(&header, &at.chain) {
            return flaw(&words(&other));
        }
        let end = scan(&*file, &header, &mut at, false, |_, at| {
            note(at);
            Ok(())
        })?;
        match end {
            ScanEnd::Closed { .. } => {}
            // What is being written stands behind the links that were signed.
            _ if at.tree.size() >= sizes[1] => {}
            ScanEnd::Open { .. } => return flaw(&"it ends before the newest checkpoint does"),
            ScanEnd::Damaged(place) => {
                return flaw(&format!("byte {}: {}", place.offset, place.damage));
            }
            ScanEnd::Broken {
                offset,
                flaw: other,
            } => return flaw(&format!("byte {offset}: {}", words(&other))),
        }
    }
    Ok(Ok(roots))
}

/// A flaw of the chain in a line.
fn words(flaw: &Flaw) -> String {
    let Flaw {
        what,
        expected,
        found,
    } = flaw;
    format!("{what}: {expected} expected, {found} found")
}

/// A note as somebody holds it: forms send line ends of their own, and lose the last one.
fn read_note(text: &str) -> Result<Note, AuditError> {
    let text = text.replace("\r\n", "\n");
    let text = format!("{}\n", text.trim_end_matches('\n'));
    Note::parse(text.as_bytes()).map_err(|error| no_checkpoint(&error))
}

/// What somebody has pasted is no checkpoint.
fn no_checkpoint(error: &dyn std::error::Error) -> AuditError {
    let why = Said::new("refusal-checkpoint").outside("flaw", error);
    AuditError::invalid("note", why)
}

/// Whether a key has signed what the row says, and not only what its note does.
fn signs(key: &VerifierKey, stored: &StoredCheckpoint) -> bool {
    let opened = Checkpoint::open(stored.note.as_bytes(), std::slice::from_ref(key));
    opened.is_ok_and(|it| (it.size, it.root) == (stored.size, stored.root))
}

/// Who signed a checkpoint. One without a signature line of the log's key is by an unknown key, also
/// under the log's name: anybody can write that. A line of the key that does not hold is a forgery,
/// or the text was changed.
fn signed_by<'k>(old: &Checkpoint, note: &Note, keys: &'k [VerifierKey]) -> Signed<'k> {
    let is_of = |(name, id): (&str, _)| keys.iter().any(|key| (key.name(), key.id()) == (name, id));
    match old.check(note, keys) {
        Signed::Bad if !note.signers().any(is_of) => Signed::UnknownKey,
        signed => signed,
    }
}

/// The step of the signature.
fn signature(signed: &Signed<'_>, keys: &[VerifierKey]) -> CheckStep {
    let expected = keys.first().map(VerifierKey::to_string).unwrap_or_default();
    let found = match signed {
        Signed::By(key) => {
            return CheckStep::compared(CheckedPart::Signature, expected, key.to_string());
        }
        Signed::UnknownKey => "check-unknown-key",
        Signed::Bad => "check-no-signature",
    };
    CheckStep::fails(CheckedPart::Signature, expected, Said::new(found))
}

impl CheckpointCheck {
    fn of(
        old: &Checkpoint,
        newest: &StoredCheckpoint,
        signature: CheckStep,
        roots: &Roots,
        at: Timestamp,
    ) -> Self {
        let compared = |part, size, expected: &Digest| {
            let expected = expected.to_string();
            match roots.as_ref().map(|roots| roots.get(&size)) {
                Ok(Some(root)) => CheckStep::compared(part, expected, root.to_string()),
                Ok(None) => {
                    let links = Said::new("check-links").count("n", newest.size);
                    CheckStep::fails(part, expected, links)
                }
                Err(flaw) => CheckStep::fails(part, expected, value(flaw)),
            }
        };
        let prefix = compared(CheckedPart::Prefix, old.size, &old.root);
        let under = match old.size > newest.size {
            true => CheckStep::not_reached(CheckedPart::Newest),
            false => compared(CheckedPart::Newest, newest.size, &newest.root),
        };
        let steps = vec![signature, prefix, under];
        // Only a checkpoint that this server has signed can say that links are missing; of any
        // other it is unknown whether they ever were there.
        let holds = |step: &CheckStep| step.verdict == StepVerdict::Holds;
        let verdict = match &*steps {
            steps if steps.iter().all(holds) => Verdict::Verified,
            [signature, ..] if holds(signature) && old.size > newest.size => Verdict::Truncated,
            _ => Verdict::Altered,
        };
        Self {
            size: old.size,
            root: old.root.to_string(),
            newest: CheckpointView::of(newest),
            verdict: verdict.to_string(),
            steps,
            checked_at: at.to_string(),
        }
    }
}
