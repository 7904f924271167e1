//! Gathering one log for an export: every closed segment in its order, the subject's list or its
//! absence proved in each, every entry of the list opened, checked and written.
//!
//! A finding does not stop it: what cannot be read is left out, said, and seen again by every
//! verifier. Memory holds one subject index and one batch; what the proof needs later rests
//! sealed in the job's folder.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

use super::masked;
use super::tally::{Hidden, Tally};
use super::vault::Records;
use super::{Audience, Job};
use crate::audit::AuditError;
use crate::audit::reader::{OpenedBatch, Reader};
use crate::bundle::{BatchProof, Because, EntryProof, SegmentProof, Shown};
use crate::catalog::{BatchPlace, SegmentId, SegmentRow};
use crate::chain::Body;
use crate::codec::Put;
use crate::digest::Digest;
use crate::event::View;
use crate::format::payload::Content;
use crate::format::subject_index::{Claim, SubjectIndex, postings};
use crate::ingest::{Log, Space};
use crate::merkle::partial;
use crate::state::StoredCheckpoint;
use crate::time::Timestamp;
use crate::verifier::open_subjects;
use crate::vrf::{self, Beta};

/// Segments' rows asked for at a time.
const ROWS: u32 = 256;

/// Where a log's entries go while it is gathered.
pub struct Sinks<'a> {
    /// entries.ndjson.
    pub ndjson: &'a mut dyn Write,
    /// entries.csv of all logs.
    pub csv: &'a mut dyn Write,
    /// masked.ndjson of all logs.
    pub masked: &'a mut dyn Write,
    /// Counts.
    pub tally: &'a mut Tally,
}

/// What was gathered of a log.
pub struct Gathered {
    /// The log.
    pub log: Arc<Log>,
    /// The checkpoint that it is proved against.
    pub checkpoint: StoredCheckpoint,
    /// Numbers and leaf hashes of all links shown, ascending.
    pub known: Vec<(u64, Digest)>,
    /// Closed segments.
    pub segments: u64,
    /// Index behind their last entry.
    pub entries_end: u64,
    /// Entries that name nobody, in the segments of the range.
    pub unnamed: u64,
    /// Quarantined entries, in the segments of the range.
    pub quarantined: u64,
    /// Findings, in words.
    pub findings: Vec<String>,
    /// Lines of entries.ndjson so far: proofs name an entry by its line.
    lines: u64,
}

/// The names of a log's temporary files.
pub fn part(log: &Log, what: &str) -> String {
    format!("{}.{what}.part", log.log_id)
}

/// Gathers a log.
pub async fn gather(
    job: &Job,
    log: &Arc<Log>,
    checkpoint: StoredCheckpoint,
    sinks: &mut Sinks<'_>,
) -> Result<Gathered, AuditError> {
    let subject = job.question.subject.as_bytes();
    let beta = job
        .audit
        .parts
        .keyring
        .index
        .beta(&[&log.log_id.0, subject]);
    let records = |what: &str| Records::create(&job.vault, &part(log, what));
    let withheld = job.question.withheld_of(log.name.as_str());
    let mut gathering = Gathering {
        job,
        withheld,
        beta,
        reader: job.audit.reader(log),
        links: records("links")?,
        batches: records("batches")?,
        proofs: records("segments")?,
        sinks,
        done: Gathered {
            log: log.clone(),
            checkpoint,
            known: Vec::new(),
            segments: 0,
            entries_end: 0,
            unnamed: 0,
            quarantined: 0,
            findings: Vec::new(),
            lines: 0,
        },
    };
    let mut next = 0;
    loop {
        let rows = job
            .audit
            .parts
            .catalog
            .segments_from(&log.name, next, ROWS)
            .await?;
        // What was closed after the checkpoint was signed is another export's.
        let covered = |row: &SegmentRow| row.close_link < gathering.done.checkpoint.size;
        let rows: Vec<_> = rows.into_iter().filter(|(_, row)| covered(row)).collect();
        let Some((_, last)) = rows.last() else { break };
        next = last.number + 1;
        for (id, row) in &rows {
            gathering.segment(*id, row).await?;
            job.progress
                .send_modify(|progress| progress.done += row.entry_count.max(1));
        }
    }
    gathering.finish()
}

/// One log while it is gathered. `links`, `batches` and `proofs` become proof.json, whose parts
/// stand in another order than that in which they are found.
struct Gathering<'a, 'b> {
    job: &'a Job,
    /// Indexes of the log's entries that are withheld on a ground of law.
    withheld: BTreeSet<u64>,
    beta: Beta,
    reader: Reader,
    links: Records,
    batches: Records,
    proofs: Records,
    sinks: &'a mut Sinks<'b>,
    done: Gathered,
}

impl Gathering<'_, '_> {
    /// A segment: its close link, what its index says of the subject, and the entries named.
    async fn segment(&mut self, id: SegmentId, row: &SegmentRow) -> Result<(), AuditError> {
        if self.job.audit.parts.ingest.space() == Space::Spent {
            return Err(AuditError::Unavailable("refusal-disk-full".into()));
        }
        self.done.segments += 1;
        self.done.entries_end = row.first_entry + row.entry_count;
        let in_range = row.entry_count > 0
            && self
                .job
                .question
                .from
                .is_none_or(|from| row.latest.0 >= from)
            && self.job.question.to.is_none_or(|to| row.earliest.0 < to);
        let frame = match self.close_frame(row) {
            Ok(frame) => frame,
            Err(error) => return self.note(error),
        };
        if in_range {
            self.done.unnamed += row.unnamed;
            if row.unnamed > 0 {
                self.count_quarantined(id, row).await?;
            }
            match self.index(row, &frame) {
                Ok(index) => self.subject(id, row, &index).await?,
                Err(error) => self.note(error)?,
            }
        }
        self.link(row.close_link, &frame.link_bytes)?;
        Ok(())
    }

    /// The segment's close link, at the place that the catalog says. The frame is checked in itself
    /// here; that its link is the log's, the root over all links shown says in the end.
    fn close_frame(&mut self, row: &SegmentRow) -> Result<crate::format::frame::Frame, AuditError> {
        let segment = self.reader.segment(row.number)?;
        let frame = self.reader.frame(row.number, &segment, row.close_place)?;
        match frame.link.body {
            Body::Close(_) if frame.link.head.number == row.close_link => Ok(frame),
            _ => Err(AuditError::Finding(format!(
                "ALTERED: log {}, segment {}: another link stands where its close link should",
                self.done.log.name, row.number
            ))),
        }
    }

    /// The segment's sealed subject index, opened and checked against its close link.
    fn index(
        &mut self,
        row: &SegmentRow,
        frame: &crate::format::frame::Frame,
    ) -> Result<SubjectIndex, AuditError> {
        let segment = self.reader.segment(row.number)?;
        let Body::Close(body) = &frame.link.body else {
            return Err(AuditError::Internal("a close link is none".into()));
        };
        open_subjects(&frame.link, body, &frame.payload, &segment.dek).map_err(|error| {
            AuditError::Finding(format!(
                "ALTERED: log {}, the subject index of segment {}: {error}",
                self.done.log.name, row.number
            ))
        })
    }

    /// Proves what the index says of the subject, and writes the entries that it names.
    async fn subject(
        &mut self,
        id: SegmentId,
        row: &SegmentRow,
        index: &SubjectIndex,
    ) -> Result<(), AuditError> {
        // Absence is proved too: neither the server nor who holds the files can leave a segment's
        // list out.
        let tag = vrf::tag(&self.beta, row.number);
        let (claim, tree) = index.prove(&tag);
        let list = match &claim {
            Claim::Present(present) => present.list.clone(),
            Claim::Absent(_) => Vec::new(),
        };
        let proof = SegmentProof {
            close_link: row.close_link,
            claim,
            tree,
        };
        self.proofs.push(&json(&proof)?)?;
        let question = &self.job.question;
        let in_range = |time: Timestamp| {
            question.from.is_none_or(|from| time.0 >= from)
                && question.to.is_none_or(|to| time.0 < to)
        };
        let entries: Vec<u64> = postings(&list)
            .into_iter()
            .flatten()
            .filter(|(_, time)| in_range(*time))
            .map(|(entry, _)| entry)
            .collect();
        let mut rest = entries.as_slice();
        while let Some(first) = rest.first() {
            let Some(place) = self.job.audit.parts.catalog.batch_of(id, *first).await? else {
                let why = format!(
                    "MISSING: log {}: the catalog has no place for entry {first}",
                    self.done.log.name
                );
                return self.note(AuditError::Finding(why));
            };
            let taken = self.batch(row, &place, rest)?;
            if taken == 0 {
                let why = format!(
                    "MISSING: log {}: entry {first} is not in the batch where the catalog has it",
                    self.done.log.name
                );
                self.note(AuditError::Finding(why))?;
            }
            // On in any case: the catalog is trusted with nothing, not with an end either.
            rest = &rest[taken.clamp(1, rest.len())..];
        }
        Ok(())
    }

    /// Writes those of the entries that stand in the batch at `place`; gives their number.
    fn batch(
        &mut self,
        row: &SegmentRow,
        place: &BatchPlace,
        entries: &[u64],
    ) -> Result<usize, AuditError> {
        let batch = match self.reader.batch(row.number, place) {
            Ok(batch) => batch,
            Err(error) => {
                self.note(error)?;
                // What the batch should hold is not known; the next entry says where to go on.
                return Ok(1);
            }
        };
        let end = place.first_entry + batch.batch.len() as u64;
        let taken = entries.partition_point(|entry| *entry < end);
        if taken == 0 {
            return Ok(0);
        }
        let positions: Vec<u64> = entries[..taken]
            .iter()
            .map(|entry| entry - place.first_entry)
            .collect();
        let leaves = batch.batch.leaves();
        let mut shown = Vec::with_capacity(taken);
        for position in &positions {
            shown.push(self.entry(&batch, place, *position, &leaves)?);
        }
        let proof = BatchProof {
            link: place.link,
            entries: shown,
            tree: partial::build(&leaves, &positions),
        };
        self.batches.push(&json(&proof)?)?;
        self.link(place.link, &batch.link_bytes)?;
        Ok(taken)
    }

    /// What is shown of an entry, and its proof. Exact bytes with their salt; or the leaf alone,
    /// where it was erased or is withheld: that it is there stays proved, what it says does not.
    fn entry(
        &mut self,
        batch: &OpenedBatch,
        place: &BatchPlace,
        position: u64,
        leaves: &[Digest],
    ) -> Result<EntryProof, AuditError> {
        let index = place.first_entry + position;
        let log = self.done.log.name.to_string();
        let leaf = leaves
            .get(position as usize)
            .copied()
            .unwrap_or(Digest::ZERO);
        let Some(Content::Kept(salt, bytes)) = batch.batch.get(position as usize) else {
            self.sinks.tally.add_erased(&log, index);
            return Ok(EntryProof {
                position,
                shown: Shown::Leaf {
                    leaf,
                    because: Because::Erased,
                },
            });
        };
        let view = match View::read(bytes) {
            Ok(view) => view,
            Err(error) => {
                let why = format!("ALTERED: log {log}, entry {index}: {error}");
                self.note(AuditError::Finding(why))?;
                return Ok(EntryProof {
                    position,
                    shown: Shown::Leaf {
                        leaf,
                        because: Because::Withheld,
                    },
                });
            }
        };
        let subject = &self.job.question.subject;
        let hidden = self.hidden(index, &view);
        self.sinks.tally.add(&log, index, &view, subject, hidden);
        if hidden == Some(Hidden::NamesOthers) {
            let line = masked::line(&log, index, &view, subject);
            self.sinks.masked.write_all(&line)?;
        }
        if hidden.is_some() {
            return Ok(EntryProof {
                position,
                shown: Shown::Leaf {
                    leaf,
                    because: Because::Withheld,
                },
            });
        }
        self.sinks.ndjson.write_all(bytes)?;
        self.sinks.ndjson.write_all(b"\n")?;
        super::csv::write_row(&mut self.sinks.csv, &log, index, &view, place.link, &leaf)?;
        let line = self.done.lines;
        self.done.lines += 1;
        Ok(EntryProof {
            position,
            shown: Shown::Line { line, salt: *salt },
        })
    }

    /// Why an entry is not shown; a ground of law hides it from the person's copy too, whole.
    fn hidden(&self, index: u64, view: &View<'_>) -> Option<Hidden> {
        let question = &self.job.question;
        if self.withheld.contains(&index) {
            return Some(Hidden::OnGround);
        }
        let others =
            question.audience == Audience::Subject && view.names_other_than(&question.subject);
        others.then_some(Hidden::NamesOthers)
    }

    /// Counts a segment's quarantined entries; where the catalog does not know, by reading them.
    async fn count_quarantined(
        &mut self,
        id: SegmentId,
        row: &SegmentRow,
    ) -> Result<(), AuditError> {
        if let Some(count) = row.quarantined {
            self.done.quarantined += count;
            return Ok(());
        }
        for place in self.job.audit.parts.catalog.batches(id).await? {
            match self.reader.batch(row.number, &place) {
                Ok(batch) => {
                    let quarantined = batch.batch.iter().filter(|content| {
                        matches!(content, Content::Kept(_, entry) if crate::event::is_quarantined(entry))
                    });
                    self.done.quarantined += quarantined.count() as u64;
                }
                Err(error) => self.note(error)?,
            }
        }
        Ok(())
    }

    /// Keeps a link for proof.json. Numbers ascend: segments come in order, and in each the batches
    /// before the close link.
    fn link(&mut self, number: u64, bytes: &[u8]) -> io::Result<()> {
        self.done.known.push((number, Digest::leaf(&[bytes])));
        let mut record = Vec::with_capacity(8 + bytes.len());
        record.put_u64(number).put(bytes);
        self.links.push(&record)
    }

    /// A finding is kept; any other error ends the job.
    fn note(&mut self, error: AuditError) -> Result<(), AuditError> {
        match error {
            AuditError::Finding(what) => {
                if self.done.findings.len() < crate::limits::MAX_FINDINGS {
                    self.done.findings.push(what);
                }
                Ok(())
            }
            other => Err(other),
        }
    }

    /// Ends the temporary files, which are then read once.
    fn finish(self) -> Result<Gathered, AuditError> {
        self.links.finish()?;
        self.batches.finish()?;
        self.proofs.finish()?;
        Ok(self.done)
    }
}

/// A record of a temporary file.
fn json(value: &impl serde::Serialize) -> Result<Vec<u8>, AuditError> {
    serde_json::to_vec(value).map_err(|error| AuditError::Internal(error.to_string()))
}
