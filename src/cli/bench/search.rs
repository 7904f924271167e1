//! Reading: verification of a folder, indexing, and exports of one subject out of more and more.
//!
//! Back of the envelope: without keys a folder is checked at the speed of SHA-256 (1 to 2 GB/s);
//! an export opens one subject index a segment (some 5 to 20 ms for 64 MiB), and the batches that
//! name the subject.

use std::ops::ControlFlow;
use std::time::Instant;

use super::Row;
use super::core::{config, folder_bytes};
use super::workload::{Kind, group};
use crate::audit::export::ExportRequest;
use crate::cli::server::Server;
use crate::cli::{Failure, Output};
use crate::digest::Digest;
use crate::event::Entries;
use crate::ids::LogName;
use crate::ingest::{Append, Durability};
use crate::store::{DataFolder, LogFolder};
use crate::time::Timestamp;
use crate::verifier::{self, check_log};

/// The subject that is exported, and how many of its entries there are.
const SUBJECT: &str = "the subject";
const SUBJECT_ENTRIES: usize = 10_000;

/// Measures reading on a small and a ten times larger log.
pub async fn run(scale: f64, output: &Output) -> Result<(), Failure> {
    let mut times = Vec::new();
    for entries in [100_000.0 * scale, 1_000_000.0 * scale] {
        times.push(one(entries as usize, output).await?);
    }
    Row::new("export of 10,000 from ten times as much")
        .figure("times_slower", times[1] / times[0])
        .print(output);
    Ok(())
}

/// A log of `entries` entries, 10,000 of which name the subject; seconds of its export.
async fn one(entries: usize, output: &Output) -> Result<f64, Failure> {
    let folder = tempfile::tempdir()?;
    let config = config(folder.path(), 2)?;
    let server = Server::start(&config).await?;
    let name = LogName::new("bench")?;
    let log = server.audit.ingest().log_or_new(&name)?;
    fill(&server, &log, entries).await?;
    let started = Instant::now();
    server.audit.ingest().roll(&log).await?;
    let links = log.head().links;
    let mut indexed = log.indexed();
    while server.last_indexed_link(&name).await? + 1 < links {
        indexed.changed().await?;
    }
    let behind = started.elapsed().as_secs_f64();
    let (seconds, _) = export(&server).await?;
    server.stop(&config).await?;
    Row::new(format!(
        "export of {SUBJECT_ENTRIES} entries out of {entries}"
    ))
    .figure("seconds", seconds)
    .figure("index_behind_s", behind)
    .figure("links", links as f64)
    .print(output);
    verify(folder.path(), &name, output)?;
    Ok(seconds)
}

/// Exports the subject; seconds, and bytes of the bundle.
async fn export(server: &Server) -> Result<(f64, u64), Failure> {
    let (caller, id) = server.local_auditor("bench").await?;
    let started = Instant::now();
    let request = ExportRequest::new(SUBJECT, "bench");
    let mut view = server.audit.request_export(&caller, &request).await?;
    while matches!(view.status.as_str(), "queued" | "running") {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        view = server.audit.export(&caller, &view.id).await?;
    }
    let seconds = started.elapsed().as_secs_f64();
    server.end_local_auditor(id).await?;
    match (view.failure, view.outcome) {
        (None, Some(outcome)) => {
            let bundle = outcome.files.iter().find(|file| file.name == "bundle.zip");
            Ok((seconds, bundle.map_or(0, |file| file.bytes)))
        }
        (why, _) => Err(Failure::new(why.unwrap_or_default())),
    }
}

/// A year of a quiet log: an event a minute, each its own batch, a segment a day; one in a hundred
/// names the subject.
pub async fn year(scale: f64, output: &Output) -> Result<(), Failure> {
    const DAY_MINUTES: usize = 24 * 60;
    let folder = tempfile::tempdir()?;
    let config = config(folder.path(), 2)?;
    let server = Server::start(&config).await?;
    let log = server.audit.ingest().log_or_new(&LogName::new("quiet")?)?;
    let days = ((365.0 * scale) as usize).max(1);
    for minute in 0..days * DAY_MINUTES {
        let time = Timestamp(1_735_689_600_000_000 + minute as i64 * 60_000_000);
        let subject = if minute.is_multiple_of(100) {
            SUBJECT
        } else {
            "another"
        };
        let mut entries = Entries::default();
        let entry = format!(
            "{{\"time\":\"{time}\",\"operation\":\"read\",\"data_subject\":\"{subject}\",\"payload\":{minute}}}"
        );
        entries.push(entry.as_bytes(), time, [subject]);
        let append = Append {
            entries,
            key: None,
            received_at: time,
            quarantined: 0,
        };
        server
            .audit
            .ingest()
            .append(&log, append, Durability::Synced)
            .await?;
        if (minute + 1).is_multiple_of(DAY_MINUTES) {
            server.audit.ingest().roll(&log).await?;
        }
    }
    let (seconds, bytes) = export(&server).await?;
    server.stop(&config).await?;
    Row::new(format!("export from {days} quiet days"))
        .figure("seconds", seconds)
        .figure("MB", bytes as f64 / 1e6)
        .print(output);
    Ok(())
}

/// Realistic events, with the subject's strewn evenly among them.
async fn fill(
    server: &Server,
    log: &std::sync::Arc<crate::ingest::Log>,
    entries: usize,
) -> Result<(), Failure> {
    const GROUP: usize = 1000;
    let groups: Vec<Entries> = (0..8)
        .map(|seed| group(Kind::Events, seed, GROUP))
        .collect();
    let count = (entries / GROUP).max(1);
    let each = (SUBJECT_ENTRIES / count).max(1);
    for n in 0..count {
        let mut entries = groups[n % groups.len()].clone();
        for m in 0..each {
            let time = Timestamp(1_777_887_012_000_000 + (n * each + m) as i64);
            let entry = format!(
                "{{\"time\":\"{time}\",\"operation\":\"read\",\"data_subject\":\"{SUBJECT}\",\"payload\":{m}}}"
            );
            entries.push(entry.as_bytes(), time, [SUBJECT]);
        }
        let append = Append {
            entries,
            key: None,
            received_at: Timestamp(1),
            quarantined: 0,
        };
        server
            .audit
            .ingest()
            .append(log, append, Durability::Synced)
            .await?;
    }
    Ok(())
}

/// Verification of the folder without keys, beside SHA-256 of the same bytes.
fn verify(folder: &std::path::Path, name: &LogName, output: &Output) -> Result<(), Failure> {
    let root = DataFolder::new(folder).logs().join(name.as_str());
    let bytes = folder_bytes(&root) as f64;
    let started = Instant::now();
    let options = verifier::Options {
        name: Some(name),
        ..verifier::Options::default()
    };
    let report = check_log(&LogFolder::new(&root), options, &mut |_| {
        ControlFlow::Continue(())
    })?;
    let seconds = started.elapsed().as_secs_f64();
    let block = vec![7; 1 << 20];
    let started = Instant::now();
    let rounds = (bytes / block.len() as f64).ceil() as usize;
    for _ in 0..rounds {
        std::hint::black_box(Digest::of(&[&block]));
    }
    let hashing = started.elapsed().as_secs_f64();
    Row::new("verify a folder without keys")
        .figure("MB_per_s", bytes / seconds / 1e6)
        .figure("of_one_core_SHA-256", hashing / seconds)
        .figure("findings", report.findings.len() as f64)
        .print(output);
    Ok(())
}
