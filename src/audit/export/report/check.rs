//! The section of a report that says how to check everything without whoever made it.

use super::ReportData;
use super::document::{Block, Section};
use super::sections::{keys, text};
use crate::messages::Lang;

/// Checks a signed note with openssl; the tests run it as it stands here.
const OPENSSL: &str = include_str!("../../../../static/check/check.sh");
/// Checks that nothing shown was altered; the tests run it as it stands here.
const PYTHON: &str = include_str!("../../../../static/check/check.py");

/// How to check everything, step by step.
pub fn section(t: Lang, data: &ReportData<'_>) -> Section {
    let step = |key: &str| t.with(key).runs();
    let mut blocks = vec![
        text(&t.with("report-check-lead")),
        Block::Steps(vec![
            step("report-check-keys"),
            step("report-check-browser"),
            step("report-check-program"),
            step("report-check-script"),
        ]),
        Block::Heading(t.get("report-check-keys-title")),
        text(&t.with("report-check-keys-lead")),
        keys(t, data),
        Block::Heading(t.get("report-check-openssl-title")),
        text(&t.with("report-check-openssl-lead")),
        Block::Code(commands(data)),
        text(&t.with("report-check-openssl-means")),
        Block::Heading(t.get("report-check-python-title")),
        text(&t.with("report-check-python-lead")),
        Block::Code(PYTHON.to_owned()),
    ];
    for log in data.coverage {
        let title = t.with("report-checkpoint-of").arg("log", &log.log);
        blocks.push(Block::Heading(title.to_string()));
        blocks.push(Block::Code(log.note.clone()));
    }
    Section {
        title: t.get("report-check"),
        blocks,
    }
}

/// What to type, from the bundle as it came to the last signature.
fn commands(data: &ReportData<'_>) -> String {
    let mut lines = vec!["unzip -q bundle.zip -d bundle && cd bundle".to_owned()];
    lines.extend(OPENSSL.lines().map(str::to_owned));
    for key in data.keys {
        let vkey = key.to_string();
        let name = vkey.split('+').next().unwrap_or_default();
        let log = data.coverage.iter().find(|log| {
            let folder = name.rsplit_once('/').map(|(_, folder)| folder);
            folder == Some(log.log.as_str())
        });
        match (log, name.contains('/')) {
            (Some(log), _) => lines.push(format!("check logs/{}/checkpoint.txt '{vkey}'", log.log)),
            (None, false) => lines.push(format!("check manifest.note '{vkey}'")),
            (None, true) => {}
        }
    }
    lines.push("openssl dgst -sha256 -r manifest.json && sed -n 2p manifest.note".into());
    lines.push("openssl dgst -sha256 -r logs/*/* *.*".into());
    lines.join("\n") + "\n"
}
