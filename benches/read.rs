//! Verification of a folder, the indexer, and exports of one subject out of more and more.
//!
//! Back of the envelope: verification without keys is SHA-256 of every byte; an export opens one
//! subject index a segment and the batches that name the subject, so that ten times as many other
//! entries cost it ten times as many segments, and nothing else.

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    // `cargo bench -- --json` and `-- --quick` pass on; what cargo itself adds does not.
    let more = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    let run = Command::new(env!("CARGO_BIN_EXE_estreat"))
        .args(["bench", "read"])
        .args(more)
        .status();
    match run {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
