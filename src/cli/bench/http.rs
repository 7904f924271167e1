//! Durable events over HTTP, from a client that does as little as HTTP/1.1 allows, beside the
//! rate at which the same server answers an empty handler.
//!
//! Back of the envelope: a request costs some 20 µs of CPU on both sides together, a sync some
//! 100 to 500 µs of waiting; so one connection is bound by the sync, and 64 by the CPU.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::core::config;
use super::workload::Kind;
use super::{Row, Wanted, limit};
use crate::cli::server::Server;
use crate::cli::{Failure, Output};
use crate::event::Entries;
use crate::ids::LogName;
use crate::ingest::Head;
use crate::web;

/// Measures one event a request, and NDJSON of 1,000.
pub async fn run(scale: f64, output: &Output) -> Result<(), Failure> {
    Row::new("fdatasync of 4 KiB, median")
        .figure("us", limit::sync_floor()?)
        .print(output);
    let folder = tempfile::tempdir()?;
    let config = config(folder.path(), 2)?;
    let server = Server::start(&config).await?;
    let token = server.token("bench", "writer").await?;
    let (address, serving) = serve(&server).await?;
    let load = Load {
        address,
        span: Duration::from_secs_f64((8.0 * scale).max(1.0)),
    };
    let empty = load
        .run(64, |_| {
            b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec()
        })
        .await?;
    empty
        .row("http empty handler, 64 connections", 1.0)
        .print(output);
    for connections in [1, 16, 64] {
        let before = head(&server)?;
        let done = load
            .run(connections, |n| post(&token, "bench", &event(n)))
            .await?;
        let after = head(&server)?;
        let name = format!("http durable, 1 event a request, {connections} conn.");
        let ratio = done.rate() / empty.rate();
        let events = (after.entries - before.entries) as f64;
        let row = done.row(&name, 1.0).figure(
            "events_a_sync",
            events / (after.links - before.links) as f64,
        );
        let row = match connections {
            64 => row
                .target("of_empty_handler", ratio, Wanted::AtLeast(0.5))
                .target("p99_ms", done.millis_at(0.99), Wanted::AtMost(20.0)),
            _ => row
                .figure("of_empty_handler", ratio)
                .figure("p99_ms", done.millis_at(0.99)),
        };
        row.print(output);
    }
    many_a_request(&load, &token, output).await?;
    serving.abort();
    server.stop(&config).await
}

/// The web as it is served, and its address.
async fn serve(server: &Server) -> Result<(SocketAddr, JoinHandle<()>), Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let router = web::router(server.audit.clone(), web::Options::default());
    let connections = web::Connections::default();
    let serving = tokio::spawn(web::serve(
        listener,
        None,
        router,
        connections,
        std::future::pending(),
    ));
    Ok((address, serving))
}

/// Measures NDJSON of 1,000 events a request.
async fn many_a_request(load: &Load, token: &str, output: &Output) -> Result<(), Failure> {
    let body = ndjson();
    let done = load.run(4, |_| post(token, "bench", &body)).await?;
    let parse = parse_seconds(&body)?;
    let core = limit::measure(Kind::Events, &parse.entries, 1, output)?.cpu;
    let limit = 2.0 / (parse.seconds + core);
    done.row("http durable, NDJSON of 1,000, 4 conn.", 1000.0)
        .figure("parse_us_per_event", parse.seconds * 1e6 / 1000.0)
        .target(
            "of_parse_and_core",
            done.rate() / limit,
            Wanted::AtLeast(0.85),
        )
        .figure("p99_ms", done.millis_at(0.99))
        .print(output);
    Ok(())
}

fn head(server: &Server) -> Result<Head, Failure> {
    let log = server.audit.ingest().log_or_new(&LogName::new("bench")?)?;
    Ok(log.head())
}

/// A load on a server.
#[derive(Clone, Copy)]
pub struct Load {
    /// The server.
    pub address: SocketAddr,
    /// How long to send.
    pub span: Duration,
}

/// What a load has done.
pub struct Done {
    requests: usize,
    seconds: f64,
    millis: Vec<f64>,
}

impl Load {
    /// Connects.
    pub async fn connect(&self) -> Result<Client, Failure> {
        let stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        Ok(Client {
            stream,
            buffer: vec![0; 16 << 10],
        })
    }

    /// Sends requests from `connections` connections for a while.
    pub async fn run(
        &self,
        connections: usize,
        request: impl Fn(usize) -> Vec<u8>,
    ) -> Result<Done, Failure> {
        let started = Instant::now();
        let until = started + self.span;
        let tasks: Vec<_> = (0..connections)
            .map(|connection| {
                let requests: Vec<Vec<u8>> =
                    (0..16).map(|n| request(connection * 16 + n)).collect();
                tokio::spawn(connect_and_send(*self, requests, until))
            })
            .collect();
        let mut millis = Vec::new();
        for task in tasks {
            millis.extend(
                task.await
                    .map_err(|error| Failure::new(error.to_string()))??,
            );
        }
        millis.sort_by(f64::total_cmp);
        Ok(Done {
            requests: millis.len(),
            seconds: started.elapsed().as_secs_f64(),
            millis,
        })
    }
}

impl Done {
    fn rate(&self) -> f64 {
        self.requests as f64 / self.seconds
    }

    /// What this part of the answers took at most, in milliseconds.
    fn millis_at(&self, part: f64) -> f64 {
        let at = (self.millis.len() as f64 * part) as usize;
        self.millis.get(at).copied().unwrap_or_default()
    }

    fn row(&self, name: &str, events: f64) -> Row {
        Row::new(name)
            .figure("events_per_s", self.rate() * events)
            .figure("p50_ms", self.millis_at(0.5))
    }
}

async fn connect_and_send(
    load: Load,
    requests: Vec<Vec<u8>>,
    until: Instant,
) -> Result<Vec<f64>, Failure> {
    let mut client = load.connect().await?;
    let mut millis = Vec::new();
    for request in requests.iter().cycle() {
        let started = Instant::now();
        if started >= until {
            break;
        }
        client.send(request).await?;
        millis.push(started.elapsed().as_secs_f64() * 1e3);
    }
    Ok(millis)
}

/// A connection of a client that does as little as HTTP/1.1 allows.
pub struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    /// Sends a request, which must be answered with a success.
    pub async fn send(&mut self, request: &[u8]) -> Result<(), Failure> {
        match self.answer(request).await? {
            200..300 => Ok(()),
            status => Err(Failure::new(format!("the server answers {status}"))),
        }
    }

    /// Sends a request; the answer's status.
    pub async fn answer(&mut self, request: &[u8]) -> Result<u16, Failure> {
        self.stream.write_all(request).await?;
        let mut filled = 0;
        loop {
            let read = self.stream.read(&mut self.buffer[filled..]).await?;
            if read == 0 {
                return Err(Failure::new("the server closed the connection"));
            }
            filled += read;
            if let Some(status) = whole_answer(&self.buffer[..filled]) {
                return Ok(status);
            }
        }
    }
}

/// The status of an answer that has arrived to its end, by its Content-Length.
fn whole_answer(bytes: &[u8]) -> Option<u16> {
    let text = std::str::from_utf8(bytes).ok()?;
    let head = text.find("\r\n\r\n")?;
    let length = text[..head]
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .and_then(|length| length.parse::<usize>().ok())
        .unwrap_or_default();
    let status = text.strip_prefix("HTTP/1.1 ")?.get(..3)?;
    (text.len() >= head + 4 + length).then(|| status.parse().unwrap_or_default())
}

/// A request that appends a body.
pub fn post(token: &str, log: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST /api/v1/logs/{log}/entries HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/x-ndjson\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// One event as a body.
pub fn event(n: usize) -> Vec<u8> {
    let line =
        crate::sample::Month::new(n as u64, 1, crate::time::Timestamp(1_777_887_012_000_000))
            .next();
    line.unwrap_or_default().into_bytes()
}

/// A thousand events as a body.
pub fn ndjson() -> Vec<u8> {
    let month = crate::sample::Month::new(1, 1000, crate::time::Timestamp(1_777_887_012_000_000));
    month
        .map(|line| line + "\n")
        .collect::<String>()
        .into_bytes()
}

/// A body's entries, and the CPU seconds of reading them.
struct Parse {
    entries: Entries,
    seconds: f64,
}

fn parse_seconds(body: &[u8]) -> Result<Parse, Failure> {
    let context = crate::event::Context {
        received_at: crate::time::Timestamp(1),
        submitted_by: crate::ids::TokenId([1; 16]),
        limits: crate::event::Limits::default(),
    };
    let read = || crate::event::read_body(body, &context, crate::event::OnInvalid::Refuse);
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
