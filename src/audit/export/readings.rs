//! Who read of the person through this server: what `_access` holds, for the report
//! (GDPR Art. 15(1)(c); CJEU C-579/21).

use super::Job;
use crate::audit::{AuditError, pseudonym};
use crate::event::View;
use crate::ids::SubjectId;

/// Readings of one person's data.
#[derive(Debug, Default)]
pub struct Readings {
    /// The first of them, the earliest first.
    pub rows: Vec<ReadingRow>,
    /// Whether there are more.
    pub more: bool,
    /// Readings that cannot be shown, since what was read is not what was recorded.
    pub findings: Vec<String>,
}

/// A reading. It names nobody: who read stands by role and pseudonym.
#[derive(Debug)]
pub struct ReadingRow {
    /// When, canonical.
    pub time: String,
    /// What was done, as an operation.
    pub operation: String,
    /// In which role.
    pub role: String,
    /// By whom: the beginning of the id of a token, an account or a link.
    pub pseudonym: String,
    /// What for.
    pub purpose: String,
}

impl Readings {
    /// The readings of a job's subject, up to now.
    pub async fn of(job: &Job) -> Result<Self, AuditError> {
        let subject = SubjectId::new(&job.question.subject);
        let page = job.audit.readings_of(&subject).await?;
        let rows = page.entries.iter();
        Ok(Self {
            rows: rows
                .filter_map(|it| ReadingRow::read(it.event.get()))
                .collect(),
            more: page.cursor.is_some(),
            findings: page.findings,
        })
    }
}

impl ReadingRow {
    fn read(entry: &str) -> Option<Self> {
        let view = View::read(entry.as_bytes()).ok()?;
        let text = |field: Option<std::borrow::Cow<'_, str>>| {
            field.map(std::borrow::Cow::into_owned).unwrap_or_default()
        };
        Some(Self {
            time: view.time.to_string(),
            operation: text(view.operation),
            role: text(view.actor_role),
            pseudonym: pseudonym(&text(view.actor)),
            purpose: text(view.purpose),
        })
    }
}
