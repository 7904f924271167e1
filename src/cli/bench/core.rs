//! The engine without HTTP, beside the limit of its primitives.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::engine::{
    Sent, begin, close, config, folder_bytes, groups, indexed, logs, send, send_at_once,
};
use super::limit::{self, Limit, measure};
use super::rounds::{ROUNDS, Rounds, median};
use super::workload::{GROUP, Kind, group};
use super::{Row, Wanted, process_cpu};
use crate::cli::server::Server;
use crate::cli::{Failure, Output};
use crate::event::Entries;
use crate::ingest::{Append, Log};
use crate::time::Timestamp;

/// Logs that a workload is sent to in turn: so few that after one turn the run is where any log is
/// once it has seen most of its data subjects, and their tags are computed.
const LOGS: usize = 8;
/// Logs that the research system's producers sent to in turn.
const DESTINATIONS: usize = 1025;
/// Different groups of a workload; they are sent over and over.
const GROUPS: usize = 4;

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

/// A workload and how it is run.
struct Plan {
    kind: Kind,
    /// zstd's.
    level: i32,
    /// Groups before the rounds, so that logs and data subjects are known.
    warm_up: usize,
    /// Groups of a round.
    count: usize,
}

/// What a workload took, and what came of it.
struct Ran {
    rounds: Rounds<Sent, Limit>,
    /// CPU seconds of the process until all segments were closed and indexed, behind all rounds.
    closing: f64,
    /// Bytes of all logs.
    stored: f64,
}

impl Plan {
    fn new(kind: Kind, level: i32, scale: f64) -> Self {
        let (warm_up, count) = match kind {
            Kind::Words4K => (LOGS, 27.0),
            Kind::NewSubjects => (0, 4.0),
            _ => (LOGS, 240.0),
        };
        Self {
            kind,
            level,
            warm_up,
            // At least one of each different group.
            count: ((count * scale) as usize).max(GROUPS),
        }
    }

    /// Groups of all rounds and before them.
    fn all(&self) -> usize {
        self.warm_up + ROUNDS * self.count
    }

    /// New data subjects are new in every group that is sent.
    fn groups(&self) -> Vec<Entries> {
        let different = match self.kind {
            Kind::NewSubjects => self.all(),
            _ => GROUPS,
        };
        groups(self.kind, different)
    }

    /// Sends the groups to new logs, round by round, and closes these.
    async fn run(&self, groups: &[Entries]) -> Result<Ran, Failure> {
        let folder = tempfile::tempdir()?;
        let mut config = config(folder.path(), 2)?;
        config.ingest.compression_level = self.level;
        let server = Server::start(&config).await?;
        let logs = logs(&server, LOGS)?;
        begin(&server, groups, &logs, self.warm_up).await?;
        let parts: Vec<&[Entries]> = groups.chunks(self.count).collect();
        let rounds = Rounds::run(
            async |n| self.round(&server, parts[n % parts.len()], &logs).await,
            async || measure(self.kind, &groups[..GROUPS], self.level),
        );
        let rounds = rounds.await?;
        let before = process_cpu();
        close(&server, &logs).await?;
        indexed(&server, &logs).await?;
        let closing = process_cpu() - before;
        server.stop(&config).await?;
        Ok(Ran {
            rounds,
            closing,
            stored: folder_bytes(&folder.path().join("logs")) as f64,
        })
    }

    async fn round(
        &self,
        server: &Server,
        groups: &[Entries],
        logs: &[Arc<Log>],
    ) -> Result<Sent, Failure> {
        let mut sent = send(server, groups, logs, self.count).await?;
        if self.kind == Kind::NewSubjects {
            // Tags are computed behind the acknowledgement: a close waits for all of them.
            let (started, before) = (Instant::now(), process_cpu());
            close(server, logs).await?;
            sent.wall += started.elapsed().as_secs_f64();
            sent.cpu += process_cpu() - before;
            indexed(server, logs).await?;
        }
        Ok(sent)
    }
}

async fn workload(kind: Kind, level: i32, scale: f64, output: &Output) -> Result<(), Failure> {
    let plan = Plan::new(kind, level, scale);
    let groups = plan.groups();
    let ran = plan.run(&groups).await?;
    let count = plan.count as f64;
    let group_bytes =
        groups.iter().map(Entries::byte_len).sum::<usize>() as f64 / groups.len() as f64;
    let a_second = |of_a_group: f64| ran.rounds.median(|sent, _| of_a_group * count / sent.wall);
    let by_cpu = ran
        .rounds
        .median(|sent, limit| limit.cpu * count / sent.cpu);
    let by_wall = ran
        .rounds
        .median(|sent, limit| limit.seconds(2.0) * count / sent.wall);
    let p99 = ran
        .rounds
        .median(|sent, _| sent.millis[sent.millis.len() * 99 / 100]);
    let stored = ran.stored / (group_bytes * plan.all() as f64);
    let closing = ran.closing * 1e6 / (plan.all() * GROUP) as f64;
    let mut row = Row::new(format!("core {}, zstd {level}", kind.name()))
        .figure("entries_per_s", a_second(GROUP as f64))
        .figure("MB_per_s", a_second(group_bytes / 1e6));
    row = match kind.of_limit() {
        Some(wanted) if level == 1 => {
            row.target("of_limit_by_cpu", by_cpu, Wanted::AtLeast(wanted))
        }
        _ => row.figure("of_limit_by_cpu", by_cpu),
    };
    row = row.figure("of_limit_by_wall", by_wall);
    row = match (kind, level) {
        (Kind::Words4K, 1) => row.target("stored_per_byte", stored, Wanted::AtMost(0.11)),
        (Kind::Words4K, _) => row.target("stored_per_byte", stored, Wanted::AtMost(0.075)),
        _ => row.figure("stored_per_byte", stored),
    };
    let row = row
        .figure("ack_p99_ms", p99)
        .figure("closing_us_per_entry", closing);
    if let Some(limit) = ran.rounds.fastest() {
        limit.print(output);
    }
    row.print(output);
    Ok(())
}

/// One worker against two, the queue filled beforehand; beside how two threads do the same
/// compression on their own, which is what the machine gives.
async fn scaling(scale: f64, output: &Output) -> Result<(), Failure> {
    let groups = groups(Kind::Words4K, GROUPS);
    let count = ((32.0 * scale) as usize).max(6);
    let (mut speedups, mut growths, mut machine) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mut runs = Vec::new();
        for workers in [1, 2] {
            let folder = tempfile::tempdir()?;
            let mut config = config(folder.path(), workers)?;
            config.ingest.queue_bytes = 1 << 30;
            let server = Server::start(&config).await?;
            let logs = logs(&server, LOGS)?;
            let ready: Vec<_> = groups.iter().cycle().take(count).cloned().collect();
            runs.push(send_at_once(&server, ready, &logs).await?);
            server.stop(&config).await?;
        }
        speedups.push(runs[0].wall / runs[1].wall);
        growths.push(runs[1].cpu / runs[0].cpu);
        machine.push(limit::two_threads(&groups[0])?);
    }
    Row::new("core (a) 1 worker → 2 workers")
        .target("speedup", median(speedups), Wanted::AtLeast(1.8))
        .figure("of_two_threads_alone", median(machine))
        .target("cpu_growth", median(growths), Wanted::AtMost(1.05))
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
    let groups = groups(kind, GROUPS);
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
