//! report.html, report.pdf and README.txt: what a bundle says to people.
//!
//! The report is signed with the bundle, but what it says of entries is the sender's word; what can
//! be proved is in proof.json, and the report says how to check that.

mod check;
mod document;
mod found;
mod pdf;
mod sections;

use askama::Template;

use self::document::{BAR_BEGIN, BAR_HEIGHT, Block, CHART_WIDTH, Document};
use super::gather::Gathered;
use super::tally::Tally;
use super::{Question, Readings};
use crate::audit::AuditError;
use crate::checkpoint::VerifierKey;
use crate::time::Timestamp;

/// What is known of a log's coverage.
pub struct LogCoverage {
    /// The log.
    pub log: String,
    /// Closed segments.
    pub segments: u64,
    /// Links that the checkpoint covers.
    pub links: u64,
    /// Entries that they hold.
    pub entries: u64,
    /// When it was signed.
    pub signed_at: String,
    /// Entries that name nobody, in the segments of the range.
    pub unnamed: u64,
    /// Quarantined ones among them.
    pub quarantined: u64,
    /// The signed note.
    pub note: String,
}

/// All that the report is made of.
pub struct ReportData<'a> {
    /// The question.
    pub question: &'a Question,
    /// Counts and the first entries.
    pub tally: &'a Tally,
    /// Coverage by log.
    pub coverage: &'a [LogCoverage],
    /// Who read of the person through this server.
    pub readings: &'a Readings,
    /// Findings.
    pub findings: &'a [String],
    /// Keys that check the bundle.
    pub keys: &'a [VerifierKey],
    /// When it was made.
    pub created_at: Timestamp,
}

impl LogCoverage {
    /// The coverage of a log that was gathered.
    pub fn of(gathered: &Gathered) -> Self {
        Self {
            log: gathered.log.name.to_string(),
            segments: gathered.segments,
            links: gathered.checkpoint.size,
            entries: gathered.entries_end,
            signed_at: gathered.checkpoint.signed_at.to_string(),
            unnamed: gathered.unnamed,
            quarantined: gathered.quarantined,
            note: gathered.checkpoint.note.clone(),
        }
    }
}

/// A report, written down.
pub struct Report {
    /// report.html.
    pub html: String,
    /// report.pdf.
    pub pdf: Vec<u8>,
}

/// The page around a document; everything from outside is escaped by its parts.
#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    document: &'a Document,
}

/// Writes the report. Equal data give equal files.
pub fn write(data: &ReportData<'_>) -> Result<Report, AuditError> {
    let document = sections::document(data);
    let page = Page {
        document: &document,
    };
    let html = page
        .render()
        .map_err(|error| AuditError::Internal(error.to_string()))?;
    let pdf = pdf::write(&document, data.created_at).map_err(AuditError::Internal)?;
    Ok(Report { html, pdf })
}

/// Keys with their fingerprints, as text.
#[derive(Template)]
#[template(path = "bundle_readme.txt")]
struct Readme {
    keys: Vec<(String, String)>,
}

/// Writes README.txt.
pub fn readme(keys: &[VerifierKey]) -> String {
    let keys = keys
        .iter()
        .map(|key| (key.to_string(), key.fingerprint()))
        .collect();
    Readme { keys }.render().unwrap_or_default()
}
