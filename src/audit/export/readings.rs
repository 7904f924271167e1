//! Who read of the person through this server, and to whom links handed exports about them: what
//! `_access` holds, for the report (GDPR Art. 15(1)(c); CJEU C-579/21, C-154/21).

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Job;
use crate::audit::{AuditError, pseudonym};
use crate::event::View;
use crate::ids::SubjectId;
use crate::limits::{MAX_FINDINGS, REPORT_ENTRIES, REPORT_READINGS_READ, REPORT_RECIPIENTS};
use crate::time::Timestamp;

/// Readings of one person's data.
#[derive(Debug, Default)]
pub struct Readings {
    /// The first of them, the earliest first.
    pub rows: Vec<ReadingRow>,
    /// Whether there are more.
    pub more: bool,
    /// To whom links handed exports.
    pub handed: HandedOut,
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

/// Recipients of links, bounded.
#[derive(Debug, Default)]
pub struct HandedOut {
    /// By name.
    pub named: BTreeMap<String, Handed>,
    /// Whether some found no room, or were not looked for.
    pub more: bool,
}

/// What one recipient was handed.
#[derive(Debug)]
pub struct Handed {
    /// Links made for them.
    pub links: u64,
    /// How often one was opened, or a file downloaded through one.
    pub uses: u64,
    /// When the first of it was.
    pub first: Timestamp,
    /// When the last of it was.
    pub last: Timestamp,
}

impl Readings {
    /// The readings of a job's subject, up to now.
    pub async fn of(job: &Job) -> Result<Self, AuditError> {
        let subject = SubjectId::new(&job.question.subject);
        let mut readings = Self::default();
        let (mut read, mut cursor) = (0, None);
        loop {
            // Pages are of the same question: what is read meanwhile comes behind, since it is
            // later.
            let page = job.audit.readings_of(&subject, cursor.as_deref()).await?;
            read += page.entries.len();
            for entry in &page.entries {
                readings.take(entry.event.get());
            }
            let room = MAX_FINDINGS.saturating_sub(readings.findings.len());
            readings
                .findings
                .extend(page.findings.into_iter().take(room));
            cursor = page.cursor;
            if cursor.is_none() || read >= REPORT_READINGS_READ {
                break;
            }
        }
        readings.handed.more |= cursor.is_some();
        Ok(readings)
    }

    /// Takes one entry of `_access`.
    fn take(&mut self, entry: &str) {
        let Ok(view) = View::read(entry.as_bytes()) else {
            return;
        };
        self.handed.take(&view);
        match self.rows.len() < REPORT_ENTRIES {
            true => self.rows.push(ReadingRow::of(view)),
            false => self.more = true,
        }
    }
}

impl HandedOut {
    /// Takes an act with a recipient: a link that was made, opened or downloaded from.
    fn take(&mut self, view: &View<'_>) {
        let Some(name) = view.recipient.as_deref() else {
            return;
        };
        if !self.named.contains_key(name) && self.named.len() >= REPORT_RECIPIENTS {
            self.more = true;
            return;
        }
        let handed = self.named.entry(name.to_owned()).or_insert(Handed {
            links: 0,
            uses: 0,
            first: view.time,
            last: view.time,
        });
        match view.operation.as_deref() {
            Some("share") => handed.links += 1,
            _ => handed.uses += 1,
        }
        handed.first = handed.first.min(view.time);
        handed.last = handed.last.max(view.time);
    }
}

impl ReadingRow {
    /// A reading as the report has it: of the account only its pseudonym.
    fn of(view: View<'_>) -> Self {
        let text = |field: Option<Cow<'_, str>>| field.map(Cow::into_owned).unwrap_or_default();
        Self {
            time: view.time.to_string(),
            operation: text(view.operation),
            role: text(view.actor_role),
            pseudonym: pseudonym(&text(view.actor)),
            purpose: text(view.purpose),
        }
    }
}
