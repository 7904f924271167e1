//! Durable events over HTTP, beside the rate at which the same server answers an empty handler. The
//! server is a process of its own, as it is for every client.
//!
//! Back of the envelope: a request costs some 20 µs of CPU on both sides together, a sync some
//! 100 to 500 µs of waiting; so one connection is bound by the sync, and 64 by the CPU.

use std::sync::{Mutex, PoisonError};

use zeroize::Zeroizing;

use super::load::{self, Done, Load, ndjson, post};
use super::running::{Running, token};
use super::workload::Kind;
use super::{Row, Wanted, limit};
use crate::cli::{Failure, Output};
use crate::cores;
use crate::envelope::{Dek, NONCE_BYTES};
use crate::event::{self, Entries, OnInvalid, Refusal, Submission};
use crate::ids::{LogId, TokenId};
use crate::sealer::{Fresh, Sealer};
use crate::time::Timestamp;

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
    let load = server.load((8.0 * scale).max(1.0));
    let empty = empty_handler(&load).await?;
    row(&empty, "http empty handler, 64 connections", 1.0).print(output);
    let mut probe = load.connect().await?;
    for connections in [1, 16, 64] {
        let before = probe
            .append(&post(&token, "bench", &load::event(1)))
            .await?;
        let done = load
            .run(connections, |n| post(&token, "bench", &load::event(n)))
            .await?;
        let after = probe
            .append(&post(&token, "bench", &load::event(1)))
            .await?;
        let name = format!("http durable, 1 event a request, {connections} conn.");
        let events_a_sync = (after.0 - before.0) as f64 / (after.1 - before.1) as f64;
        let row = row(&done, &name, 1.0).figure("events_a_sync", events_a_sync);
        let row = match connections {
            64 => {
                let empty = empty.rate().max(empty_handler(&load).await?.rate());
                row.target(
                    "of_empty_handler",
                    done.rate() / empty,
                    Wanted::AtLeast(0.5),
                )
                .target("p99_ms", done.millis_at(0.99), Wanted::AtMost(20.0))
            }
            _ => row.figure("p99_ms", done.millis_at(0.99)),
        };
        row.print(output);
    }
    many_a_request(&load, &token, output).await?;
    server.kill()
}

async fn empty_handler(load: &Load) -> Result<Done, Failure> {
    let request = |_| b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec();
    load.run(64, request).await
}

/// Measures NDJSON of 1,000 events a request.
async fn many_a_request(load: &Load, token: &str, output: &Output) -> Result<(), Failure> {
    let body = ndjson();
    let done = load
        .run(BULK_CONNECTIONS, |_| post(token, "bench", &body))
        .await?;
    let parse = parse_seconds(&body)?;
    let core = limit::measure(Kind::Events, &parse.entries, 1, output)?.cpu;
    let limit = cores::all().get() as f64 / (parse.seconds + core);
    let at_once = parse_and_seal_seconds(&body, &parse.entries)?;
    let name = format!("http durable, NDJSON of 1,000, {BULK_CONNECTIONS} conn.");
    row(&done, &name, 1000.0)
        .figure("parse_us_per_event", parse.seconds * 1e6 / 1000.0)
        .target(
            "of_parse_and_core",
            done.rate() / limit,
            Wanted::AtLeast(0.85),
        )
        .figure("of_both_on_all_cores_at_once", done.rate() * at_once)
        .figure("p99_ms", done.millis_at(0.99))
        .print(output);
    Ok(())
}

fn row(done: &Done, name: &str, events: f64) -> Row {
    Row::new(name)
        .figure("events_per_s", done.rate() * events)
        .figure("p50_ms", done.millis_at(0.5))
}

/// A body's entries, and the CPU seconds of reading them.
struct Parse {
    entries: Entries,
    seconds: f64,
}

fn read(body: &[u8]) -> Result<Submission, Refusal> {
    let context = event::Context {
        received_at: Timestamp(1),
        submitted_by: TokenId([1; 16]),
        limits: event::Limits::default(),
    };
    event::read_body(body, &context, OnInvalid::Refuse)
}

fn parse_seconds(body: &[u8]) -> Result<Parse, Failure> {
    let read = || read(body);
    let mut seconds = f64::MAX;
    for _ in 0..10 {
        let before = super::thread_cpu();
        std::hint::black_box(read().is_ok());
        seconds = seconds.min(super::thread_cpu() - before);
    }
    let entries = read()
        .map_err(|_| Failure::new("the sample is refused"))?
        .entries;
    Ok(Parse { entries, seconds })
}

/// Seconds a body that the machine takes when all cores do nothing but read bodies and seal them.
fn parse_and_seal_seconds(body: &[u8], entries: &Entries) -> Result<f64, Failure> {
    let dek = Dek::from_bytes(Zeroizing::new([9; 32]));
    let cores = cores::all().get();
    let sealers: Vec<Sealer> = (0..cores)
        .map(|_| Sealer::new(1))
        .collect::<Result<_, _>>()?;
    let sealers = Mutex::new(sealers);
    let idle = || sealers.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(limit::on_all_cores(&|_| {
        std::hint::black_box(read(body).is_ok());
        let sealer = idle().pop();
        let Some(mut sealer) = sealer else {
            return;
        };
        let fresh = Fresh {
            seed: [7; 32],
            nonce: [1; NONCE_BYTES],
        };
        let sealed = sealer.seal(&LogId([3; 16]), &dek, &fresh, entries, &[]);
        std::hint::black_box(sealed.is_ok());
        idle().push(sealer);
    }))
}
