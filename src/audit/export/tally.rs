//! What is counted of an export's entries while they pass, for the report.
//!
//! Everything here is bounded, whatever the entries hold: words by name, rows of the table,
//! recipients. Of an entry that is withheld on a ground of law nothing is counted but that it is
//! there, for its month or its purpose may be what the ground protects.

use std::collections::{BTreeMap, BTreeSet};

use crate::event::View;
use crate::limits::{REPORT_ENTRIES, REPORT_RECIPIENTS};
use crate::time::Timestamp;

/// Different words that one summary counts by name.
const WORDS: usize = 200;
/// Characters of a payload in the report's table.
const PAYLOAD_CHARS: usize = 500;

/// Counts over the entries of an export.
#[derive(Debug, Default)]
pub struct Tally {
    /// Entries that name the subject.
    pub entries: u64,
    /// Of these, shown by their leaf alone.
    pub withheld: u64,
    /// Of these, erased.
    pub erased: u64,
    /// Of these, naming another person as well.
    pub naming_others: u64,
    /// By operation.
    pub operations: Counted,
    /// By purpose.
    pub purposes: Counted,
    /// By the actor's role.
    pub roles: Counted,
    /// By month.
    pub months: Counted,
    /// Recipients to whom data was disclosed.
    pub recipients: Recipients,
    /// Log and index of the entries withheld on a ground of law: nothing of them is counted above
    /// but that they are there.
    pub grounds: BTreeSet<(String, u64)>,
    /// The first entries, for the table.
    pub rows: Vec<Row>,
}

/// Counts by word, bounded; `None` counts entries that do not say.
#[derive(Debug, Default)]
pub struct Counted {
    words: BTreeMap<Option<String>, u64>,
    others: u64,
}

/// Recipients, bounded.
#[derive(Debug, Default)]
pub struct Recipients {
    /// By name.
    pub named: BTreeMap<String, Seen>,
    /// Entries with a recipient that found no room.
    pub unnamed: u64,
}

/// How often, and between which event times.
#[derive(Debug)]
pub struct Seen {
    /// Entries.
    pub count: u64,
    /// The earliest event time.
    pub first: Timestamp,
    /// The latest.
    pub last: Timestamp,
}

/// Why an entry is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// The person's copy: it names somebody else.
    NamesOthers,
    /// A ground of law.
    OnGround,
    /// It was erased.
    Erased,
}

/// A row of the report's table.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// The log.
    pub log: String,
    /// The entry's index.
    pub entry: u64,
    /// The event time.
    pub time: String,
    /// What was done.
    pub operation: String,
    /// How it ended.
    pub outcome: String,
    /// What for.
    pub purpose: String,
    /// On what ground.
    pub lawful_basis: String,
    /// Who acted.
    pub actor: String,
    /// As what.
    pub actor_role: String,
    /// What was touched.
    pub resource: String,
    /// To whom data went.
    pub recipient: String,
    /// The payload, shortened.
    pub payload: String,
    /// Why it is not shown in full.
    pub hidden: Option<Hidden>,
}

impl Counted {
    /// Counts a word.
    pub fn add(&mut self, word: Option<&str>) {
        let word = word.map(str::to_owned);
        if let Some(count) = self.words.get_mut(&word) {
            *count += 1;
        } else if self.words.len() < WORDS {
            self.words.insert(word, 1);
        } else {
            self.others += 1;
        }
    }

    /// Words and counts, the most frequent first, and the count of all words without room.
    pub fn rows(&self) -> (Vec<(Option<&str>, u64)>, u64) {
        let words = self.words.iter();
        let mut rows: Vec<_> = words
            .map(|(word, count)| (word.as_deref(), *count))
            .collect();
        rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        (rows, self.others)
    }

    /// Words and counts, by word.
    pub fn by_word(&self) -> Vec<(String, u64)> {
        let words = self.words.iter();
        words
            .filter_map(|(word, count)| Some((word.clone()?, *count)))
            .collect()
    }
}

impl Recipients {
    /// Counts a disclosure to a recipient.
    fn add(&mut self, name: &str, at: Timestamp) {
        if let Some(seen) = self.named.get_mut(name) {
            seen.count += 1;
            seen.first = seen.first.min(at);
            seen.last = seen.last.max(at);
        } else if self.named.len() < REPORT_RECIPIENTS {
            let seen = Seen {
                count: 1,
                first: at,
                last: at,
            };
            self.named.insert(name.to_owned(), seen);
        } else {
            self.unnamed += 1;
        }
    }
}

impl Tally {
    /// Counts an entry; keeps it for the table while there is room.
    pub fn add(
        &mut self,
        log: &str,
        entry: u64,
        view: &View<'_>,
        subject: &str,
        hidden: Option<Hidden>,
    ) {
        self.entries += 1;
        self.withheld += u64::from(hidden.is_some());
        if hidden == Some(Hidden::OnGround) {
            self.grounds.insert((log.to_owned(), entry));
            return self.row(|| Row::bare(log, entry, Hidden::OnGround));
        }
        self.naming_others += u64::from(view.names_other_than(subject));
        self.operations.add(view.operation.as_deref());
        self.purposes.add(view.purpose.as_deref());
        self.roles.add(view.actor_role.as_deref());
        self.months.add(view.time.to_string().get(..7));
        if let Some(recipient) = &view.recipient {
            self.recipients.add(recipient, view.time);
        }
        self.row(|| Row::of(log, entry, view, hidden));
    }

    /// Counts an entry that was erased.
    pub fn add_erased(&mut self, log: &str, entry: u64) {
        self.entries += 1;
        self.erased += 1;
        self.row(|| Row::bare(log, entry, Hidden::Erased));
    }

    /// Made only while there is room: a payload is not copied for nothing.
    fn row(&mut self, make: impl FnOnce() -> Row) {
        if self.rows.len() < REPORT_ENTRIES {
            self.rows.push(make());
        }
    }
}

impl Row {
    /// An entry of which nothing is shown.
    fn bare(log: &str, entry: u64, why: Hidden) -> Self {
        Self {
            log: log.to_owned(),
            entry,
            hidden: Some(why),
            ..Self::default()
        }
    }

    /// An entry; of one that names others, what names nobody.
    fn of(log: &str, entry: u64, view: &View<'_>, hidden: Option<Hidden>) -> Self {
        let text = |field: &Option<std::borrow::Cow<'_, str>>| {
            field.as_deref().unwrap_or_default().to_owned()
        };
        let mut row = Self {
            log: log.to_owned(),
            entry,
            time: view.time.to_string(),
            operation: text(&view.operation),
            outcome: text(&view.outcome),
            purpose: text(&view.purpose),
            lawful_basis: text(&view.lawful_basis),
            actor_role: text(&view.actor_role),
            recipient: text(&view.recipient),
            hidden,
            ..Self::default()
        };
        if hidden.is_none() {
            row.actor = text(&view.actor);
            row.resource = text(&view.resource);
            row.payload = view.payload.map_or(String::new(), |it| shorten(it.get()));
        }
        row
    }
}

/// Cut between characters; the whole payload is in entries.ndjson.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(PAYLOAD_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
