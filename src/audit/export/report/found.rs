//! The sections of a report that say what was found: counts, recipients, readings, entries.

use super::ReportData;
use super::document::{Block, Chart, Column, Section, Table, outside, plain};
use super::sections::{text, when};
use crate::audit::access::operation_key;
use crate::audit::export::readings::HandedOut;
use crate::audit::export::tally::{Counted, Hidden, Row};
use crate::limits::REPORT_ENTRIES;
use crate::messages::{Lang, Run};

/// Months that a plot shows one by one; more are put together by year.
const MONTHS: usize = 36;

/// Counts by operation, purpose, role and month.
pub fn summary(t: Lang, data: &ReportData<'_>) -> Section {
    let tally = data.tally;
    let mut blocks = Vec::new();
    if tally.entries == 0 {
        blocks.push(text(&t.with("report-summary-none")));
    }
    if !tally.grounds.is_empty() {
        let count = tally.grounds.len() as u64;
        blocks.push(text(&t.with("report-summary-without").count("n", count)));
    }
    let months = tally.months.by_word();
    if !months.is_empty() {
        blocks.push(Block::Chart(chart(t, &months)));
    }
    for (key, counted) in [
        ("report-by-operation", &tally.operations),
        ("report-by-purpose", &tally.purposes),
        ("report-by-role", &tally.roles),
    ] {
        blocks.extend(counts(t, key, counted));
    }
    if !months.is_empty() {
        let mut table = count_table(t, "report-by-month");
        let rows = months.iter();
        table.rows = rows
            .map(|(month, count)| count_row(t, plain(t.month(month)), *count))
            .collect();
        blocks.push(Block::Table(table));
    }
    Section {
        title: t.get("report-summary"),
        blocks,
    }
}

/// Entries by month, or by year where there are too many months; a month without any has no bar.
fn chart(t: Lang, months: &[(String, u64)]) -> Chart {
    let bars = if months.len() <= MONTHS {
        months
            .iter()
            .map(|(month, count)| (t.month(month), *count))
            .collect()
    } else {
        let mut years: Vec<(String, u64)> = Vec::new();
        for (month, count) in months {
            let year = month.get(..4).unwrap_or(month);
            match years.last_mut() {
                Some((last, sum)) if last == year => *sum += count,
                _ => years.push((year.to_owned(), *count)),
            }
        }
        years
    };
    Chart {
        caption: t.get("report-chart"),
        bars,
    }
}

/// A table of words and counts, empty so far.
fn count_table(t: Lang, key: &str) -> Table {
    Table::new(
        t.get(key),
        vec![
            Column::words(t.get("report-value"), 80),
            Column::numbers(t.get("report-count"), 20),
        ],
    )
}

/// A word and its count.
fn count_row(t: Lang, word: Vec<Run>, count: u64) -> Vec<Vec<Run>> {
    vec![word, plain(t.number(count))]
}

/// What was counted of one field; nothing if no entry passed.
fn counts(t: Lang, key: &str, counted: &Counted) -> Option<Block> {
    let (rows, others) = counted.rows();
    let mut table = count_table(t, key);
    for (word, count) in rows {
        let word = match word {
            Some(word) => outside(word),
            None => plain(t.get("report-not-said")),
        };
        table.rows.push(count_row(t, word, count));
    }
    if others > 0 {
        table
            .rows
            .push(count_row(t, plain(t.get("report-others")), others));
    }
    (!table.rows.is_empty()).then_some(Block::Table(table))
}

/// To whom the person's data was disclosed (GDPR Art. 15(1)(c)).
pub fn disclosures(t: Lang, data: &ReportData<'_>) -> Section {
    let mut table = Table::new(
        t.get("report-disclosures-table"),
        vec![
            Column::words(t.get("report-recipient"), 40),
            Column::numbers(t.get("report-count"), 16),
            Column::words(t.get("report-first"), 22),
            Column::words(t.get("report-last"), 22),
        ],
    );
    let recipients = &data.tally.recipients;
    for (name, seen) in &recipients.named {
        table.rows.push(vec![
            outside(name),
            plain(t.number(seen.count)),
            plain(when(&seen.first.to_string())),
            plain(when(&seen.last.to_string())),
        ]);
    }
    let mut blocks = match table.rows.is_empty() {
        true => vec![text(&t.with("report-disclosures-none"))],
        false => vec![Block::Table(table)],
    };
    if recipients.unnamed > 0 {
        let more = t
            .with("report-disclosures-more")
            .count("n", recipients.unnamed);
        blocks.push(Block::Alarm(more.runs()));
    }
    blocks.extend(handed_out(t, &data.readings.handed));
    Section {
        title: t.get("report-disclosures"),
        blocks,
    }
}

/// To whom exports about the person were handed through this server, by links.
fn handed_out(t: Lang, handed: &HandedOut) -> Vec<Block> {
    let mut table = Table::new(
        t.get("report-handed-table"),
        vec![
            Column::words(t.get("report-recipient"), 36),
            Column::numbers(t.get("report-handed-links"), 10),
            Column::numbers(t.get("report-handed-uses"), 14),
            Column::words(t.get("report-first"), 20),
            Column::words(t.get("report-last"), 20),
        ],
    );
    for (name, it) in &handed.named {
        table.rows.push(vec![
            outside(name),
            plain(t.number(it.links)),
            plain(t.number(it.uses)),
            plain(when(&it.first.to_string())),
            plain(when(&it.last.to_string())),
        ]);
    }
    let mut blocks = Vec::new();
    if !table.rows.is_empty() {
        blocks.push(text(&t.with("report-handed-lead")));
        blocks.push(Block::Table(table));
    }
    if handed.more {
        blocks.push(Block::Alarm(t.with("report-handed-more").runs()));
    }
    blocks
}

/// When, why and in which role somebody read of the person through this server. Staff stand by
/// role and pseudonym: in principle there is no right to their names (CJEU C-579/21).
pub fn readings(t: Lang, data: &ReportData<'_>) -> Section {
    let mut table = Table::new(
        t.get("report-readings-table"),
        vec![
            Column::words(t.get("report-time"), 23),
            Column::words(t.get("report-what"), 27),
            Column::words(t.get("report-role"), 13),
            Column::words(t.get("report-pseudonym"), 12),
            Column::words(t.get("report-why"), 25),
        ],
    );
    for reading in &data.readings.rows {
        table.rows.push(vec![
            plain(when(&reading.time)),
            match operation_key(&reading.operation) {
                Some(key) => plain(t.get(key)),
                None => outside(&reading.operation),
            },
            outside(&reading.role),
            outside(&reading.pseudonym),
            outside(&reading.purpose),
        ]);
    }
    let mut blocks = vec![text(&t.with("report-readings-lead"))];
    match table.rows.len() {
        0 => blocks.push(text(&t.with("report-readings-none"))),
        shown => {
            blocks.push(Block::Table(table));
            if data.readings.more {
                let more = t.with("report-readings-more").count("n", shown as u64);
                blocks.push(Block::Alarm(more.runs()));
            }
        }
    }
    let unread = data
        .readings
        .findings
        .iter()
        .map(|finding| outside(finding));
    let unread: Vec<_> = unread.collect();
    if !unread.is_empty() {
        blocks.push(Block::Alarm(t.with("report-readings-unread").runs()));
        blocks.push(Block::Points(unread));
    }
    Section {
        title: t.get("report-readings"),
        blocks,
    }
}

/// The first entries; none, if there are none.
pub fn entries(t: Lang, data: &ReportData<'_>) -> Option<Section> {
    let rows = &data.tally.rows;
    if rows.is_empty() {
        return None;
    }
    let mut blocks = Vec::new();
    if (rows.len() as u64) < data.tally.entries {
        let alarm = t
            .with("report-entries-first")
            .count("shown", REPORT_ENTRIES as u64)
            .count("all", data.tally.entries);
        blocks.push(Block::Alarm(alarm.runs()));
    }
    let column = |key: &str, share| Column::words(t.get(key), share);
    let mut table = Table::new(
        t.get("report-entries-table"),
        vec![
            column("report-place", 9),
            column("report-time", 12),
            column("report-operation", 9),
            column("report-outcome", 9),
            column("report-purpose", 11),
            column("report-basis", 9),
            column("report-actor", 10),
            column("report-resource", 11),
            column("report-recipient", 9),
            column("report-payload", 20),
        ],
    );
    table.rows = rows.iter().map(|row| entry(t, row)).collect();
    blocks.push(Block::Table(table));
    Some(Section {
        title: t.get("report-entries"),
        blocks,
    })
}

/// A row of the table. Texts from outside stay isolated, each in its cell.
fn entry(t: Lang, row: &Row) -> Vec<Vec<Run>> {
    let actor = match (row.actor.as_str(), row.actor_role.as_str()) {
        ("", role) => outside(role),
        (actor, "") => outside(actor),
        (actor, role) => [outside(actor), plain(" ("), outside(role), plain(")")].concat(),
    };
    let payload = match row.hidden {
        None => vec![Run::code(row.payload.as_str())],
        Some(Hidden::NamesOthers) => plain(t.get("report-hidden-others")),
        Some(Hidden::OnGround) => plain(t.get("report-hidden-ground")),
        Some(Hidden::Erased) => plain(t.get("report-hidden-erased")),
    };
    vec![
        plain(format!("{} {}", row.log, t.number(row.entry))),
        plain(&row.time),
        outside(&row.operation),
        outside(&row.outcome),
        outside(&row.purpose),
        outside(&row.lawful_basis),
        actor,
        outside(&row.resource),
        outside(&row.recipient),
        payload,
    ]
}
