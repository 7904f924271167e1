//! The engine without HTTP.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::limit::{self, measure};
use super::workload::{GROUP, Kind, group};
use super::{Row, process_cpu};
use crate::cli::server::Server;
use crate::cli::{Failure, Output};
use crate::config::{Config, Sources};
use crate::event::Entries;
use crate::ids::LogName;
use crate::ingest::{Append, Durability, Ingest, Log};
use crate::time::Timestamp;

/// Logs that a workload is sent to in turn.
const LOGS: usize = 8;
/// Different groups of a workload; they are sent over and over.
const GROUPS: u64 = 4;

/// Measures every workload, and how the engine scales.
pub async fn run(scale: f64, output: &Output) -> Result<(), Failure> {
    Row::new("fdatasync of 4 KiB, median")
        .figure("us", limit::sync_floor()?)
        .print(output);
    for kind in Kind::ALL {
        workload(kind, scale, output).await?;
    }
    scaling(scale, output).await?;
    destinations(scale, output).await?;
    enqueue(output).await
}

/// Settings of a measurement: a folder of its own.
pub fn config(folder: &std::path::Path, workers: usize) -> Result<Config, Failure> {
    let mut sources = Sources::default();
    sources.flag("data", Some(folder.display().to_string()))?;
    sources.flag("workers", Some(workers.to_string()))?;
    sources.flag("roll_on_request_seconds", Some("0".into()))?;
    Ok(sources.config()?)
}

/// Sends `count` groups from two producers to logs in turn, and waits until all are on disk;
/// wall and CPU seconds.
async fn send(
    server: &Server,
    groups: &[Entries],
    logs: &[Arc<Log>],
    count: usize,
) -> Result<(f64, f64), Failure> {
    let (started, cpu) = (Instant::now(), process_cpu());
    let producers = (0..2).map(|producer| async move {
        let numbers = (producer..count).step_by(2);
        let mut answers = Vec::new();
        for n in numbers {
            let entries = groups[n % groups.len()].clone();
            let append = Append {
                entries,
                key: None,
                received_at: Timestamp(1),
                quarantined: 0,
            };
            let (ingest, log) = (server.audit.clone(), logs[n % logs.len()].clone());
            // The queue is bounded: a producer waits for room as a request would.
            while ingest.ingest().queue_fill().0 > ingest.ingest().queue_fill().1 * 3 / 4 {
                tokio::time::sleep(Duration::from_micros(200)).await;
            }
            answers.push(tokio::spawn(async move {
                patient(ingest.ingest(), &log, append).await
            }));
        }
        for answer in answers {
            answer
                .await
                .map_err(|error| Failure::new(error.to_string()))??;
        }
        Ok::<_, Failure>(())
    });
    let all: Vec<_> = producers.collect();
    for done in futures_util::future::join_all(all).await {
        done?;
    }
    Ok((started.elapsed().as_secs_f64(), process_cpu() - cpu))
}

async fn patient(ingest: &Ingest, log: &Arc<Log>, append: Append) -> Result<(), Failure> {
    ingest.append(log, append, Durability::Synced).await?;
    Ok(())
}

async fn workload(kind: Kind, scale: f64, output: &Output) -> Result<(), Failure> {
    let count = match kind {
        Kind::Words4K => 64.0,
        Kind::NewSubjects => 12.0,
        _ => 400.0,
    };
    let count = ((count * scale) as usize).max(4);
    // New subjects are new in every group that is sent.
    let different = if kind == Kind::NewSubjects {
        count as u64
    } else {
        GROUPS
    };
    let groups: Vec<Entries> = (0..different)
        .map(|seed| group(kind, seed, GROUP))
        .collect();
    let before = measure(kind, &groups[0], 1, output)?;
    let folder = tempfile::tempdir()?;
    let config = config(folder.path(), 2)?;
    let server = Server::start(&config).await?;
    let logs = logs(&server, LOGS)?;
    send(&server, &groups[..groups.len().min(2)], &logs, 2 * LOGS).await?;
    let (mut wall, mut cpu) = send(&server, &groups, &logs, count).await?;
    if kind == Kind::NewSubjects {
        // Tags are computed behind the acknowledgement: a close waits for all of them.
        let (started, before) = (Instant::now(), process_cpu());
        for log in &logs {
            server.audit.ingest().roll(log).await?;
        }
        wall += started.elapsed().as_secs_f64();
        cpu += process_cpu() - before;
    }
    server.stop(&config).await?;
    let limit = before.faster(measure(kind, &groups[0], 1, output)?);
    let bytes: usize = groups.iter().map(Entries::byte_len).sum::<usize>() * count / groups.len();
    let stored = folder_bytes(&folder.path().join("logs"));
    // The warm-up is stored too.
    let appended = bytes as f64 * (count + 2 * LOGS) as f64 / count as f64;
    let entries = (count * GROUP) as f64;
    Row::new(format!("core {}", kind.name()))
        .figure("entries_per_s", entries / wall)
        .figure("MB_per_s", bytes as f64 / wall / 1e6)
        .figure("of_limit_by_cpu", limit.cpu * count as f64 / cpu)
        .figure("of_limit_by_wall", limit.seconds(2.0) * count as f64 / wall)
        .figure("stored_per_byte", stored as f64 / appended)
        .print(output);
    Ok(())
}

/// One worker against two, the queue filled beforehand as far as it goes.
async fn scaling(scale: f64, output: &Output) -> Result<(), Failure> {
    let groups: Vec<Entries> = (0..GROUPS)
        .map(|seed| group(Kind::Words4K, seed, GROUP))
        .collect();
    let count = ((48.0 * scale) as usize).max(6);
    let mut runs = Vec::new();
    for workers in [1, 2] {
        let folder = tempfile::tempdir()?;
        let mut config = config(folder.path(), workers)?;
        // The queue takes everything at once.
        config.ingest.queue_bytes = 1 << 30;
        let server = Server::start(&config).await?;
        let logs = logs(&server, LOGS)?;
        runs.push(send(&server, &groups, &logs, count).await?);
        server.stop(&config).await?;
    }
    Row::new("core (a) 1 worker → 2 workers")
        .figure("speedup", runs[0].0 / runs[1].0)
        .figure("cpu_growth", runs[1].1 / runs[0].1)
        .print(output);
    Ok(())
}

/// Many logs against one.
async fn destinations(scale: f64, output: &Output) -> Result<(), Failure> {
    let groups: Vec<Entries> = (0..GROUPS)
        .map(|seed| group(Kind::Events, seed, 512))
        .collect();
    let count = ((2048.0 * scale) as usize).max(64);
    let mut walls = Vec::new();
    for number in [1, 1024] {
        let folder = tempfile::tempdir()?;
        let config = config(folder.path(), 2)?;
        let server = Server::start(&config).await?;
        let logs = logs(&server, number)?;
        walls.push(send(&server, &groups, &logs, count).await?.0);
        server.stop(&config).await?;
    }
    Row::new("core (c) 1,024 logs against 1")
        .figure("ratio", walls[0] / walls[1])
        .print(output);
    Ok(())
}

/// What a producer waits for an enqueue that needs no room.
async fn enqueue(output: &Output) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let config = config(folder.path(), 2)?;
    let server = Server::start(&config).await?;
    let log = &logs(&server, 1)?[0];
    let entry = group(Kind::Words171, 1, 1);
    let mut times = Vec::new();
    for _ in 0..20_000 {
        let append = Box::new(Append {
            entries: entry.clone(),
            key: None,
            received_at: Timestamp(1),
            quarantined: 0,
        });
        let started = Instant::now();
        let done = server.audit.ingest().try_append(log, *append);
        if done.is_ok() {
            times.push(started.elapsed().as_secs_f64() * 1e6);
        } else {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    server.stop(&config).await?;
    times.sort_by(f64::total_cmp);
    Row::new("enqueue of one entry, no wait")
        .figure("p50_us", times[times.len() / 2])
        .figure("p99_us", times[times.len() * 99 / 100])
        .print(output);
    Ok(())
}

fn logs(server: &Server, count: usize) -> Result<Vec<Arc<Log>>, Failure> {
    (0..count)
        .map(|n| {
            let name = LogName::new(&format!("log{n}"))?;
            Ok(server.audit.ingest().log_or_new(&name)?)
        })
        .collect()
}

/// Bytes of all files below a folder.
pub fn folder_bytes(folder: &std::path::Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => folder_bytes(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}
