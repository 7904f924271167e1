//! Exports: everything about one data subject, as a bundle that verifies offline.
//!
//! An export is a job: it goes on when whoever asked goes away, and begins anew after a restart.
//! Its question and its files rest sealed under a key of its own.
//!
//! Files rest sealed because they hold in one place what the logs hold scattered; forgetting the
//! key in `state.db` ends an export even where a copy of its files is left.

mod assemble;
mod csv;
mod gather;
mod link;
mod masked;
mod question;
mod readings;
mod report;
mod runner;
mod tally;
mod vault;
mod verify_page;
mod words;

use std::io::{self, Read as _};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::watch;
use utoipa::ToSchema;

pub use link::{ClosedLink, LinkRequest, LinkVisit, MadeLink, OpenLink, SharedLinkView};
pub(super) use question::Question;
pub use question::{Audience, ExportRequest, Ground, WithholdRequest, zone};
use readings::Readings;
pub(super) use runner::spawn;
pub use runner::{Progress, Runner, Stage};
pub(super) use vault::Vault;
pub use verify_page::{VERIFY_CORE, VERIFY_PAGE, VERIFY_SCRIPT, verify_page, verify_words};
pub use words::FoundInStep;

use super::access::{self, Purpose, Reading};
use super::{Audit, AuditError, Caller, rights};
use crate::bundle::{Coverage, Finding};
use crate::ids::JobId;
use crate::messages::Lang;
use crate::random;
use crate::state::{ExportRow, JobStatus};
use crate::time::Timestamp;

/// What came of an export, as it rests, sealed.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Outcome {
    /// VERIFIED, or the gravest finding.
    pub verdict: String,
    /// The verdict in one line, with its count.
    pub summary: String,
    /// Entries that name the subject.
    pub entries: u64,
    /// Of these, withheld.
    pub withheld: u64,
    /// Of these, naming another person as well.
    pub naming_others: u64,
    /// Findings, in words.
    pub findings: Vec<String>,
    /// How many findings there are of each step of the check and weight.
    #[serde(default)]
    pub found: Vec<FoundInStep>,
    /// Findings beyond those listed.
    #[serde(default)]
    pub unlisted_findings: u64,
    /// What is covered and what is not, in words.
    pub coverage: Vec<String>,
    /// The same as data, in the form of `estreat verify --json`.
    #[serde(default)]
    #[schema(value_type = Vec<Object>)]
    pub extents: Vec<Coverage>,
    /// The files of the bundle that can be downloaded alone, and the bundle.
    pub files: Vec<FileView>,
}

/// A file to download.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FileView {
    /// Its name in the URL.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, hex.
    pub sha256: String,
}

/// An export, as it is shown.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ExportView {
    /// The job.
    pub id: String,
    /// queued, running, done or failed.
    pub status: String,
    /// How far it is.
    pub progress: Progress,
    /// When it was asked.
    pub created_at: String,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<String>,
    /// When its files go.
    pub expires_at: String,
    /// SHA-256 of the bundle, hex; stays when the files are gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle_sha256: Option<String>,
    /// What came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// A file of an export, open for its download.
pub struct Download {
    /// Its content type.
    pub content_type: &'static str,
    /// Its length.
    pub bytes: u64,
    /// Opened chunk by chunk as it is read; a chunk that was altered is an error, not bytes.
    file: vault::OpenedFile,
}

impl Audit {
    /// Asks for an export. It is in `_access` before it begins.
    pub async fn request_export(
        &self,
        caller: &Caller,
        request: &ExportRequest,
    ) -> Result<ExportView, AuditError> {
        caller.require(rights::EXPORT)?;
        let purpose = Purpose::new(&request.purpose, request.case.as_deref())?;
        let question = self.export_question(caller, request, &purpose).await?;
        let subject = access::subject(&request.subject)?;
        let id = JobId(random::bytes(&*self.parts.random));
        let what = json!({
            "export": id.to_string(), "logs": question.logs, "from": request.from, "to": request.to,
            "audience": question.audience, "withheld": question.withhold.len(),
        });
        let reading = Reading {
            operation: "export",
            subjects: vec![subject],
            purpose: Some(purpose),
            what,
        };
        self.record(caller, &reading).await?;
        let (vault, key) = Vault::make(
            &self.parts.folder,
            id,
            &self.parts.keyring.kek,
            &self.parts.random,
        )?;
        let text = serde_json::to_vec(&question)
            .map_err(|error| AuditError::Internal(error.to_string()))?;
        let created_at = self.now();
        let row = ExportRow {
            id,
            token: caller.id(),
            status: JobStatus::Queued,
            created_at,
            finished_at: None,
            expires_at: created_at.plus_micros(self.options.export_keep_micros),
            key,
            question: vault.seal("question", &text)?,
            outcome: None,
            digest: None,
            failure: None,
        };
        self.parts.state.add_export(&row).await?;
        // In `state.db` already: a job that is lost from the queue is found again at the next
        // start.
        self.runner.submit(id);
        self.export_view(&row)
    }

    /// An export's state.
    pub async fn export(&self, caller: &Caller, id: &str) -> Result<ExportView, AuditError> {
        let (row, _, _) = self.allowed_export(caller, id).await?;
        self.export_view(&row)
    }

    /// Exports that the caller may see, the newest first.
    pub async fn exports(
        &self,
        caller: &Caller,
        limit: u32,
    ) -> Result<Vec<ExportView>, AuditError> {
        caller.require(rights::SEE_EXPORTS)?;
        let rows = self.parts.state.exports(None, limit.min(1000)).await?;
        let visible = rows.iter().filter(|row| {
            row.token == caller.id()
                || self
                    .open_question(row)
                    .is_ok_and(|(_, question)| question.allows(caller))
        });
        visible.map(|row| self.export_view(row)).collect()
    }

    /// An export's progress, as it changes; `None` once it is over.
    pub async fn export_progress(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<Option<watch::Receiver<Progress>>, AuditError> {
        let (row, _, _) = self.allowed_export(caller, id).await?;
        Ok(self.runner.progress(row.id))
    }

    /// Opens a file of a finished export. The download is in `_access` before it begins.
    pub async fn download(
        &self,
        caller: &Caller,
        id: &str,
        name: &str,
    ) -> Result<Download, AuditError> {
        let (row, vault, question) = self.allowed_export(caller, id).await?;
        match row.status {
            JobStatus::Done => {}
            JobStatus::Failed => return Err(AuditError::NotFound("thing-export-failed")),
            _ => {
                return Err(AuditError::Unavailable("refusal-export-unfinished".into()));
            }
        }
        let content_type = self.outcome(&row, &vault)?.content_type(name)?;
        let purpose = Purpose {
            purpose: question.purpose,
            case: question.case,
        };
        let what = json!({"export": row.id.to_string(), "file": name});
        let subjects = vec![access::subject(&question.subject)?];
        let reading = Reading {
            operation: "download",
            subjects,
            purpose: Some(purpose),
            what,
        };
        self.record(caller, &reading).await?;
        Download::open(&vault, name, content_type)
    }

    /// The question of an export, for those who may see it: subject, purpose, case.
    pub async fn export_about(&self, caller: &Caller, id: &str) -> Result<About, AuditError> {
        let (_, _, question) = self.allowed_export(caller, id).await?;
        Ok(About {
            local: question.local_bounds(),
            subject: question.subject,
            purpose: question.purpose,
            case: question.case,
            logs: question.logs,
            from: question.from.map(|at| Timestamp(at).to_string()),
            to: question.to.map(|at| Timestamp(at).to_string()),
            audience: question.audience,
            language: question.language,
            withheld: question.withhold.len() as u64,
        })
    }

    /// A job that the caller may see: an auditor who covers its logs, or a regulator with whom it
    /// is shared.
    async fn allowed_export(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<(ExportRow, Vault, Question), AuditError> {
        caller.require(rights::SEE_EXPORTS)?;
        let id = JobId::parse(id).ok_or(AuditError::NotFound("thing-export"))?;
        let row = self
            .parts
            .state
            .export(id)
            .await?
            .ok_or(AuditError::NotFound("thing-export"))?;
        // The files go a little later, and their key with them; nobody gets them meanwhile.
        if row.key.is_empty() || self.now() >= row.expires_at {
            let own = row.token == caller.id();
            return Err(if own {
                AuditError::Expired("thing-export")
            } else {
                AuditError::NotFound("thing-export")
            });
        }
        let (vault, question) = self.open_question(&row)?;
        match question.allows(caller) {
            true => Ok((row, vault, question)),
            false => Err(AuditError::NotFound("thing-export")),
        }
    }

    /// The key of an export's files and what was asked; `Expired` where the key was forgotten.
    fn open_question(&self, row: &ExportRow) -> Result<(Vault, Question), AuditError> {
        let parts = &self.parts;
        let vault = Vault::open(
            &parts.folder,
            row.id,
            &row.key,
            &parts.keyring.kek,
            &parts.random,
        )?;
        let text = vault.unseal("question", &row.question)?;
        let question = serde_json::from_slice(&text)
            .map_err(|error| AuditError::Internal(error.to_string()))?;
        Ok((vault, question))
    }

    /// What came of a finished export, unsealed; `NotFound` for one that has not ended.
    fn outcome(&self, row: &ExportRow, vault: &Vault) -> Result<Outcome, AuditError> {
        let sealed = row
            .outcome
            .as_ref()
            .ok_or(AuditError::NotFound("thing-outcome"))?;
        let text = vault.unseal("outcome", sealed)?;
        serde_json::from_slice(&text).map_err(|error| AuditError::Internal(error.to_string()))
    }

    /// A row as it is shown. Of one whose key was forgotten, what came of it cannot be read any
    /// more; the bundle's hash stays.
    fn export_view(&self, row: &ExportRow) -> Result<ExportView, AuditError> {
        let outcome = match (&row.outcome, row.key.is_empty()) {
            (Some(_), false) => Some(self.outcome(row, &self.open_question(row)?.0)?),
            _ => None,
        };
        let progress = self.runner.progress(row.id).map_or_else(
            || Progress::of(row.status),
            |progress| progress.borrow().clone(),
        );
        Ok(ExportView {
            id: row.id.to_string(),
            status: row.status.to_string(),
            progress,
            created_at: row.created_at.to_string(),
            finished_at: row.finished_at.map(|at| at.to_string()),
            expires_at: row.expires_at.to_string(),
            bundle_sha256: row.digest.map(|digest| digest.to_string()),
            outcome,
            failure: row.failure.clone(),
        })
    }
}

/// The question of an export, in the clear, for those who may see it.
#[derive(Debug, Clone)]
pub struct About {
    /// The data subject.
    pub subject: String,
    /// What it is for.
    pub purpose: String,
    /// The case.
    pub case: Option<String>,
    /// The logs.
    pub logs: Vec<String>,
    /// The range's begin.
    pub from: Option<String>,
    /// The range's end.
    pub to: Option<String>,
    /// Begin and end by the clocks of the zone asked for, unless that is UTC.
    pub local: Option<[Option<String>; 2]>,
    /// For whom it is made.
    pub audience: Audience,
    /// The report's language.
    pub language: Lang,
    /// Entries to be withheld on a ground of law.
    pub withheld: u64,
}

impl Outcome {
    /// The content type of one of its files.
    fn content_type(&self, name: &str) -> Result<&'static str, AuditError> {
        let listed = self.files.iter().any(|file| file.name == name);
        assemble::content_type(name)
            .filter(|_| listed)
            .ok_or(AuditError::NotFound("thing-export-file"))
    }
}

impl Download {
    /// Begins to read a file whose name `Outcome::content_type` has let pass: it is no path.
    fn open(vault: &Vault, name: &str, content_type: &'static str) -> Result<Self, AuditError> {
        let file = vault.read(name)?;
        Ok(Self {
            content_type,
            bytes: file.length(),
            file,
        })
    }

    /// The next piece of the file; empty at its end. It blocks.
    pub fn next_piece(&mut self) -> io::Result<Vec<u8>> {
        let mut piece = vec![0; crate::envelope::CHUNK_BYTES];
        let mut filled = 0;
        while filled < piece.len() {
            match self.file.read(&mut piece[filled..])? {
                0 => break,
                read => filled += read,
            }
        }
        piece.truncate(filled);
        Ok(piece)
    }
}

/// Findings and coverage in words.
fn in_words(findings: &[Finding], coverage: &[Coverage]) -> (Vec<String>, Vec<String>) {
    (
        findings.iter().map(Finding::to_string).collect(),
        coverage.iter().map(Coverage::to_string).collect(),
    )
}

/// What every part of a running job shares. Held by the one thread that runs it, until it is over.
pub(super) struct Job {
    pub audit: Arc<Audit>,
    pub vault: Vault,
    pub question: Question,
    pub progress: watch::Sender<Progress>,
}
