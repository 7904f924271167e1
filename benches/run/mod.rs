//! What every bench does: the binary's own measurement, so that `cargo bench` and `estreat bench`
//! cannot differ.

use std::process::{Command, ExitCode};

/// Runs `estreat bench` with this word.
pub fn bench(what: &str) -> ExitCode {
    // `cargo bench -- --json` and `-- --quick` pass on; what cargo itself adds does not.
    let more = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    let run = Command::new(env!("CARGO_BIN_EXE_estreat"))
        .args(["bench", what])
        .args(more)
        .status();
    match run {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
