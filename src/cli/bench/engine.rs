//! The engine, driven without HTTP: what measurements of it share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::process_cpu;
use super::workload::{GROUP, Kind, group};
use crate::cli::Failure;
use crate::cli::server::Server;
use crate::config::{Config, Sources};
use crate::event::Entries;
use crate::ids::LogName;
use crate::ingest::{Append, Durability, Log};
use crate::time::Timestamp;

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
pub async fn begin(
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
pub async fn send_at_once(
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

/// Closes the active segments of logs, so that every data subject has its tag.
pub async fn close(server: &Server, logs: &[Arc<Log>]) -> Result<(), Failure> {
    for log in logs {
        server.audit.ingest().roll(log).await?;
    }
    Ok(())
}

/// Waits until the catalog has all segments of logs, which are closed.
pub async fn indexed(server: &Server, logs: &[Arc<Log>]) -> Result<(), Failure> {
    for log in logs {
        let links = log.head().links;
        server.wait_until_indexed(&log.name, links).await?;
    }
    Ok(())
}

/// So many different groups.
pub fn groups(kind: Kind, count: usize) -> Vec<Entries> {
    (0..count as u64)
        .map(|seed| group(kind, seed, GROUP))
        .collect()
}

/// So many logs, begun if they are not there.
pub fn logs(server: &Server, count: usize) -> Result<Vec<Arc<Log>>, Failure> {
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
