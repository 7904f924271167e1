//! The links of a closed segment, as they stand in its file; nothing is opened.
//!
//! Places come from the catalog and are believed only so far that a link with the right number must
//! stand there, whole.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::{SegmentVerdict, page_rows};
use crate::audit::logs::SegmentView;
use crate::audit::{Audit, AuditError, Caller, rights};
use crate::catalog::{BatchPlace, SegmentRow};
use crate::chain::Body;
use crate::digest::Digest;
use crate::format::frame::{Found, read_frame};
use crate::ingest::Log;
use crate::store::{SegmentFile, Storage};

/// A link of a segment.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SegmentLink {
    /// Its number in the log.
    pub number: u64,
    /// batch, or close: the segment's last, which holds its sealed subject index.
    pub kind: String,
    /// Its leaf hash, hex.
    pub hash: String,
    /// When it was committed.
    pub committed_at: String,
    /// Its first entry.
    pub first_entry: u64,
    /// Number of its entries; those of the segment, if it is the close link.
    pub entries: u64,
    /// Bytes of its sealed payload.
    pub payload_bytes: u64,
    /// Where its frame begins in the segment's file.
    pub offset: u64,
    /// Whether the last check that covered the segment found something in this link.
    pub finding: bool,
}

/// A closed segment with some of its links.
#[derive(Debug, Serialize, ToSchema)]
pub struct SegmentLinks {
    /// The segment.
    pub segment: SegmentView,
    /// Its links, ascending.
    pub links: Vec<SegmentLink>,
    /// What could not be read as a link.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// Where the next page begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl Audit {
    /// A closed segment's links, from a cursor on.
    pub async fn segment_links(
        &self,
        caller: &Caller,
        log: &str,
        number: u64,
        cursor: Option<&str>,
        limit: Option<u32>,
    ) -> Result<SegmentLinks, AuditError> {
        caller.require(rights::SEE_SEGMENTS)?;
        let log = self.covered_log(caller, log)?;
        let limit = page_rows(limit)?;
        let from: u64 = cursor
            .unwrap_or("0")
            .parse()
            .map_err(|_| AuditError::invalid("cursor", "refusal-cursor"))?;
        let catalog = &self.parts.catalog;
        let found = catalog.segment(&log.name, number).await?;
        let (id, row) = found.ok_or(AuditError::NotFound("thing-segment"))?;
        let mut places = catalog.links_from(id, from, limit + 1).await?;
        if places.len() <= limit as usize && from <= row.close_link {
            places.push(close_place(&row));
        }
        let next = places.get(limit as usize).map(|place| place.link);
        places.truncate(limit as usize);
        let verdict = self.verdicts(&log.name, number, number + 1).await?;
        let verdict = verdict.of(number);
        let (storage, its_log, its_verdict) =
            (self.parts.storage.clone(), log.clone(), verdict.clone());
        let read = tokio::task::spawn_blocking(move || {
            read_links(&*storage, &its_log, number, &places, its_verdict.as_ref())
        });
        let (links, findings) = read
            .await
            .map_err(|error| AuditError::Internal(error.to_string()))??;
        Ok(SegmentLinks {
            segment: SegmentView::of(&row, verdict),
            links,
            findings,
            cursor: next.map(|link| link.to_string()),
        })
    }
}

/// Where the close link stands: batches have places of their own in the catalog, it has none.
fn close_place(row: &SegmentRow) -> BatchPlace {
    BatchPlace {
        first_entry: row.first_entry,
        link: row.close_link,
        place: row.close_place,
    }
}

/// Reads links without their payloads; what is none is said.
fn read_links(
    storage: &dyn Storage,
    log: &Arc<Log>,
    segment: u64,
    places: &[BatchPlace],
    verdict: Option<&SegmentVerdict>,
) -> Result<(Vec<SegmentLink>, Vec<String>), AuditError> {
    let file: Arc<dyn SegmentFile> = storage.open(&log.name, segment)?;
    let (mut links, mut findings) = (Vec::new(), Vec::new());
    for place in places {
        match read_frame(&*file, place.place, &log.log_id, false)? {
            Found::Frame(frame) if frame.link.head.number == place.link => {
                let bad = verdict.is_some_and(|it| it.links.contains(&place.link));
                let (kind, first_entry, entries, bytes) = match &frame.link.body {
                    Body::Batch(it) => (
                        "batch",
                        it.first_entry,
                        u64::from(it.entry_count),
                        it.payload_length,
                    ),
                    Body::Close(it) => ("close", it.first_entry, it.entry_count, it.payload_length),
                    Body::Reserved { .. } => ("reserved", place.first_entry, 0, 0),
                };
                links.push(SegmentLink {
                    number: place.link,
                    kind: kind.into(),
                    hash: Digest::leaf(&[&frame.link_bytes]).to_string(),
                    committed_at: frame.link.head.committed_at.to_string(),
                    first_entry,
                    entries,
                    payload_bytes: u64::from(bytes),
                    offset: place.place,
                    finding: bad,
                });
            }
            Found::Frame(_) | Found::End | Found::Damage(..) => findings.push(format!(
                "ALTERED: log {}, segment {segment}, byte {}: link {} cannot be read there",
                log.name, place.place, place.link
            )),
        }
    }
    Ok((links, findings))
}
