//! report.html and README.txt: what a bundle says to people.

use askama::Template;

use super::gather::Gathered;
use super::tally::{Row, Tally};
use super::{Audience, Question};
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

#[derive(Template)]
#[template(path = "report.html")]
struct Report<'a> {
    subject: &'a str,
    from: String,
    to: String,
    purpose: &'a str,
    case: &'a str,
    requested_by: &'a str,
    created_at: String,
    audience: Audience,
    sound: bool,
    findings: &'a [String],
    entries: u64,
    withheld: u64,
    erased: u64,
    naming_others: u64,
    coverage: &'a [LogCoverage],
    tables: Vec<(&'static str, Vec<(String, u64)>)>,
    rows: &'a [Row],
    keys: Vec<(String, String)>,
}

/// Writes report.html.
pub fn render(data: &ReportData<'_>) -> Result<String, AuditError> {
    let ReportData {
        question, tally, ..
    } = data;
    let bound =
        |at: Option<i64>, open: &str| at.map_or(open.to_owned(), |at| Timestamp(at).to_string());
    let report = Report {
        subject: &question.subject,
        from: bound(question.from, "the beginning"),
        to: bound(question.to, "the end"),
        purpose: &question.purpose,
        case: question.case.as_deref().unwrap_or_default(),
        requested_by: &question.requested_by,
        created_at: data.created_at.to_string(),
        audience: question.audience,
        sound: data.findings.is_empty(),
        findings: data.findings,
        entries: tally.entries,
        withheld: tally.withheld,
        erased: tally.erased,
        naming_others: tally.naming_others,
        coverage: data.coverage,
        tables: tables(tally),
        rows: &tally.rows,
        keys: data
            .keys
            .iter()
            .map(|key| (key.to_string(), key.fingerprint()))
            .collect(),
    };
    report
        .render()
        .map_err(|error| AuditError::Internal(error.to_string()))
}

/// The summary's tables that have a row.
fn tables(tally: &Tally) -> Vec<(&'static str, Vec<(String, u64)>)> {
    let mut tables = vec![
        ("By operation", tally.operations.rows()),
        ("By purpose", tally.purposes.rows()),
        ("By the actor's role", tally.roles.rows()),
        ("By month", tally.months.by_word()),
        ("By recipient", tally.recipients.rows()),
    ];
    tables.retain(|(_, rows)| !rows.is_empty());
    tables
}

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
