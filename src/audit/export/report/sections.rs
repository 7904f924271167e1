//! The sections of a report that say what was asked, and what the answer is worth.

use super::document::{Block, Column, Document, Section, Table, code, outside, plain};
use super::{ReportData, check, found};
use crate::audit::export::{Audience, Question};
use crate::messages::{Lang, Message, Run};
use crate::time::Timestamp;
use crate::zone::Zone;

/// The whole report.
pub fn document(data: &ReportData<'_>) -> Document {
    let t = data.question.language;
    let mut sections = vec![
        asked(t, data),
        verdict(t, data),
        completeness(t, data),
        coverage(t, data),
        found::summary(t, data),
        found::disclosures(t, data),
        found::readings(t, data),
    ];
    sections.extend(found::entries(t, data));
    sections.push(check::section(t, data));
    Document {
        lang: t,
        title: t.get("report-title"),
        lead: t.get("report-lead"),
        created_at: data.created_at.to_string(),
        sections,
    }
}

/// A message as a paragraph.
pub fn text(message: &Message<'_>) -> Block {
    Block::Text(message.runs())
}

/// A canonical moment to the second, in UTC.
pub fn when(canonical: &str) -> String {
    match (canonical.get(..10), canonical.get(11..19)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => canonical.to_owned(),
    }
}

/// What was asked, by whom and for whom. Logs are those that were read; `left_out` names the
/// others.
fn asked(t: Lang, data: &ReportData<'_>) -> Section {
    let question = data.question;
    let fact = |key: &str, text: Vec<Run>| (t.get(key), text);
    let logs: Vec<&str> = data.coverage.iter().map(|log| log.log.as_str()).collect();
    let exactly = t
        .with("report-subject-exactly")
        .outside("subject", &question.subject);
    let zone = question.zone();
    let mut facts = vec![
        fact("report-subject", exactly.runs()),
        fact("report-range", plain(range(t, question, &zone))),
    ];
    if zone.name() != "UTC" && (question.from, question.to) != (None, None) {
        facts.push(fact(
            "report-range-utc",
            plain(range(t, question, &Zone::utc())),
        ));
    }
    facts.push(fact("report-logs", plain(logs.join(", "))));
    facts.push(fact("report-purpose", outside(&question.purpose)));
    if let Some(case) = &question.case {
        facts.push(fact("report-case", outside(case)));
    }
    let audience = match question.audience {
        Audience::Authority => "report-for-authority",
        Audience::Subject => "report-for-person",
    };
    facts.extend([
        fact("report-asked-by", plain(&question.requested_by)),
        fact("report-made-at", plain(when(&data.created_at.to_string()))),
        fact("report-made-for", plain(t.get(audience))),
    ]);
    Section {
        title: t.get("report-asked"),
        blocks: vec![Block::Facts(facts)],
    }
}

/// Both bounds by the clocks of a zone.
fn range(t: Lang, question: &Question, zone: &Zone) -> String {
    let show = |at: i64| zone.show(Timestamp(at));
    let range = match (question.from, question.to) {
        (None, None) => return t.get("report-range-all"),
        (Some(from), None) => t.with("report-range-from").arg("from", show(from)),
        (None, Some(to)) => t.with("report-range-to").arg("to", show(to)),
        (Some(from), Some(to)) => t
            .with("report-range-both")
            .arg("from", show(from))
            .arg("to", show(to)),
    };
    format!("{range} ({})", zone.name())
}

/// What the making of the bundle found. The bundle's own check comes later and is not in here.
fn verdict(t: Lang, data: &ReportData<'_>) -> Section {
    let tally = data.tally;
    let sound = data.findings.is_empty();
    let line = match sound {
        true => t
            .with("report-verified")
            .count("entries", tally.entries)
            .outside("subject", &data.question.subject),
        false => t
            .with("report-found")
            .count("findings", data.findings.len() as u64)
            .count("entries", tally.entries),
    };
    let mut line = line.runs();
    for (key, count) in [
        ("report-of-them-withheld", tally.withheld),
        ("report-of-them-erased", tally.erased),
    ] {
        if sound && count > 0 {
            line.push(Run::plain(", "));
            line.extend(t.with(key).count("n", count).runs());
        }
    }
    let mut blocks = vec![Block::Verdict { sound, text: line }];
    if sound {
        blocks.push(text(&t.with("report-verified-means")));
    } else {
        let findings = data.findings.iter().map(|finding| outside(finding));
        blocks.push(Block::Points(findings.collect()));
        blocks.push(text(&t.with("report-found-means")));
    }
    if tally.naming_others > 0 {
        let key = match data.question.audience {
            Audience::Authority => "report-others-authority",
            Audience::Subject => "report-others-person",
        };
        blocks.push(text(&t.with(key).count("n", tally.naming_others)));
    }
    Section {
        title: t.get("report-verdict"),
        blocks,
    }
}

/// What the proof of completeness is, for whoever reads law rather than mathematics.
fn completeness(t: Lang, data: &ReportData<'_>) -> Section {
    let points = [
        "report-complete-register",
        "report-complete-proof",
        "report-complete-seal",
        "report-complete-nothing",
    ];
    let limits = [
        "report-limit-sent",
        "report-limit-id",
        "report-limit-index",
        "report-limit-history",
        "report-limit-word",
    ];
    let all = |keys: &[&str]| keys.iter().map(|key| t.with(key).runs()).collect();
    let points = match data.tally.entries {
        0 => &points[..],
        _ => &points[..3],
    };
    Section {
        title: t.get("report-complete"),
        blocks: vec![
            text(&t.with("report-complete-lead")),
            Block::Points(all(points)),
            Block::Heading(t.get("report-limits")),
            Block::Points(all(&limits)),
        ],
    }
}

/// Up to where each log is covered, what was left out, and what was withheld.
fn coverage(t: Lang, data: &ReportData<'_>) -> Section {
    let mut table = Table::new(
        t.get("report-coverage-table"),
        vec![
            Column::words(t.get("report-log"), 14),
            Column::numbers(t.get("report-segments"), 13),
            Column::numbers(t.get("report-entries-covered"), 13),
            Column::numbers(t.get("report-links-covered"), 13),
            Column::numbers(t.get("report-unnamed"), 13),
            Column::numbers(t.get("report-quarantined"), 14),
            Column::words(t.get("report-signed"), 20),
        ],
    );
    for log in data.coverage {
        let number = |number: u64| plain(t.number(number));
        table.rows.push(vec![
            plain(&log.log),
            number(log.segments),
            number(log.entries),
            number(log.links),
            number(log.unnamed),
            number(log.quarantined),
            plain(when(&log.signed_at)),
        ]);
    }
    let mut blocks = vec![Block::Table(table), text(&t.with("report-coverage-means"))];
    blocks.extend(left_out(t, data));
    blocks.extend(withheld(t, data));
    Section {
        title: t.get("report-coverage"),
        blocks,
    }
}

/// Logs that were asked for and could not be read.
fn left_out(t: Lang, data: &ReportData<'_>) -> Option<Block> {
    let read = |name: &String| data.coverage.iter().any(|log| log.log == *name);
    let logs: Vec<&str> = data
        .question
        .logs
        .iter()
        .filter(|name| !read(name))
        .map(String::as_str)
        .collect();
    (!logs.is_empty()).then(|| {
        let alarm = t.with("report-left-out").arg("logs", logs.join(", "));
        Block::Alarm(alarm.runs())
    })
}

/// Entries withheld on a ground of law: which, on what ground, who decided.
fn withheld(t: Lang, data: &ReportData<'_>) -> Vec<Block> {
    let mut table = Table::new(
        t.get("report-withheld-table"),
        vec![
            Column::words(t.get("report-log"), 15),
            Column::numbers(t.get("report-entry"), 15),
            Column::words(t.get("report-ground"), 45),
            Column::words(t.get("report-decided-by"), 25),
        ],
    );
    let (met, missed): (Vec<_>, Vec<_>) = data
        .question
        .withhold
        .iter()
        .partition(|decision| data.tally.grounds.contains(&decision.place()));
    for decision in met {
        table.rows.push(vec![
            plain(&decision.log),
            plain(t.number(decision.entry)),
            plain(t.get(decision.ground.key())),
            outside(&decision.decided_by),
        ]);
    }
    let mut blocks = Vec::new();
    if !table.rows.is_empty() {
        blocks.push(Block::Heading(t.get("report-withheld")));
        blocks.push(text(&t.with("report-withheld-means")));
        blocks.push(Block::Table(table));
    }
    if !missed.is_empty() {
        let places = missed.iter().map(|it| format!("{}/{}", it.log, it.entry));
        let places = places.collect::<Vec<_>>().join(", ");
        blocks.push(text(
            &t.with("report-withheld-missed").arg("places", places),
        ));
    }
    blocks
}

/// Keys and fingerprints as facts.
pub fn keys(t: Lang, data: &ReportData<'_>) -> Block {
    let facts = data.keys.iter().flat_map(|key| {
        [
            (t.get("report-key"), code(&key.to_string())),
            (t.get("report-fingerprint"), code(&key.fingerprint())),
        ]
    });
    Block::Facts(facts.collect())
}
