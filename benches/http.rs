//! Durable events over HTTP, beside the same server answering an empty handler.
//!
//! Back of the envelope: one connection waits for a sync of 120 to 160 µs and a few hand-overs
//! between threads for each event, so some 3,000 a second; 64 connections share syncs, and are
//! bound by the 20 µs of CPU that each request costs on both sides.

mod run;

fn main() -> std::process::ExitCode {
    run::bench("http")
}
