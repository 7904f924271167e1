//! Exports of one subject: out of more and more entries, and out of a quiet year.
//!
//! Back of the envelope: an export opens one subject index a segment (5 to 20 ms for 64 MiB), and
//! the batches that name the subject. 10,000 entries strewn over 10,000,000 of 300 bytes stand in
//! nearly each of its 12,000 batches: 3 GB to decompress, some 3 s. Ten times as many other entries
//! add 90 segments and not one batch.

use std::sync::Arc;
use std::time::Instant;

use super::engine::{Sent, config, send};
use super::workload::{GROUP, Kind, group};
use super::{Row, Wanted};
use crate::audit::export::ExportRequest;
use crate::cli::server::Server;
use crate::cli::{Failure, Output};
use crate::event::Entries;
use crate::ids::LogName;
use crate::ingest::{Append, Durability, Log};
use crate::time::Timestamp;

/// The subject that is exported, and how many of its entries there are.
const SUBJECT: &str = "the subject";
const SUBJECT_ENTRIES: usize = 10_000;
/// What a segment may add to an export that finds nothing in it.
const SEGMENT_SECONDS: f64 = 0.02;

/// Exports the same 10,000 entries out of 10,000,000 and, once they are there, 100,000,000.
pub async fn run(scale: f64, output: &Output) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let config = config(folder.path(), 2)?;
    let server = Server::start(&config).await?;
    let name = LogName::new("bench")?;
    let log = server.audit.ingest().log_or_new(&name)?;
    let groups: Vec<Entries> = (0..8)
        .map(|seed| group(Kind::Words171, seed, GROUP))
        .collect();
    let count = ((10_000_000.0 * scale) as usize / GROUP).max(4);
    for part in (0..count).collect::<Vec<_>>().chunks(64) {
        let some: Vec<Entries> = part
            .iter()
            .map(|n| strewn(&groups[n % 8], *n, count))
            .collect();
        send(&server, &some, std::slice::from_ref(&log), some.len()).await?;
    }
    let small = measured(&server, &log, output).await?;
    let Sent { wall, .. } = send(&server, &groups, std::slice::from_ref(&log), 9 * count).await?;
    let large = measured(&server, &log, output).await?;
    server.stop(&config).await?;
    let more = (large.segments - small.segments) as f64 * SEGMENT_SECONDS;
    Row::new("export of the same from ten times as much")
        .figure("ingest_entries_per_s", (9 * count * GROUP) as f64 / wall)
        .figure("times_slower", large.seconds / small.seconds)
        .target(
            "times_slower_without_20_ms_a_segment",
            (large.seconds - more) / small.seconds,
            Wanted::AtMost(1.5),
        )
        .print(output);
    Ok(())
}

/// A group with its share of the subject's entries, evenly among the others.
fn strewn(group: &Entries, n: usize, count: usize) -> Entries {
    let share = SUBJECT_ENTRIES * (n + 1) / count - SUBJECT_ENTRIES * n / count;
    let mut entries = Entries::default();
    let every = group.len() / (share + 1);
    let named = group.postings().map(|(_, name)| name);
    for (position, ((entry, time), name)) in group.iter().zip(group.times()).zip(named).enumerate()
    {
        if position % every.max(1) == 0 && position / every.max(1) < share {
            let text = format!(
                "{{\"time\":\"{time}\",\"operation\":\"read\",\"data_subject\":\"{SUBJECT}\",\"payload\":{n}}}"
            );
            entries.push(text.as_bytes(), *time, [SUBJECT]);
        } else {
            entries.push(entry, *time, [name]);
        }
    }
    entries
}

/// An export that was measured.
struct Measured {
    seconds: f64,
    segments: u64,
}

async fn measured(server: &Server, log: &Arc<Log>, output: &Output) -> Result<Measured, Failure> {
    server.audit.ingest().roll(log).await?;
    server
        .wait_until_indexed(&log.name, log.head().links)
        .await?;
    let (seconds, bytes) = export(server).await?;
    let (head, segments) = (log.head(), server.segments(&log.name).await?);
    Row::new(format!(
        "export of {SUBJECT_ENTRIES} entries out of {}",
        head.entries
    ))
    .figure("seconds", seconds)
    .figure("segments", segments as f64)
    .figure("MB", bytes as f64 / 1e6)
    .print(output);
    Ok(Measured { seconds, segments })
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
