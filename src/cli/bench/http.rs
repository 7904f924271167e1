//! Durable events over HTTP, from a client that does as little as HTTP/1.1 allows, beside the
//! rate at which the same server answers an empty handler.
//!
//! Back of the envelope: a request costs some 20 µs of CPU on both sides together, a sync some
//! 100 to 500 µs of waiting; so one connection is bound by the sync, and 64 by the CPU.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::core::config;
use super::{Row, limit};
use crate::cli::server::Server;
use crate::cli::{Failure, Output};
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
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let router = web::router(server.audit.clone(), web::Options::default());
    let serving = tokio::spawn(axum::serve(listener, router).into_future());
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
        let done = load.run(connections, |n| post(&token, &event(n))).await?;
        done.row(
            &format!("http durable, 1 event a request, {connections} conn."),
            1.0,
        )
        .figure("of_empty_handler", done.rate() / empty.rate())
        .print(output);
    }
    let body = ndjson();
    let parse = parse_seconds(&body);
    let done = load.run(4, |_| post(&token, &body)).await?;
    done.row("http durable, NDJSON of 1,000, 4 conn.", 1000.0)
        .figure("parse_us_per_event", parse * 1e6 / 1000.0)
        .print(output);
    serving.abort();
    server.stop(&config).await
}

struct Load {
    address: std::net::SocketAddr,
    span: Duration,
}

struct Done {
    requests: usize,
    seconds: f64,
    millis: Vec<f64>,
}

impl Load {
    /// Sends requests from `connections` connections for a while.
    async fn run(
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
                tokio::spawn(connect_and_send(self.address, requests, until))
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

    fn row(&self, name: &str, events: f64) -> Row {
        let at = |part: f64| {
            self.millis
                .get((self.millis.len() as f64 * part) as usize)
                .copied()
                .unwrap_or_default()
        };
        Row::new(name)
            .figure("events_per_s", self.rate() * events)
            .figure("p50_ms", at(0.5))
            .figure("p99_ms", at(0.99))
    }
}

async fn connect_and_send(
    address: std::net::SocketAddr,
    requests: Vec<Vec<u8>>,
    until: Instant,
) -> Result<Vec<f64>, Failure> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let mut millis = Vec::new();
    let mut buffer = vec![0; 16 << 10];
    for request in requests.iter().cycle() {
        let started = Instant::now();
        if started >= until {
            break;
        }
        stream.write_all(request).await?;
        read_answer(&mut stream, &mut buffer).await?;
        millis.push(started.elapsed().as_secs_f64() * 1e3);
    }
    Ok(millis)
}

/// Reads one answer to its end, by its Content-Length.
async fn read_answer(stream: &mut TcpStream, buffer: &mut [u8]) -> Result<(), Failure> {
    let mut filled = 0;
    loop {
        let read = stream.read(&mut buffer[filled..]).await?;
        if read == 0 {
            return Err(Failure::new("the server closed the connection"));
        }
        filled += read;
        let text = std::str::from_utf8(&buffer[..filled]).unwrap_or_default();
        let Some(head) = text.find("\r\n\r\n") else {
            continue;
        };
        let length = text[..head]
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .and_then(|length| length.parse::<usize>().ok())
            .unwrap_or_default();
        if !text.starts_with("HTTP/1.1 2") {
            return Err(Failure::new(text.lines().next().unwrap_or_default()));
        }
        if filled >= head + 4 + length {
            return Ok(());
        }
    }
}

fn post(token: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST /api/v1/logs/bench/entries HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/x-ndjson\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn event(n: usize) -> Vec<u8> {
    let line =
        crate::sample::Month::new(n as u64, 1, crate::time::Timestamp(1_777_887_012_000_000))
            .next();
    line.unwrap_or_default().into_bytes()
}

fn ndjson() -> Vec<u8> {
    let month = crate::sample::Month::new(1, 1000, crate::time::Timestamp(1_777_887_012_000_000));
    month
        .map(|line| line + "\n")
        .collect::<String>()
        .into_bytes()
}

/// CPU seconds of parsing a body.
fn parse_seconds(body: &[u8]) -> f64 {
    let context = crate::event::Context {
        received_at: crate::time::Timestamp(1),
        submitted_by: crate::ids::TokenId([1; 16]),
        limits: crate::event::Limits::default(),
    };
    let before = super::thread_cpu();
    for _ in 0..10 {
        std::hint::black_box(
            crate::event::read_body(body, &context, crate::event::OnInvalid::Refuse).is_ok(),
        );
    }
    (super::thread_cpu() - before) / 10.0
}
