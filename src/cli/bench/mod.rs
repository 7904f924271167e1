//! `estreat bench`: the load generator, and what each part costs beside what the machine can do.
//!
//! Figures of one run are compared with each other, never with those of another: the machine may
//! be shared and noisy. Real fsync, real chain, fresh keys and nonces, the same files as ever.

mod core;
mod http;
mod limit;
mod search;
mod workload;

use clap::{Args, Subcommand};
use serde::Serialize;

use super::{Failure, Output};

/// Measure.
#[derive(Args)]
pub struct BenchArguments {
    #[command(subcommand)]
    what: What,
    /// Shorter runs, for a first look.
    #[arg(long, global = true)]
    quick: bool,
}

#[derive(Subcommand, Clone, Copy)]
enum What {
    /// The engine without HTTP, each workload beside the limit of its primitives.
    Core,
    /// Durable events over HTTP, beside an empty handler.
    Http,
    /// Verification, indexing and exports.
    Read,
    /// A year of a quiet log, and an export from it; takes minutes to make.
    Year,
    /// Everything but the year.
    All,
}

/// A row of figures.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// What was measured.
    pub name: String,
    /// Its figures, in order.
    pub figures: Vec<(&'static str, f64)>,
}

/// Runs the measurements.
pub async fn run(arguments: &BenchArguments, output: &Output) -> Result<(), Failure> {
    output.note(&format!(
        "{} cores; load average {}",
        std::thread::available_parallelism().map_or(0, usize::from),
        std::fs::read_to_string("/proc/loadavg")
            .unwrap_or_default()
            .trim()
    ));
    let scale = if arguments.quick { 0.1 } else { 1.0 };
    let what = arguments.what;
    if matches!(what, What::Core | What::All) {
        core::run(scale, output).await?;
    }
    if matches!(what, What::Http | What::All) {
        http::run(scale, output).await?;
    }
    if matches!(what, What::Read | What::All) {
        search::run(scale, output).await?;
    }
    if matches!(what, What::Year) {
        search::year(scale, output).await?;
    }
    Ok(())
}

impl Row {
    /// A row without figures yet.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            figures: Vec::new(),
        }
    }

    /// Adds a figure.
    pub fn figure(mut self, name: &'static str, value: f64) -> Self {
        self.figures.push((name, value));
        self
    }

    /// Prints the row.
    pub fn print(&self, output: &Output) {
        if output.json {
            let figures: serde_json::Map<_, _> = self
                .figures
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).into()))
                .collect();
            output.line(&serde_json::json!({"name": self.name, "figures": figures}).to_string());
            return;
        }
        let figures: Vec<String> = self
            .figures
            .iter()
            .map(|(name, value)| format!("{name} {}", rounded(*value)))
            .collect();
        output.line(&format!("{:<44} {}", self.name, figures.join("  ")));
    }
}

fn rounded(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if size >= 1000.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}

/// CPU seconds of the whole process so far.
fn process_cpu() -> f64 {
    seconds(rustix::time::ClockId::ProcessCPUTime)
}

/// CPU seconds of this thread so far.
fn thread_cpu() -> f64 {
    seconds(rustix::time::ClockId::ThreadCPUTime)
}

fn seconds(clock: rustix::time::ClockId) -> f64 {
    let time = rustix::time::clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
