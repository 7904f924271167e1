//! Finding in the indexes, in memory and in the catalog; and reading what was found, each batch
//! opened once.
//!
//! Lists come from memory and from the catalog, which is trusted with nothing: whoever edits it can
//! hide an entry from a search, not from an export. Batches are checked against their links before
//! anything of them is shown (`reader`).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use serde_json::value::RawValue;

use super::days::Days;
use super::reader::Reader;
use super::search::{Completeness, Filter, FoundEntry, Question};
use super::window::{Bounds, Hit, Home, Key, Window};
use super::{Audit, AuditError};
use crate::catalog::{BatchPlace, SegmentId};
use crate::format::payload::Content;
use crate::ids::{LogName, SegmentNumber, SubjectId};
use crate::ingest::{Log, RecentHits, subject_key};
use crate::limits::{SEARCH_READ_TOGETHER, SEARCH_SEGMENTS, SEARCH_WINDOW};
use crate::time::Timestamp;
use crate::vrf::{self, Tag};

/// What the indexes say.
pub(super) struct Found {
    /// The first entries.
    pub(super) window: Window,
    /// All entries of the range, by day.
    pub(super) days: Days,
    /// Up to where each log was searched.
    pub(super) complete: Vec<Completeness>,
}

/// Entries read.
#[derive(Default)]
pub(super) struct Read {
    pub(super) entries: Vec<FoundEntry>,
    /// Those that are not what was recorded, each with its place.
    pub(super) findings: Vec<String>,
}

/// What came of one hit, in the order of results: an entry that fits the filter, or a finding.
/// `None` is an entry that the filter does not admit, or that was erased.
type Outcome = Option<Result<FoundEntry, String>>;

impl Found {
    /// Takes in entries of one segment, where one that names several of the subjects may stand
    /// several times.
    fn add(&mut self, bounds: &Bounds, home: &Home, mut entries: Vec<(u64, Timestamp)>) {
        entries.sort_unstable();
        entries.dedup();
        for (entry, time) in entries.into_iter().filter(|(_, time)| bounds.hold(*time)) {
            self.days.add(time);
            self.window.add(bounds.after, home, entry, time);
        }
    }
}

impl Audit {
    /// Looks a question up, without opening any entry.
    pub(super) async fn look_up(&self, question: &Question) -> Result<Found, AuditError> {
        let mut found = Found {
            window: Window {
                hits: Vec::new(),
                more: false,
            },
            days: Days::default(),
            complete: Vec::new(),
        };
        for log in &question.logs {
            let entries = self.hits_of_log(question, log, &mut found).await?;
            found.complete.push(Completeness {
                log: log.name.to_string(),
                entries,
            });
        }
        found.window.cut(SEARCH_WINDOW);
        Ok(found)
    }

    /// Finds a log's entries that name a subject; gives the number of entries that were searched.
    async fn hits_of_log(
        &self,
        question: &Question,
        log: &Arc<Log>,
        found: &mut Found,
    ) -> Result<u64, AuditError> {
        // Memory before the catalog: a segment that moves from one to the other is seen twice,
        // never not at all.
        let mut recent = Vec::with_capacity(question.subjects.len());
        for subject in &question.subjects {
            let key = subject_key(subject.expose());
            recent.push(self.parts.ingest.recent(log, &key).await?);
        }
        let segments = self
            .parts
            .catalog
            .segments_in_range(&log.name, question.bounds.from, question.bounds.to)
            .await?;
        self.hits_of_catalog(question, log, &segments, found)
            .await?;
        let known: HashSet<SegmentNumber> = segments.iter().map(|(_, number)| *number).collect();
        let mut by_segment: BTreeMap<SegmentNumber, Vec<(u64, Timestamp)>> = BTreeMap::new();
        let hits = recent.iter().flat_map(|recent| &recent.hits);
        for hit in hits.filter(|hit| !known.contains(&hit.segment)) {
            let entries = by_segment.entry(hit.segment).or_default();
            entries.extend_from_slice(&hit.entries);
        }
        for (segment, entries) in by_segment {
            let home = Home {
                log: log.clone(),
                segment,
                row: None,
            };
            found.add(&question.bounds, &home, entries);
        }
        self.searched(log, &recent).await
    }

    /// The entries of closed segments, some segments at a time. A subject's VRF output is computed
    /// once a log, some 40 µs, and hashed to a tag a segment.
    async fn hits_of_catalog(
        &self,
        question: &Question,
        log: &Arc<Log>,
        segments: &[(SegmentId, SegmentNumber)],
        found: &mut Found,
    ) -> Result<(), AuditError> {
        let index = &self.parts.keyring.index;
        let subjects = question.subjects.iter().map(SubjectId::expose);
        let betas: Vec<_> = subjects
            .map(|subject| index.beta(&[&log.log_id.0, subject.as_bytes()]))
            .collect();
        for segments in segments.chunks(SEARCH_SEGMENTS) {
            let pairs: Vec<(SegmentId, Tag)> = segments
                .iter()
                .flat_map(|(id, number)| betas.iter().map(|beta| (*id, vrf::tag(beta, *number))))
                .collect();
            let mut lists: HashMap<SegmentId, Vec<(u64, Timestamp)>> = HashMap::new();
            for (id, list) in self.parts.catalog.lists(&pairs).await? {
                lists.entry(id).or_default().extend(list);
            }
            for (id, number) in segments {
                let home = Home {
                    log: log.clone(),
                    segment: *number,
                    row: Some(*id),
                };
                found.add(
                    &question.bounds,
                    &home,
                    lists.remove(id).unwrap_or_default(),
                );
            }
        }
        Ok(())
    }

    /// Notes which of some subjects are named by entries of a log.
    pub(super) async fn note_named(
        &self,
        log: &Arc<Log>,
        subjects: &[SubjectId],
        named: &mut [bool],
    ) -> Result<(), AuditError> {
        // Memory before the catalog, as above.
        for (subject, named) in subjects.iter().zip(&mut *named) {
            let key = subject_key(subject.expose());
            let recent = self.parts.ingest.recent(log, &key).await?;
            *named |= !recent.hits.is_empty();
        }
        let catalog = &self.parts.catalog;
        let segments = catalog.segments_in_range(&log.name, None, None).await?;
        for (subject, named) in subjects.iter().zip(named).filter(|(_, named)| !**named) {
            let index = &self.parts.keyring.index;
            let beta = index.beta(&[&log.log_id.0, subject.expose().as_bytes()]);
            let pairs = segments.iter();
            let pairs: Vec<_> = pairs
                .map(|(id, number)| (*id, vrf::tag(&beta, *number)))
                .collect();
            *named = catalog.any_list(&pairs).await?;
        }
        Ok(())
    }

    /// How many entries of a log were searched.
    async fn searched(&self, log: &Arc<Log>, recent: &[RecentHits]) -> Result<u64, AuditError> {
        let mut searched = recent.iter().map(|recent| recent.entries).min();
        let unknown: HashSet<_> = recent.iter().flat_map(|recent| &recent.unknown).collect();
        for segment in unknown {
            let catalog = &self.parts.catalog;
            if catalog.segment(&log.name, *segment).await?.is_none() {
                // It is being indexed; the answer says that it is not complete.
                let row = match segment.checked_sub(1) {
                    Some(number) => catalog.segment(&log.name, number).await?,
                    None => None,
                };
                let indexed = row.map_or(0, |(_, row)| row.first_entry + row.entry_count);
                searched = searched.map(|searched| searched.min(indexed));
            }
        }
        Ok(searched.unwrap_or_default())
    }

    /// Reads the first entries of a window that a filter admits; the place behind which the next
    /// page begins, if there may be more.
    pub(super) async fn read_hits(
        &self,
        window: Window,
        filter: &Filter,
        limit: usize,
    ) -> Result<(Read, Option<Key>), AuditError> {
        let mut readers: HashMap<LogName, Reader> = HashMap::new();
        let mut read = Read::default();
        let mut hits = window.hits.as_slice();
        let mut last = None;
        while !hits.is_empty() {
            let wanted = limit - read.entries.len() - read.findings.len();
            let together = wanted.max(SEARCH_READ_TOGETHER).min(hits.len());
            let (now, later) = hits.split_at(together);
            let outcomes;
            (readers, outcomes) = self.read_together(readers, now, filter).await?;
            for (at, (hit, outcome)) in now.iter().zip(outcomes).enumerate() {
                last = Some(hit.key);
                match outcome {
                    None => continue,
                    Some(Ok(entry)) => read.entries.push(entry),
                    Some(Err(finding)) => read.findings.push(finding),
                }
                if read.entries.len() + read.findings.len() == limit {
                    let more = window.more || at + 1 < now.len() || !later.is_empty();
                    return Ok((read, last.filter(|_| more)));
                }
            }
            hits = later;
        }
        Ok((read, last.filter(|_| window.more)))
    }

    /// Reads some hits on a blocking thread, each batch once.
    async fn read_together(
        &self,
        mut readers: HashMap<LogName, Reader>,
        hits: &[Hit],
        filter: &Filter,
    ) -> Result<(HashMap<LogName, Reader>, Vec<Outcome>), AuditError> {
        let places = self.places(hits).await?;
        for hit in hits {
            let log = &hit.home.log;
            let make = || self.reader(log);
            readers.entry(log.name.clone()).or_insert_with(make);
        }
        // The readers go along and come back: the next hits of the page may stand in a batch that
        // is open.
        let (hits, filter) = (hits.to_vec(), filter.clone());
        let read = tokio::task::spawn_blocking(move || {
            let outcomes = read_all(&mut readers, &hits, &places, &filter)?;
            Ok((readers, outcomes))
        });
        read.await
            .map_err(|error| AuditError::Internal(error.to_string()))?
    }

    /// Where each hit's batch stands.
    async fn places(&self, hits: &[Hit]) -> Result<Vec<BatchPlace>, AuditError> {
        let mut places: Vec<Option<BatchPlace>> = Vec::with_capacity(hits.len());
        let mut wanted = Vec::new();
        for hit in hits {
            let (home, entry) = (&hit.home, hit.key.entry);
            let row = match (home.row, home.log.recent_batch(entry)) {
                (Some(row), _) => Some(row),
                (None, Some((_, place))) => {
                    places.push(Some(place));
                    continue;
                }
                // It has moved to the catalog meanwhile.
                (None, None) => {
                    let segment = self.parts.catalog.segment(&home.log.name, home.segment);
                    segment.await?.map(|(id, _)| id)
                }
            };
            places.push(None);
            wanted.extend(row.map(|row| (row, entry, places.len() - 1)));
        }
        let pairs: Vec<_> = wanted
            .iter()
            .map(|(row, entry, _)| (*row, *entry))
            .collect();
        let found = self.parts.catalog.batches_of(&pairs).await?;
        let found: HashMap<_, _> = found
            .into_iter()
            .map(|(row, entry, place)| ((row, entry), place))
            .collect();
        for (row, entry, at) in wanted {
            places[at] = found.get(&(row, entry)).copied();
        }
        let all: Option<Vec<_>> = places.into_iter().collect();
        all.ok_or_else(|| AuditError::Unavailable("refusal-place".into()))
    }
}

/// Reads hits batch by batch; what came of each, in their order.
fn read_all(
    readers: &mut HashMap<LogName, Reader>,
    hits: &[Hit],
    places: &[BatchPlace],
    filter: &Filter,
) -> Result<Vec<Outcome>, AuditError> {
    let mut order: Vec<usize> = (0..hits.len()).collect();
    order.sort_by_key(|at| (&hits[*at].home.log.name, places[*at].first_entry));
    let mut outcomes: Vec<Outcome> = hits.iter().map(|_| None).collect();
    for at in order {
        let (hit, place) = (&hits[at], &places[at]);
        let name = &hit.home.log.name;
        let Some(reader) = readers.get_mut(name) else {
            continue;
        };
        outcomes[at] = match find_entry(reader, hit, place, filter) {
            Ok(found) => found.map(Ok),
            // What is sound is shown all the same.
            Err(AuditError::Finding(what)) => {
                Some(Err(format!("{name}, entry {}: {what}", hit.key.entry)))
            }
            Err(other) => return Err(other),
        };
    }
    Ok(outcomes)
}

/// An entry, if the filter admits it. An erased one is there no more.
fn find_entry(
    reader: &mut Reader,
    hit: &Hit,
    place: &BatchPlace,
    filter: &Filter,
) -> Result<Option<FoundEntry>, AuditError> {
    let batch = reader.batch(hit.home.segment, place)?;
    let position = (hit.key.entry - place.first_entry) as usize;
    let Some(Content::Kept(_, entry)) = batch.batch.get(position) else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(entry).into_owned();
    if !filter.admits(&text) {
        return Ok(None);
    }
    let event =
        RawValue::from_string(text).map_err(|error| AuditError::Internal(error.to_string()))?;
    Ok(Some(FoundEntry {
        log: hit.home.log.name.to_string(),
        entry: hit.key.entry,
        time: hit.key.time.to_string(),
        link: place.link,
        segment: hit.home.segment,
        event,
    }))
}
