//! The server as a process of its own: the memory it takes, and its start after `kill -9`.
//!
//! Back of the envelope: the queue holds 96 MiB, bodies in flight 96 MiB at worst, indexes of
//! active segments 64 MiB; a log costs some kilobytes. A start reads the catalog's newest row of
//! each log and the frames of its active segment, never its closed ones.

use std::path::Path;
use std::time::{Duration, Instant};

use super::load::{Client, event, ndjson, post};
use super::running::{Running, token};
use super::{Row, Wanted};
use crate::cli::server::Server;
use crate::cli::{Failure, Output};
use crate::ids::LogName;

/// Logs of an idle server.
const LOGS: usize = 1000;
/// Closed segments of a log that is started.
const SEGMENTS: usize = 1000;

/// Measures memory and starts.
pub async fn run(scale: f64, output: &Output) -> Result<(), Failure> {
    full_ingest(scale, output).await?;
    idle(scale, output).await?;
    restart(scale, output).await
}

async fn full_ingest(scale: f64, output: &Output) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let token = token(folder.path())?;
    let server = Running::start(folder.path())?;
    let bodies = (0..16).map(ndjson);
    let load = server.load((10.0 * scale).max(1.0));
    let requests = bodies.map(|body| post(&token, "bench", &body));
    load.run(16, requests).await?;
    let (_, most) = server.memory()?;
    server.kill()?;
    Row::new("memory at full ingest over HTTP")
        .target("MiB", most, Wanted::AtMost(300.0))
        .print(output);
    Ok(())
}

async fn idle(scale: f64, output: &Output) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let token = token(folder.path())?;
    let server = Running::start(folder.path())?;
    let logs = ((LOGS as f64 * scale) as usize).max(10);
    let mut client = server.load(0.0).connect().await?;
    for n in 0..logs {
        client
            .send(&post(&token, &format!("log{n}"), &event(n)))
            .await?;
    }
    // Checkpoints of all logs are signed within ten seconds.
    tokio::time::sleep(Duration::from_secs_f64(12.0 * scale)).await;
    let (filled, _) = server.memory()?;
    server.kill()?;
    let server = Running::start(folder.path())?;
    let mut client = server.load(0.0).connect().await?;
    for n in 0..logs {
        wait_until_taken(&mut client, &post(&token, &format!("log{n}"), &event(n))).await?;
    }
    let (restarted, _) = server.memory()?;
    server.kill()?;
    Row::new(format!("memory idle with {logs} logs"))
        .target("MiB", filled, Wanted::AtMost(128.0))
        .target("MiB_after_restart", restarted, Wanted::AtMost(128.0))
        .print(output);
    Ok(())
}

async fn restart(scale: f64, output: &Output) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let segments = ((SEGMENTS as f64 * scale) as usize).max(10);
    close_segments(folder.path(), segments).await?;
    let token = token(folder.path())?;
    let server = Running::start(folder.path())?;
    let mut client = server.load(0.0).connect().await?;
    let request = post(&token, "bench", &event(1));
    wait_until_taken(&mut client, &request).await?;
    server.kill()?;
    let started = Instant::now();
    let server = Running::start(folder.path())?;
    let listening = started.elapsed().as_secs_f64();
    let mut client = server.load(0.0).connect().await?;
    wait_until_taken(&mut client, &request).await?;
    let open = started.elapsed().as_secs_f64() - listening;
    server.kill()?;
    Row::new(format!("start after kill -9, {segments} closed segments"))
        .target("listening_s", listening, Wanted::AtMost(1.0))
        .target("recovered_s", open, Wanted::AtMost(5.0))
        .print(output);
    Ok(())
}

async fn close_segments(folder: &Path, segments: usize) -> Result<(), Failure> {
    let config = super::engine::config(folder, 2)?;
    let server = Server::start(&config).await?;
    let name = LogName::new("bench")?;
    let log = server.audit.ingest().log_or_new(&name)?;
    let one = super::workload::group(super::workload::Kind::Events, 1, 10);
    for _ in 0..segments {
        super::engine::send(
            &server,
            std::slice::from_ref(&one),
            std::slice::from_ref(&log),
            1,
        )
        .await?;
        server.audit.ingest().roll(&log).await?;
    }
    server.stop(&config).await
}

/// Sends a request until it is answered with 201: a log that is being recovered says 503.
async fn wait_until_taken(client: &mut Client, request: &[u8]) -> Result<(), Failure> {
    loop {
        match client.answer(request).await? {
            201 => return Ok(()),
            503 => tokio::time::sleep(Duration::from_millis(2)).await,
            status => return Err(Failure::new(format!("the server answers {status}"))),
        }
    }
}
