//! Assembling a bundle, file by file, straight into the job's vault; then checking it as a
//! stranger would.
//!
//! The check at the end runs the code that a recipient runs, over the finished bytes and with
//! public keys alone. So a fault of this module shows as a finding before anybody is handed the
//! bundle.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use super::gather::{Gathered, Sinks, gather, part};
use super::question::Decision;
use super::readings::Readings;
use super::report::{self, LogCoverage, ReportData};
use super::runner::Stage;
use super::tally::Tally;
use super::vault::{Records, SealedFile, Vault};
use super::verify_page::verify_page;
use super::{Audience, FileView, FoundInStep, Job, Outcome, csv, in_words};
use crate::audit::AuditError;
use crate::audit::tree::LogTree;
use crate::bundle::{
    self, About, BatchProof, BundleWriter, ProofHead, Question, SegmentProof, ShownLink, TagProof,
};
use crate::checkpoint::VerifierKey;
use crate::codec::Reader;
use crate::digest::{Digest, Hasher};
use crate::finding::Verdict;
use crate::ids::{LogName, SubjectId};
use crate::ingest::{IngestError, Log};
use crate::merkle::{PartialTree, partial};
use crate::messages::Said;
use crate::state::StoredCheckpoint;
use crate::time::Timestamp;
use crate::vrf;

/// How long an export waits for the catalog to know the last segment.
const INDEXING_PATIENCE: Duration = Duration::from_secs(120);

// The files of an export, by the names in their URLs; `content_type` knows all of them.
const BUNDLE: &str = "bundle.zip";
const REPORT: &str = "report.html";
const PRINT: &str = "report.pdf";
const NDJSON: &str = "entries.ndjson";
const CSV: &str = "entries.csv";
const MASKED: &str = "masked.ndjson";

/// The content type of a file that can be downloaded.
pub fn content_type(name: &str) -> Option<&'static str> {
    Some(match name {
        BUNDLE => "application/zip",
        REPORT => "text/html; charset=utf-8",
        PRINT => "application/pdf",
        NDJSON | MASKED => "application/x-ndjson",
        CSV => "text/csv; charset=utf-8",
        _ => return None,
    })
}

/// Makes the bundle; gives what came of it, and the bundle's hash.
pub async fn make(job: &Job) -> Result<(Outcome, Digest), AuditError> {
    job.vault.clear()?;
    job.stage(Stage::Rolling);
    let (logs, findings) = roll_logs(job).await?;
    let total = logs.iter().map(|(log, _)| log.head().entries).sum();
    job.progress.send_modify(|progress| progress.total = total);
    job.stage(Stage::Gathering);
    let mut assembly = Assembly::begin(job, findings)?;
    for (log, checkpoint) in logs {
        assembly.log(&log, checkpoint).await?;
    }
    job.stage(Stage::Writing);
    let readings = Readings::of(job).await?;
    let findings = assembly.findings.clone();
    let digest = assembly.finish(&readings)?;
    job.stage(Stage::Verifying);
    let outcome = check(job, digest, findings)?;
    Ok((outcome, digest))
}

/// Closes the active segment of every log, so that what was acknowledged before the question is
/// covered. A log that its operator must look at is left out, and said.
async fn roll_logs(
    job: &Job,
) -> Result<(Vec<(Arc<Log>, StoredCheckpoint)>, Vec<String>), AuditError> {
    let ingest = &job.audit.parts.ingest;
    let (mut logs, mut findings) = (Vec::new(), Vec::new());
    for name in &job.question.logs {
        let name = LogName::new(name).map_err(|error| AuditError::Internal(error.to_string()))?;
        let Some(log) = ingest.log(&name) else {
            findings.push(format!(
                "MISSING: log {name}: it was there when the export was asked for"
            ));
            continue;
        };
        match ingest.roll(&log).await {
            Ok(checkpoint) => {
                wait_until_indexed(job, &log, &checkpoint, &mut findings).await?;
                logs.push((log, checkpoint));
            }
            Err(IngestError::Refused(why)) => {
                findings.push(format!("log {name} is left out: {why}"))
            }
            Err(error) => return Err(error.into()),
        }
    }
    if logs.is_empty() {
        let said = Said::new("refusal-no-export").outside("findings", findings.join("; "));
        return Err(AuditError::Unavailable(said));
    }
    Ok((logs, findings))
}

/// Waits until the catalog has every segment under the checkpoint. One that it cannot take in is
/// said in the report; the verifier then misses what it holds.
async fn wait_until_indexed(
    job: &Job,
    log: &Arc<Log>,
    checkpoint: &StoredCheckpoint,
    findings: &mut Vec<String>,
) -> Result<(), AuditError> {
    let catalog = &job.audit.parts.catalog;
    let until = tokio::time::Instant::now() + INDEXING_PATIENCE;
    let mut indexed = log.indexed();
    if checkpoint.size == 0 {
        return Ok(());
    }
    loop {
        let last = catalog
            .last_segment_within(&log.name, checkpoint.size)
            .await?;
        if last.is_some_and(|row| row.close_link + 1 == checkpoint.size) {
            break;
        }
        if tokio::time::timeout_at(until, indexed.changed())
            .await
            .is_err()
        {
            findings.push(format!(
                "log {}: its last segments could not be indexed; see the server's log",
                log.name
            ));
            break;
        }
    }
    Ok(())
}

/// The sealed bundle on its way out, hashed as it goes.
struct Hashed {
    file: SealedFile,
    hasher: Hasher,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A bundle as it grows. Its files are open all at once, since each entry goes to several of them;
/// the zip itself is written strictly forward.
struct Assembly<'a> {
    job: &'a Job,
    question: Question,
    bundle: BundleWriter<Hashed>,
    ndjson: SealedFile,
    csv: SealedFile,
    masked: SealedFile,
    tally: Tally,
    coverage: Vec<LogCoverage>,
    findings: Vec<String>,
    keys: Vec<VerifierKey>,
}

/// Writes the same to two places.
struct Tee<'a>(&'a mut dyn Write, &'a mut dyn Write);

impl Write for Tee<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(bytes)?;
        self.1.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> Assembly<'a> {
    /// Opens the files. The question's logs are filled in as they are gathered: a log that is left
    /// out is not among those that the bundle answers for.
    fn begin(job: &'a Job, findings: Vec<String>) -> Result<Self, AuditError> {
        let vault = &job.vault;
        let bundle = Hashed {
            file: vault.create(BUNDLE)?,
            hasher: Hasher::default(),
        };
        let mut csv_file = vault.create(CSV)?;
        csv_file.write_all(csv::HEADER.as_bytes())?;
        let asked = &job.question;
        let question = Question {
            subject: SubjectId::new(&asked.subject),
            from: asked.from.map(Timestamp),
            to: asked.to.map(Timestamp),
            logs: Vec::new(),
        };
        Ok(Self {
            job,
            question,
            bundle: BundleWriter::new(bundle),
            ndjson: vault.create(NDJSON)?,
            csv: csv_file,
            masked: vault.create(MASKED)?,
            tally: Tally::default(),
            coverage: Vec::new(),
            findings,
            keys: job
                .audit
                .parts
                .keyring
                .server_verifier()
                .into_iter()
                .collect(),
        })
    }

    /// One log's three files.
    async fn log(
        &mut self,
        log: &Arc<Log>,
        checkpoint: StoredCheckpoint,
    ) -> Result<(), AuditError> {
        let folder = format!("logs/{}", log.name);
        self.bundle
            .begin(&format!("{folder}/entries.ndjson"), true)?;
        let mut both = Tee(&mut self.bundle, &mut self.ndjson);
        let mut sinks = Sinks {
            ndjson: &mut both,
            csv: &mut self.csv,
            masked: &mut self.masked,
            tally: &mut self.tally,
        };
        let gathered = gather(self.job, log, checkpoint, &mut sinks).await?;
        let tree = self.tree(&gathered).await?;
        self.bundle.begin(&format!("{folder}/proof.json"), true)?;
        self.proof(&gathered, &tree)?;
        self.bundle.file(
            &format!("{folder}/checkpoint.txt"),
            gathered.checkpoint.note.as_bytes(),
        )?;
        let state = &self.job.audit.parts.state;
        state
            .keep_for_export(&log.name, &gathered.checkpoint)
            .await?;
        let naming_others = self.tally.naming_others;
        self.job
            .progress
            .send_modify(|progress| progress.naming_others = naming_others);
        self.question.logs.push(log.name.to_string());
        self.keys
            .extend(self.job.audit.parts.keyring.log_verifier(&log.name));
        self.findings.extend(gathered.findings.iter().cloned());
        self.coverage.push(LogCoverage::of(&gathered));
        for what in ["links", "batches", "segments"] {
            self.job.vault.discard(&part(log, what))?;
        }
        Ok(())
    }

    /// The tree over the links shown, checked against the checkpoint.
    async fn tree(&mut self, gathered: &Gathered) -> Result<PartialTree, AuditError> {
        let checkpoint = &gathered.checkpoint;
        let name = &gathered.log.name;
        let numbers: Vec<u64> = gathered.known.iter().map(|(number, _)| *number).collect();
        let tree = LogTree::new(&self.job.audit.parts.catalog, name)
            .partial(checkpoint.size, &numbers)
            .await;
        let tree = match tree {
            Ok(tree) => tree,
            Err(error) => {
                self.findings
                    .push(format!("log {name}: its tree cannot be shown: {error}"));
                return Ok(PartialTree::default());
            }
        };
        let root = partial::root(checkpoint.size, &gathered.known, &tree);
        if root != Ok(checkpoint.root) {
            self.findings.push(format!(
                "ALTERED: log {name}: the links read do not lie under the checkpoint of {} links",
                checkpoint.size
            ));
        }
        Ok(tree)
    }

    /// proof.json of a log: head, links, batches, segments, streamed out of the temporary files.
    fn proof(&mut self, gathered: &Gathered, tree: &PartialTree) -> Result<(), AuditError> {
        let log = &gathered.log;
        let alpha = vrf::alpha(&log.log_id, &self.question.subject);
        let index = &self.job.audit.parts.keyring.index;
        let head = ProofHead {
            origin: &log.origin,
            question: &self.question,
            checkpoint: &gathered.checkpoint.note,
            tag_proof: (gathered.segments > 0).then(|| TagProof(index.prove(&alpha))),
        };
        let vault = &self.job.vault;
        let mut broken = None;
        let links = Records::read(vault, &part(log, "links"))?.map_while(|record| {
            record
                .and_then(|record| shown_link(&record))
                .map_err(|error| broken = Some(error))
                .ok()
        });
        let mut batches = bundle::begin_proof(&mut self.bundle, &head, links, tree)?;
        // A temporary file that cannot be read must not become a shorter proof.
        if let Some(error) = broken {
            return Err(error.into());
        }
        for record in Records::read(vault, &part(log, "batches"))? {
            let batch: BatchProof = parse(&record?)?;
            batches.batch(&batch)?;
        }
        let mut segments = batches.segments()?;
        for record in Records::read(vault, &part(log, "segments"))? {
            let segment: SegmentProof = parse(&record?)?;
            segments.segment(&segment)?;
        }
        segments.finish()?;
        Ok(())
    }

    /// Everything but the logs; the bundle's hash.
    fn finish(mut self, readings: &Readings) -> Result<Digest, AuditError> {
        let vault = &self.job.vault;
        vault.keep(self.ndjson)?;
        vault.keep(self.csv)?;
        vault.keep(self.masked)?;
        let created_at = self.job.audit.now();
        let report = report::write(&ReportData {
            question: &self.job.question,
            tally: &self.tally,
            coverage: &self.coverage,
            readings,
            findings: &self.findings,
            keys: &self.keys,
            created_at,
        })?;
        for (name, bytes) in [(REPORT, report.html.as_bytes()), (PRINT, &report.pdf)] {
            let mut alone = vault.create(name)?;
            alone.write_all(bytes)?;
            vault.keep(alone)?;
            self.bundle.file(name, bytes)?;
        }
        copy(vault, CSV, &mut self.bundle)?;
        if self.job.question.audience == Audience::Subject {
            copy(vault, MASKED, &mut self.bundle)?;
        }
        let asked = &self.job.question;
        let page = verify_page(asked.language);
        self.bundle.file("verify.html", page.as_bytes())?;
        self.bundle
            .file("README.txt", report::readme(&self.keys).as_bytes())?;
        let about = About {
            question: self.question,
            purpose: asked.purpose.clone(),
            requested_by: asked.requested_by.clone(),
            created_at,
            keys: self.keys.iter().map(VerifierKey::to_string).collect(),
            language: asked.language.code(),
            time_zone: asked.time_zone.clone(),
            withheld: asked.withhold.iter().map(Decision::in_manifest).collect(),
        };
        let keyring = &self.job.audit.parts.keyring;
        let Hashed { file, hasher } =
            self.bundle
                .finish(&about, &keyring.origin, &keyring.signing)?;
        vault.keep(file)?;
        Ok(hasher.finish())
    }
}

/// A file of the vault, into the bundle too.
fn copy(vault: &Vault, name: &str, bundle: &mut BundleWriter<Hashed>) -> io::Result<()> {
    bundle.begin(name, true)?;
    io::copy(&mut vault.read(name)?, bundle).map(drop)
}

/// A link as `Gathering::link` has kept it.
fn shown_link(record: &[u8]) -> io::Result<ShownLink> {
    let mut reader = Reader::new(record);
    let number = reader.u64().map_err(io::Error::other)?;
    Ok(ShownLink {
        number,
        bytes: reader.rest().to_vec(),
    })
}

/// A record as `gather::json` has written it.
fn parse<T: serde::de::DeserializeOwned>(record: &[u8]) -> Result<T, AuditError> {
    serde_json::from_slice(record).map_err(|error| AuditError::Internal(error.to_string()))
}

/// The gravest verdict of what was found while the bundle was made.
fn verdict_of(findings: &[String]) -> Verdict {
    let altered = |finding: &String| finding.starts_with(Verdict::Altered.word());
    match findings {
        [] => Verdict::Verified,
        some if some.iter().any(altered) => Verdict::Altered,
        // A log or an entry that was to be in it is not.
        _ => Verdict::Missing,
    }
}

/// Checks the finished bundle as whoever receives it would. A bundle can be sound and still lack
/// what could not be read: what was found while it was made counts as well.
fn check(job: &Job, digest: Digest, mut findings: Vec<String>) -> Result<Outcome, AuditError> {
    let keyring = &job.audit.parts.keyring;
    let logs = job
        .question
        .logs
        .iter()
        .filter_map(|name| LogName::new(name).ok());
    let keys: Vec<VerifierKey> = logs
        .filter_map(|log| keyring.log_verifier(&log))
        .chain(keyring.server_verifier())
        .collect();
    let file = job.vault.read(BUNDLE)?;
    let report =
        bundle::verify(file, &keys).map_err(|error| AuditError::Internal(error.to_string()))?;
    let (found, coverage) = in_words(&report.findings, &report.coverage);
    let verdict = report.verdict.max(verdict_of(&findings));
    findings.extend(found);
    let summary = match verdict {
        Verdict::Verified => report.summary(),
        other => bundle::found(other, findings.len() as u64 + report.unlisted_findings),
    };
    let mut files = vec![FileView {
        name: BUNDLE.into(),
        bytes: job.vault.read(BUNDLE)?.length(),
        sha256: digest.to_string(),
    }];
    let mut names = vec![REPORT, PRINT, NDJSON, CSV];
    if job.question.audience == Audience::Subject {
        names.push(MASKED);
    }
    for name in names {
        files.push(file_view(&job.vault, name)?);
    }
    Ok(Outcome {
        verdict: verdict.to_string(),
        summary,
        entries: report.counts.entries,
        withheld: report.counts.withheld,
        naming_others: job.progress.borrow().naming_others,
        found: FoundInStep::count(&report.findings),
        unlisted_findings: report.unlisted_findings,
        findings,
        coverage,
        extents: report.coverage,
        files,
    })
}

/// A file with its length and hash, read as a download will read it.
fn file_view(vault: &Vault, name: &str) -> Result<FileView, AuditError> {
    let mut file = vault.read(name)?;
    let bytes = file.length();
    let mut hasher = Hasher::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match io::Read::read(&mut file, &mut buffer)? {
            0 => break,
            read => hasher.update(&buffer[..read]),
        }
    }
    Ok(FileView {
        name: name.into(),
        bytes,
        sha256: hasher.finish().to_string(),
    })
}
