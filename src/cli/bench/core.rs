//! The engine without HTTP.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::limit::{self, measure};
use super::workload::{GROUP, Kind, group};
use super::{Row, Wanted, process_cpu};
use crate::cli::server::Server;
use crate::cli::{Failure, Output};
use crate::config::{Config, Sources};
use crate::event::Entries;
use crate::ids::LogName;
use crate::ingest::{Append, Durability, Log};
use crate::time::Timestamp;

/// Logs that a workload is sent to in turn: so few that after one turn the run is where any log is
/// once it has seen most of its data subjects, and their tags are computed.
const LOGS: usize = 8;
/// Logs that the research system's producers sent to in turn.
const DESTINATIONS: usize = 1025;
/// Different groups of a workload; they are sent over and over.
const GROUPS: u64 = 4;

/// Measures every workload, and how the engine scales.
pub async fn run(scale: f64, output: &Output) -> Result<(), Failure> {
    Row::new("fdatasync of 4 KiB, median")
        .figure("us", limit::sync_floor()?)
        .print(output);
    let many = limit::many_dirty(crate::ingest::Options::default().committers)?;
    Row::new("256 files dirty, microseconds a file")
        .figure("fdatasync_each", many.one_by_one)
        .figure("fdatasync_several_at_once", many.several_at_once)
        .figure("syncfs_once", many.syncfs)
        .print(output);
    for kind in Kind::ALL {
        workload(kind, 1, scale, output).await?;
    }
    workload(Kind::Words4K, SMALL_LEVEL, scale / 4.0, output).await?;
    scaling(scale, output).await?;
    destinations(scale, output).await?;
    enqueue(output).await
}

/// A zstd level for those who would rather pay time than disk.
const SMALL_LEVEL: i32 = 6;

/// What sending took.
pub struct Sent {
    /// Seconds until everything was on disk.
    pub wall: f64,
    /// CPU seconds of the process.
    pub cpu: f64,
    /// Milliseconds from a group's append to its answer, ascending.
    pub millis: Vec<f64>,
}

/// Settings of a measurement: a folder of its own.
pub fn config(folder: &std::path::Path, workers: usize) -> Result<Config, Failure> {
    let mut sources = Sources::default();
    sources.flag("data", Some(folder.display().to_string()))?;
    sources.flag("workers", Some(workers.to_string()))?;
    sources.flag("roll_on_request_seconds", Some("0".into()))?;
    Ok(sources.config()?)
}

/// Sends `count` groups from two producers to logs in turn, and waits until all are on disk.
pub async fn send(
    server: &Server,
    groups: &[Entries],
    logs: &[Arc<Log>],
    count: usize,
) -> Result<Sent, Failure> {
    let (started, cpu) = (Instant::now(), process_cpu());
    let ingest = || server.audit.ingest();
    let producers = (0..2).map(|producer| async move {
        let mut answers = Vec::new();
        for n in (producer..count).step_by(2) {
            // The queue is bounded: a producer waits for room as a request would.
            while ingest().queue_fill().0 > ingest().queue_fill().1 * 3 / 4 {
                tokio::time::sleep(Duration::from_micros(200)).await;
            }
            let entries = groups[n % groups.len()].clone();
            answers.push(append(server, &logs[n % logs.len()], entries));
        }
        answers
    });
    let producers = futures_util::future::join_all(producers).await;
    let millis = answered(producers.into_iter().flatten()).await?;
    Ok(Sent {
        wall: started.elapsed().as_secs_f64(),
        cpu: process_cpu() - cpu,
        millis,
    })
}

/// Sends groups, and waits until the tags of their data subjects are computed too.
async fn begin(
    server: &Server,
    groups: &[Entries],
    logs: &[Arc<Log>],
    count: usize,
) -> Result<(), Failure> {
    send(server, groups, logs, count).await?;
    while server.audit.ingest().untagged_subjects() > 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    Ok(())
}

/// Sends groups that are there already, into a queue that has room for all of them.
async fn send_at_once(
    server: &Server,
    groups: Vec<Entries>,
    logs: &[Arc<Log>],
) -> Result<Sent, Failure> {
    let (started, cpu) = (Instant::now(), process_cpu());
    let answers: Vec<_> = groups
        .into_iter()
        .zip(logs.iter().cycle())
        .map(|(entries, log)| append(server, log, entries))
        .collect();
    let millis = answered(answers.into_iter()).await?;
    Ok(Sent {
        wall: started.elapsed().as_secs_f64(),
        cpu: process_cpu() - cpu,
        millis,
    })
}

type Answer = tokio::task::JoinHandle<Result<f64, crate::ingest::IngestError>>;

fn append(server: &Server, log: &Arc<Log>, entries: Entries) -> Answer {
    let append = Append {
        entries,
        key: None,
        received_at: Timestamp(1),
        quarantined: 0,
    };
    let (audit, log, started) = (server.audit.clone(), log.clone(), Instant::now());
    tokio::spawn(async move {
        let ingest = audit.ingest();
        ingest.append(&log, append, Durability::Synced).await?;
        Ok(started.elapsed().as_secs_f64() * 1e3)
    })
}

async fn answered(answers: impl Iterator<Item = Answer>) -> Result<Vec<f64>, Failure> {
    let mut millis = Vec::new();
    for answer in answers {
        millis.push(answer.await??);
    }
    millis.sort_by(f64::total_cmp);
    Ok(millis)
}

/// CPU seconds that the engine takes for a group, sent to one log whose data subjects it knows.
pub async fn cpu_a_group(groups: &[Entries], count: usize) -> Result<f64, Failure> {
    let folder = tempfile::tempdir()?;
    let config = config(folder.path(), 2)?;
    let server = Server::start(&config).await?;
    let logs = logs(&server, 1)?;
    begin(&server, groups, &logs, groups.len()).await?;
    let sent = send(&server, groups, &logs, count).await?;
    server.stop(&config).await?;
    Ok(sent.cpu / count as f64)
}

/// What a workload took, and what came of it.
struct Ran {
    sent: Sent,
    /// CPU seconds of the process until all segments were closed and indexed, behind it.
    closing: f64,
    /// Bytes of all logs.
    stored: f64,
}

/// Sends `count` groups to new logs, behind a turn of `warm_up` to make them known.
async fn append_and_close(
    kind: Kind,
    level: i32,
    groups: &[Entries],
    (warm_up, count): (usize, usize),
) -> Result<Ran, Failure> {
    let folder = tempfile::tempdir()?;
    let mut config = config(folder.path(), 2)?;
    config.ingest.compression_level = level;
    let server = Server::start(&config).await?;
    let logs = logs(&server, LOGS)?;
    begin(&server, groups, &logs, warm_up).await?;
    let mut sent = send(&server, groups, &logs, count).await?;
    let (started, before) = (Instant::now(), process_cpu());
    for log in &logs {
        server.audit.ingest().roll(log).await?;
    }
    if kind == Kind::NewSubjects {
        // Tags are computed behind the acknowledgement: a close waits for all of them.
        sent.wall += started.elapsed().as_secs_f64();
        sent.cpu += process_cpu() - before;
    }
    for log in &logs {
        server
            .wait_until_indexed(&log.name, log.head().links)
            .await?;
    }
    let closing = process_cpu() - before;
    server.stop(&config).await?;
    Ok(Ran {
        sent,
        closing,
        stored: folder_bytes(&folder.path().join("logs")) as f64,
    })
}

async fn workload(kind: Kind, level: i32, scale: f64, output: &Output) -> Result<(), Failure> {
    let count = match kind {
        Kind::Words4K => 128.0,
        Kind::NewSubjects => 16.0,
        _ => 1200.0,
    };
    let count = ((count * scale) as usize).max(4);
    // New subjects are new in every group that is sent.
    let different = match kind {
        Kind::NewSubjects => count as u64,
        _ => GROUPS,
    };
    let groups: Vec<Entries> = (0..different)
        .map(|seed| group(kind, seed, GROUP))
        .collect();
    let sampled = &groups[..groups.len().min(GROUPS as usize)];
    let before = measure(kind, sampled, level, output)?;
    let warm_up = if kind == Kind::NewSubjects { 0 } else { LOGS };
    let ran = append_and_close(kind, level, &groups, (warm_up, count)).await?;
    let sent = &ran.sent;
    let limit = before.faster(measure(kind, sampled, level, output)?);
    let bytes_of =
        |count| groups.iter().map(Entries::byte_len).sum::<usize>() * count / groups.len();
    let bytes = bytes_of(count);
    let stored = ran.stored / bytes_of(count + warm_up) as f64;
    let by_cpu = limit.cpu * count as f64 / sent.cpu;
    let mut row = Row::new(format!("core {}, zstd {level}", kind.name()))
        .figure("entries_per_s", (count * GROUP) as f64 / sent.wall)
        .figure("MB_per_s", bytes as f64 / sent.wall / 1e6)
        .figure(
            "closing_us_per_entry",
            ran.closing * 1e6 / ((count + warm_up) * GROUP) as f64,
        );
    row = match kind.of_limit() {
        Some(wanted) if level == 1 => {
            row.target("of_limit_by_cpu", by_cpu, Wanted::AtLeast(wanted))
        }
        _ => row.figure("of_limit_by_cpu", by_cpu),
    };
    row = row.figure(
        "of_limit_by_wall",
        limit.seconds(2.0) * count as f64 / sent.wall,
    );
    row = match (kind, level) {
        (Kind::Words4K, 1) => row.target("stored_per_byte", stored, Wanted::AtMost(0.11)),
        (Kind::Words4K, _) => row.target("stored_per_byte", stored, Wanted::AtMost(0.075)),
        _ => row.figure("stored_per_byte", stored),
    };
    row.figure("ack_p99_ms", sent.millis[sent.millis.len() * 99 / 100])
        .print(output);
    Ok(())
}

/// One worker against two, the queue filled beforehand; beside how two threads do the same
/// compression on their own, which is what the machine gives.
async fn scaling(scale: f64, output: &Output) -> Result<(), Failure> {
    let groups: Vec<Entries> = (0..GROUPS)
        .map(|seed| group(Kind::Words4K, seed, GROUP))
        .collect();
    let count = ((48.0 * scale) as usize).max(6);
    // The faster of two runs each: one core that is lent to somebody else would tell nothing.
    let mut runs = [(f64::MAX, f64::MAX); 2];
    for workers in [1, 2, 1, 2] {
        let folder = tempfile::tempdir()?;
        let mut config = config(folder.path(), workers)?;
        config.ingest.queue_bytes = 1 << 30;
        let server = Server::start(&config).await?;
        let logs = logs(&server, 8)?;
        let ready: Vec<_> = groups.iter().cycle().take(count).cloned().collect();
        let sent = send_at_once(&server, ready, &logs).await?;
        let (wall, cpu) = &mut runs[workers - 1];
        (*wall, *cpu) = (wall.min(sent.wall), cpu.min(sent.cpu));
        server.stop(&config).await?;
    }
    let [(wall_1, cpu_1), (wall_2, cpu_2)] = runs;
    let machine = limit::two_threads(&groups[0])?;
    Row::new("core (a) 1 worker → 2 workers")
        .target("speedup", wall_1 / wall_2, Wanted::AtLeast(1.8))
        .figure("of_two_threads_alone", machine)
        .target("cpu_growth", cpu_2 / cpu_1, Wanted::AtMost(1.05))
        .print(output);
    Ok(())
}

/// Many logs against one, each with a segment begun and its data subjects' tags computed; the same
/// with logs that are new; and the research system's own number of them, each new.
async fn destinations(scale: f64, output: &Output) -> Result<(), Failure> {
    let one = turn(Kind::Events, 1, Logs::Begun, 2.0 * scale).await?;
    let many = turn(Kind::Events, DESTINATIONS - 1, Logs::Begun, 2.0 * scale).await?;
    let new = turn(Kind::Events, DESTINATIONS - 1, Logs::New, scale).await?;
    Row::new("core (c) 1,024 logs against 1")
        .figure("entries_per_s", many)
        .target("ratio", many / one, Wanted::AtLeast(0.7))
        .figure("ratio_all_new_with_first_tags", new / one)
        .print(output);
    let first = turn(Kind::Words4K, DESTINATIONS, Logs::New, scale / 4.0).await?;
    Row::new("core (a) to 1,025 new logs in turn, with all first tags")
        .figure("entries_per_s", first)
        .print(output);
    Ok(())
}

/// How logs are when a measurement begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Logs {
    New,
    Begun,
}

/// Sends groups to logs in turn, as often as there are 1,024 of them; entries a second.
async fn turn(kind: Kind, logs_count: usize, state: Logs, turns: f64) -> Result<f64, Failure> {
    let groups: Vec<Entries> = (0..GROUPS).map(|seed| group(kind, seed, GROUP)).collect();
    let count = ((1024.0 * turns) as usize).max(64);
    let folder = tempfile::tempdir()?;
    let config = config(folder.path(), 2)?;
    let server = Server::start(&config).await?;
    let logs = logs(&server, logs_count)?;
    if state == Logs::Begun {
        begin(&server, &groups, &logs, logs_count).await?;
    }
    let sent = send(&server, &groups, &logs, count).await?;
    server.stop(&config).await?;
    Ok((count * GROUP) as f64 / sent.wall)
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
        .target("p50_us", times[times.len() / 2], Wanted::AtMost(1.0))
        .target(
            "p99_us",
            times[times.len() * 99 / 100],
            Wanted::AtMost(20.0),
        )
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
