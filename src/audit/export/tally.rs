//! What is counted of an export's entries while they pass, for the report.

use std::collections::BTreeMap;

use crate::event::View;

/// Different words that one summary counts by name.
const WORDS: usize = 200;
/// Characters of a payload in the report's table.
const PAYLOAD_CHARS: usize = 500;

/// Counts over the entries of an export.
#[derive(Debug, Default)]
pub struct Tally {
    /// Entries that name the subject.
    pub entries: u64,
    /// Of these, shown by their leaf alone since they name others.
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
    pub recipients: Counted,
    /// The first entries, for the table.
    pub rows: Vec<Row>,
}

/// Counts by word, bounded.
#[derive(Debug, Default)]
pub struct Counted {
    words: BTreeMap<String, u64>,
    others: u64,
}

/// A row of the report's table.
#[derive(Debug, Clone)]
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
    /// Who acted, and as what.
    pub actor: String,
    /// What was touched.
    pub resource: String,
    /// To whom data went.
    pub recipient: String,
    /// The payload, shortened.
    pub payload: String,
    /// Whether it stands masked, since it names others.
    pub masked: bool,
}

impl Counted {
    /// Counts a word.
    pub fn add(&mut self, word: Option<&str>) {
        let word = word.unwrap_or("—");
        if let Some(count) = self.words.get_mut(word) {
            *count += 1;
        } else if self.words.len() < WORDS {
            self.words.insert(word.to_owned(), 1);
        } else {
            self.others += 1;
        }
    }

    /// Words and counts, the most frequent first.
    pub fn rows(&self) -> Vec<(String, u64)> {
        let mut rows: Vec<_> = self
            .words
            .iter()
            .map(|(word, count)| (word.clone(), *count))
            .collect();
        rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        if self.others > 0 {
            rows.push(("others".into(), self.others));
        }
        rows
    }

    /// Words and counts, by word.
    pub fn by_word(&self) -> Vec<(String, u64)> {
        self.words
            .iter()
            .map(|(word, count)| (word.clone(), *count))
            .collect()
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
        masked: bool,
        room: usize,
    ) {
        self.entries += 1;
        self.naming_others += u64::from(view.names_other_than(subject));
        self.operations.add(view.operation.as_deref());
        self.purposes.add(view.purpose.as_deref());
        self.roles.add(view.actor_role.as_deref());
        let time = view.time.to_string();
        self.months.add(time.get(..7));
        if view.recipient.is_some() {
            self.recipients.add(view.recipient.as_deref());
        }
        if self.rows.len() < room {
            self.rows.push(Row::of(log, entry, time, view, masked));
        }
    }
}

impl Row {
    fn of(log: &str, entry: u64, time: String, view: &View<'_>, masked: bool) -> Self {
        let text = |field: &Option<std::borrow::Cow<'_, str>>| {
            field.as_deref().unwrap_or_default().to_owned()
        };
        let actor = match (&view.actor, &view.actor_role) {
            (Some(_), role) if masked => role.as_deref().unwrap_or("another person").to_owned(),
            (Some(actor), Some(role)) => format!("{actor} ({role})"),
            (Some(actor), None) => actor.to_string(),
            (None, role) => role.as_deref().unwrap_or_default().to_owned(),
        };
        let payload = view
            .payload
            .map_or(String::new(), |payload| shorten(payload.get()));
        Self {
            log: log.to_owned(),
            entry,
            time,
            operation: text(&view.operation),
            outcome: text(&view.outcome),
            purpose: text(&view.purpose),
            lawful_basis: text(&view.lawful_basis),
            actor,
            resource: if masked {
                String::new()
            } else {
                text(&view.resource)
            },
            recipient: text(&view.recipient),
            payload: if masked { String::new() } else { payload },
            masked,
        }
    }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(PAYLOAD_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
