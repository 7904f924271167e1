//! `estreat bench`: the load generator, and what each part costs beside what the machine can do.
//!
//! Figures of one run are compared with each other, never with those of another: the machine may
//! be shared and noisy. Real fsync, real chain, fresh keys and nonces, the same files as ever.

mod core;
mod engine;
mod export;
mod http;
mod limit;
mod load;
mod process;
mod rounds;
mod running;
mod verify;
mod workload;

use std::time::Instant;

use clap::{Args, Subcommand};

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
    /// Verification and indexing, beside their primitives on all cores.
    Verify,
    /// Exports of one subject out of 10,000,000 entries and out of 100,000,000.
    Export,
    /// The server as a process: its memory, and its start after `kill -9`.
    Process,
    /// A year of a quiet log, and an export from it; takes minutes to make.
    Year,
    /// Everything but the year, in less than ten minutes.
    All,
}

/// A row of figures.
#[derive(Debug)]
pub(super) struct Row {
    name: String,
    figures: Vec<Figure>,
}

#[derive(Debug)]
struct Figure {
    name: &'static str,
    value: f64,
    wanted: Option<Wanted>,
}

/// What a figure should be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wanted {
    /// This much or more.
    AtLeast(f64),
    /// This much or less.
    AtMost(f64),
}

/// Runs the measurements.
pub async fn run(arguments: &BenchArguments, output: &Output) -> Result<(), Failure> {
    let mut machine = Machine::new();
    let scale = if arguments.quick { 0.1 } else { 1.0 };
    let what = arguments.what;
    if matches!(what, What::Core | What::All) {
        machine.settle(output);
        core::run(scale, output).await?;
    }
    if matches!(what, What::Http | What::All) {
        machine.settle(output);
        http::run(scale, output).await?;
    }
    if matches!(what, What::Verify | What::All) {
        machine.settle(output);
        verify::run(scale, output).await?;
    }
    if matches!(what, What::Export | What::All) {
        machine.settle(output);
        export::run(scale, output).await?;
    }
    if matches!(what, What::Process | What::All) {
        machine.settle(output);
        process::run(scale, output).await?;
    }
    if matches!(what, What::Year) {
        machine.settle(output);
        export::year(scale, output).await?;
    }
    machine.settle(output);
    Ok(())
}

/// What else the machine is doing.
struct Machine {
    since: Instant,
    /// CPU seconds that its host has given to others so far.
    stolen: f64,
}

impl Machine {
    fn new() -> Self {
        Self {
            since: Instant::now(),
            stolen: stolen_cpu(),
        }
    }

    /// Prints how busy it is, and which part of its cores others had since this was last printed;
    /// what was written before is on disk then, and in nobody's way.
    fn settle(&mut self, output: &Output) {
        rustix::fs::sync();
        let cores = crate::cores::all().get() as f64;
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load = load.split(' ').next().and_then(|text| text.parse().ok());
        let now = Self::new();
        let seconds = now.since.duration_since(self.since).as_secs_f64();
        let stolen = (now.stolen - self.stolen) / (seconds * cores).max(0.1);
        *self = now;
        Row::new("machine")
            .figure("cores", cores)
            .figure("load_average_1_minute", load.unwrap_or_default())
            .figure("stolen_since", stolen)
            .print(output);
    }
}

/// CPU seconds that a virtual machine was ready to run and was not let: proc(5), "steal".
fn stolen_cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let stolen = stat.split_whitespace().nth(8);
    stolen
        .and_then(|text| text.parse::<f64>().ok())
        .unwrap_or_default()
        / running::TICKS_A_SECOND
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
        self.figures.push(Figure {
            name,
            value,
            wanted: None,
        });
        self
    }

    /// Adds a figure that has a target.
    pub fn target(mut self, name: &'static str, value: f64, wanted: Wanted) -> Self {
        self.figures.push(Figure {
            name,
            value,
            wanted: Some(wanted),
        });
        self
    }

    /// Prints the row.
    pub fn print(&self, output: &Output) {
        if output.json {
            output.line(&self.json().to_string());
            return;
        }
        let figures: Vec<String> = self.figures.iter().map(Figure::words).collect();
        output.line(&format!("{:<44} {}", self.name, figures.join("  ")));
    }

    fn json(&self) -> serde_json::Value {
        let figures = self.figures.iter();
        let values = figures
            .clone()
            .map(|figure| (figure.name.to_owned(), figure.value.into()));
        let wanted = figures.filter_map(|figure| {
            let wanted = match figure.wanted? {
                Wanted::AtLeast(bound) => serde_json::json!({"at_least": bound}),
                Wanted::AtMost(bound) => serde_json::json!({"at_most": bound}),
            };
            Some((figure.name.to_owned(), wanted))
        });
        serde_json::json!({
            "name": self.name,
            "figures": values.collect::<serde_json::Map<_, _>>(),
            "wanted": wanted.collect::<serde_json::Map<_, _>>(),
        })
    }
}

impl Figure {
    fn words(&self) -> String {
        let value = format!("{} {}", self.name, rounded(self.value));
        match self.wanted {
            None => value,
            Some(Wanted::AtLeast(bound)) => format!("{value} (wanted ≥ {})", rounded(bound)),
            Some(Wanted::AtMost(bound)) => format!("{value} (wanted ≤ {})", rounded(bound)),
        }
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
