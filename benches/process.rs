//! The server as a process: its memory at full ingest and idle, and its start after `kill -9`.
//!
//! Back of the envelope: 96 MiB of queue and 64 MiB of indexes bound the memory; a start reads the
//! catalog and one active segment a log, whatever the number of closed ones.

mod run;

fn main() -> std::process::ExitCode {
    run::bench("process")
}
