//! `estreat append`: sends NDJSON from a file or standard input.
//!
//! Lines go in requests of bounded size, each with an idempotency key made of its place and its
//! bytes. So sending the same file again, within a day of a break, sends nothing twice.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::time::Duration;

use clap::Args;

use super::client::{Client, Refused, ServerArguments};
use super::{Failure, Output};
use crate::digest::Digest;
use crate::limits::MAX_ENTRY_BYTES;

/// Lines of one request.
const LINES: usize = 1000;
/// Bytes of one request, unless a single line is longer.
const BYTES: usize = 4 << 20;
/// Attempts at one request before giving up, over about two minutes.
const ATTEMPTS: u32 = 12;

/// Send NDJSON, with progress, resuming by idempotency keys.
#[derive(Args)]
pub struct AppendArguments {
    #[command(flatten)]
    server: ServerArguments,
    /// The log.
    #[arg(long, default_value = "default")]
    log: String,
    /// The file; `-` or nothing: standard input.
    file: Option<String>,
}

/// Sends all lines.
pub fn run(arguments: &AppendArguments, output: &Output) -> Result<(), Failure> {
    let client = Client::new(&arguments.server)?;
    let mut input: Box<dyn BufRead> = match arguments.file.as_deref() {
        None | Some("-") => Box::new(io::stdin().lock()),
        Some(path) => {
            let file = File::open(path)
                .map_err(|error| Failure::new(format!("cannot read {path}: {error}")))?;
            Box::new(BufReader::new(file))
        }
    };
    let path = format!("/api/v1/logs/{}/entries", arguments.log);
    let mut sent = Sent::default();
    loop {
        let chunk = next_chunk(&mut *input)?;
        if chunk.lines == 0 {
            break;
        }
        if chunk.bytes.trim_ascii().is_empty() {
            sent.lines += chunk.lines;
            continue;
        }
        let key = key(&arguments.log, sent.lines, &chunk.bytes);
        let receipt =
            send(&client, &path, &key, &chunk.bytes).map_err(|refused| sent.stopped(refused))?;
        sent.entries += receipt["count"].as_u64().unwrap_or_default();
        sent.lines += chunk.lines;
        if !output.json {
            output.note(&format!("{} entries on disk", sent.entries));
        }
    }
    match output.json {
        true => output
            .line(&serde_json::json!({"log": arguments.log, "entries": sent.entries}).to_string()),
        false => output.line(&format!(
            "{} entries are on disk and chained in {}",
            sent.entries, arguments.log
        )),
    }
    Ok(())
}

/// What was acknowledged so far.
#[derive(Default)]
struct Sent {
    lines: u64,
    entries: u64,
}

impl Sent {
    /// Why it stopped, and from which line to go on: requests go one after another, so that all
    /// before it is on disk.
    fn stopped(&self, refused: Refused) -> Failure {
        let why = Failure::from(refused);
        Failure::new(format!(
            "{}\n{} entries are on disk; nothing from line {} on is. Send the same input again to go on: what is \
             there is not sent twice within a day (lines in the answer count from line {})",
            why.0,
            self.entries,
            self.lines + 1,
            self.lines + 1
        ))
    }
}

/// Whole lines, empty ones included, so that the count of lines is that of the input.
struct Chunk {
    bytes: Vec<u8>,
    lines: u64,
}

/// The next lines, without reading on: from a pipe what is there is sent.
fn next_chunk(input: &mut dyn BufRead) -> Result<Chunk, Failure> {
    let mut chunk = Chunk {
        bytes: Vec::new(),
        lines: 0,
    };
    while (chunk.lines as usize) < LINES && chunk.bytes.len() < BYTES {
        let before = chunk.bytes.len();
        let mut line = io::Read::take(&mut *input, 2 * MAX_ENTRY_BYTES as u64);
        if line.read_until(b'\n', &mut chunk.bytes)? == 0 {
            break;
        }
        chunk.lines += 1;
        if chunk.bytes.len() - before == 2 * MAX_ENTRY_BYTES {
            return Err(Failure::new(format!(
                "a line is longer than {} bytes; no entry can be",
                2 * MAX_ENTRY_BYTES
            )));
        }
    }
    Ok(chunk)
}

/// The line is in it, so that equal chunks of one input are kept each; and the bytes, so that an
/// input that was changed is not taken for what was sent before.
fn key(log: &str, line: u64, bytes: &[u8]) -> String {
    Digest::of(&[
        b"estreat append",
        log.as_bytes(),
        &line.to_be_bytes(),
        bytes,
    ])
    .to_string()
}

/// Sends a request until it is answered: what is busy, breaks or restarts is asked again.
fn send(client: &Client, path: &str, key: &str, body: &[u8]) -> Result<serde_json::Value, Refused> {
    let mut pause = Duration::from_millis(200);
    let mut attempt = 1;
    loop {
        match client.post(path, "application/x-ndjson", Some(key), body) {
            Err(refused) if matches!(refused.status, 0 | 503) && attempt < ATTEMPTS => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_secs(20));
                attempt += 1;
            }
            answer => return answer,
        }
    }
}
