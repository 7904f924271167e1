//! Durable events over HTTP, beside the same server answering an empty handler.
//!
//! Back of the envelope: one connection waits for a sync of 120 to 160 µs and a few hand-overs
//! between threads for each event, so some 3,000 a second; 64 connections share syncs, and are
//! bound by the 20 µs of CPU that each request costs on both sides.

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    // `cargo bench -- --json` and `-- --quick` pass on; what cargo itself adds does not.
    let more = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    let run = Command::new(env!("CARGO_BIN_EXE_estreat"))
        .args(["bench", "http"])
        .args(more)
        .status();
    match run {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
