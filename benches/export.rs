//! Exports of one subject out of 10,000,000 entries and out of 100,000,000.
//!
//! Back of the envelope: an export opens one subject index a segment and the batches that name the
//! subject, so that ten times as many other entries cost it ten times as many segments, at 20 ms
//! or less each, and nothing else.

mod run;

fn main() -> std::process::ExitCode {
    run::bench("export")
}
