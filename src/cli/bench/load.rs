//! A load on a server, from a client that does as little as HTTP/1.1 allows.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Deserialize;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::cli::Failure;

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

    /// Sends requests from `connections` connections for a while, the same ones over and over; each
    /// connection begins at another. All connections share one thread, which leaves the server the
    /// rest of the machine.
    pub async fn run(
        &self,
        connections: usize,
        requests: impl IntoIterator<Item = Vec<u8>>,
    ) -> Result<Done, Failure> {
        let requests: Arc<[Vec<u8>]> = requests.into_iter().collect();
        let load = *self;
        let sent = tokio::task::spawn_blocking(move || {
            tokio::runtime::Builder::new_current_thread()
                .enable_io()
                .build()?
                .block_on(load.send_all(connections, requests))
        });
        sent.await
            .map_err(|error| Failure::new(error.to_string()))?
    }

    async fn send_all(self, connections: usize, requests: Arc<[Vec<u8>]>) -> Result<Done, Failure> {
        let started = Instant::now();
        let until = started + self.span;
        let connections = (0..connections).map(|n| {
            let first = n * requests.len() / connections;
            tokio::spawn(connect_and_send(self, requests.clone(), first, until))
        });
        let connections: Vec<_> = connections.collect();
        let mut millis = Vec::new();
        for connection in connections {
            let sent = connection.await;
            millis.extend(sent.map_err(|error| Failure::new(error.to_string()))??);
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
    /// Several runs taken as one.
    pub fn of_all(runs: Vec<Self>) -> Self {
        let mut all = Self {
            requests: runs.iter().map(|run| run.requests).sum(),
            seconds: runs.iter().map(|run| run.seconds).sum(),
            millis: runs.into_iter().flat_map(|run| run.millis).collect(),
        };
        all.millis.sort_by(f64::total_cmp);
        all
    }

    /// Answers.
    pub fn count(&self) -> usize {
        self.requests
    }

    /// Answers a second.
    pub fn rate(&self) -> f64 {
        self.requests as f64 / self.seconds
    }

    /// What this part of the answers took at most, in milliseconds.
    pub fn millis_at(&self, part: f64) -> f64 {
        let at = (self.millis.len() as f64 * part) as usize;
        self.millis.get(at).copied().unwrap_or_default()
    }
}

async fn connect_and_send(
    load: Load,
    requests: Arc<[Vec<u8>]>,
    first: usize,
    until: Instant,
) -> Result<Vec<f64>, Failure> {
    let mut client = load.connect().await?;
    let mut millis = Vec::new();
    for request in requests.iter().cycle().skip(first) {
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

    /// Sends a request that appends, which must be taken; how many entries and links the log then
    /// has.
    pub async fn append(&mut self, request: &[u8]) -> Result<(u64, u64), Failure> {
        self.send(request).await?;
        let strange = || Failure::new("the answer is no receipt");
        let text = std::str::from_utf8(&self.buffer).map_err(|_| strange())?;
        let (_, body) = text.split_once("\r\n\r\n").ok_or_else(strange)?;
        let receipt: Receipt = serde_json::Deserializer::from_str(body)
            .into_iter()
            .next()
            .ok_or_else(strange)?
            .map_err(|_| strange())?;
        Ok((receipt.first_entry + receipt.count, receipt.link.number + 1))
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

#[derive(Deserialize)]
struct Receipt {
    first_entry: u64,
    count: u64,
    link: ReceiptLink,
}

#[derive(Deserialize)]
struct ReceiptLink {
    number: u64,
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
pub fn ndjson(seed: u64) -> Vec<u8> {
    let month =
        crate::sample::Month::new(seed, 1000, crate::time::Timestamp(1_777_887_012_000_000));
    month
        .map(|line| line + "\n")
        .collect::<String>()
        .into_bytes()
}
