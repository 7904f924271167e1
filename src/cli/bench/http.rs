//! Durable events over HTTP, beside the rate at which the same server answers an empty handler. The
//! server is a process of its own, as it is for every client.
//!
//! Back of the envelope: a request costs some 20 µs of CPU on both sides together, a sync some
//! 100 to 500 µs of waiting; so one connection is bound by the sync, and 64 by the CPU.

use super::engine::cpu_a_group;
use super::load::{self, Done, Load, post};
use super::rounds::{Calibration, ROUNDS, Rounds, median};
use super::running::{Running, token};
use super::workload::{Kind, read};
use super::{Row, Wanted, limit};
use crate::cli::{Failure, Output};
use crate::cores;
use crate::event::{Entries, Refusal};

/// Connections that send 1,000 events a request: enough that the cores need not wait for the disk.
const BULK_CONNECTIONS: usize = 16;

/// Measures one event a request, and NDJSON of 1,000.
pub async fn run(scale: f64, output: &Output) -> Result<(), Failure> {
    Row::new("fdatasync of 4 KiB, median")
        .figure("us", limit::sync_floor()?)
        .print(output);
    let folder = tempfile::tempdir()?;
    let token = token(folder.path())?;
    let server = Running::start(folder.path())?;
    for connections in [1, 16] {
        let load = server.load((8.0 * scale).max(1.0));
        let (done, events_a_sync) = one_a_request(&load, &token, connections).await?;
        one_a_request_row(&done, connections, events_a_sync)
            .figure("p99_ms", done.millis_at(0.99))
            .print(output);
    }
    beside_empty_handler(&server.load((2.0 * scale).max(1.0)), &token, output).await?;
    let load = server.load((2.0 * scale).max(1.0));
    many_a_request(&server, &load, &token, scale, output).await?;
    server.kill()
}

/// One event a request, in turn with requests that an empty handler answers: what the machine does
/// beside it then falls on both.
async fn beside_empty_handler(load: &Load, token: &str, output: &Output) -> Result<(), Failure> {
    const CONNECTIONS: usize = 64;
    let (mut empty, mut durable, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let mut events_a_sync = 0.0;
    for _ in 0..ROUNDS {
        let nothing = empty_handler(load, CONNECTIONS).await?;
        let (done, events) = one_a_request(load, token, CONNECTIONS).await?;
        events_a_sync += events / ROUNDS as f64;
        ratios.push(done.rate() / nothing.rate());
        empty.push(nothing);
        durable.push(done);
    }
    let (empty, done) = (Done::of_all(empty), Done::of_all(durable));
    row(&empty, "http empty handler, 64 connections").print(output);
    one_a_request_row(&done, CONNECTIONS, events_a_sync)
        .target("of_empty_handler", median(ratios), Wanted::AtLeast(0.5))
        .target("p99_ms", done.millis_at(0.99), Wanted::AtMost(20.0))
        .print(output);
    Ok(())
}

/// One event a request; and how many then shared a sync.
async fn one_a_request(
    load: &Load,
    token: &str,
    connections: usize,
) -> Result<(Done, f64), Failure> {
    let request = |n| post(token, "bench", &load::event(n));
    let mut probe = load.connect().await?;
    let before = probe.append(&request(1)).await?;
    let done = load.run(connections, (0..1024).map(request)).await?;
    let after = probe.append(&request(1)).await?;
    Ok((
        done,
        (after.0 - before.0) as f64 / (after.1 - before.1) as f64,
    ))
}

fn one_a_request_row(done: &Done, connections: usize, events_a_sync: f64) -> Row {
    let name = format!("http durable, 1 event a request, {connections} conn.");
    row(done, &name).figure("events_a_sync", events_a_sync)
}

async fn empty_handler(load: &Load, connections: usize) -> Result<Done, Failure> {
    let request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec();
    load.run(connections, [request]).await
}

/// Measures NDJSON of 1,000 events a request, of as many different bodies as there are connections.
async fn many_a_request(
    server: &Running,
    load: &Load,
    token: &str,
    scale: f64,
    output: &Output,
) -> Result<(), Failure> {
    let bodies: Vec<Vec<u8>> = (0..BULK_CONNECTIONS as u64).map(load::ndjson).collect();
    let requests = || bodies.iter().map(|body| post(token, "bench", body));
    // Data subjects are new once: their tags are no part of what follows.
    let mut first = load.connect().await?;
    for request in requests() {
        first.send(&request).await?;
    }
    let round = async |_| {
        let before = server.cpu()?;
        let done = load.run(BULK_CONNECTIONS, requests()).await?;
        let cpu = (server.cpu()? - before) / done.count() as f64;
        Ok(Bulk { cpu, done })
    };
    let rounds = Rounds::run(round, async || Alone::measure(&bodies, scale).await);
    let rounds = rounds.await?;
    let micros = |value: fn(&Bulk, &Alone) -> f64| rounds.median(value) * 1e6 / 1000.0;
    let cores = cores::all().get() as f64;
    let row = Row::new(format!(
        "http durable, NDJSON of 1,000, {BULK_CONNECTIONS} conn."
    ))
    .figure(
        "events_per_s",
        rounds.median(|bulk, _| bulk.done.rate() * 1000.0),
    )
    .figure("server_cpu_us_per_event", micros(|bulk, _| bulk.cpu))
    .figure("parse_us", micros(|_, alone| alone.parse))
    .figure("core_us", micros(|_, alone| alone.core))
    .figure("primitives_us", micros(|_, alone| alone.primitives))
    .target(
        "of_parse_and_core_by_cpu",
        rounds.median(|bulk, alone| alone.cpu() / bulk.cpu),
        Wanted::AtLeast(0.85),
    )
    .figure(
        "of_parse_and_core_by_wall",
        rounds.median(|bulk, alone| alone.cpu() * bulk.done.rate() / cores),
    )
    .figure(
        "of_parse_and_primitives_by_cpu",
        rounds.median(|bulk, alone| (alone.parse + alone.primitives) / bulk.cpu),
    );
    let rounds = rounds.into_rounds().into_iter();
    let done = Done::of_all(rounds.map(|bulk| bulk.done).collect());
    row.figure("p50_ms", done.millis_at(0.5))
        .figure("p99_ms", done.millis_at(0.99))
        .print(output);
    Ok(())
}

/// A round of bodies.
struct Bulk {
    /// CPU seconds of the server for one.
    cpu: f64,
    done: Done,
}

/// CPU seconds that a body's parts take without HTTP.
struct Alone {
    /// Reading it.
    parse: f64,
    /// The engine, given what was read: queue, sealing, chain, sync, index and all.
    core: f64,
    /// Of these the primitives, each alone.
    primitives: f64,
}

impl Alone {
    async fn measure(bodies: &[Vec<u8>], scale: f64) -> Result<Self, Failure> {
        let groups = (1000.0 * scale) as usize;
        let entries: Vec<Entries> = bodies
            .iter()
            .map(|body| Ok(read(body)?.entries))
            .collect::<Result<_, Refusal>>()
            .map_err(|_| Failure::new("the sample is refused"))?;
        let parse = limit::each(bodies, |body| {
            std::hint::black_box(read(body).is_ok());
        });
        Ok(Self {
            parse,
            core: cpu_a_group(&entries, groups).await?,
            primitives: limit::measure(Kind::Events, &entries, 1)?.cpu,
        })
    }
}

impl Calibration for Alone {
    fn cpu(&self) -> f64 {
        self.parse + self.core
    }
}

fn row(done: &Done, name: &str) -> Row {
    Row::new(name)
        .figure("events_per_s", done.rate())
        .figure("p50_ms", done.millis_at(0.5))
}
