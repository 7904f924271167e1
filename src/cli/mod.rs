//! The command line: one file a command; the only place where everything meets.

mod append;
mod bench;
mod client;
mod demo;
mod export;
mod inspect;
mod person;
mod serve;
mod server;
mod token;
mod verify;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Done and sound.
pub const DONE: u8 = 0;
/// Could not do it.
pub const FAILED: u8 = 1;
/// Wrong usage.
pub const USAGE: u8 = 2;
/// Verification found something.
pub const FOUND: u8 = 3;

/// A verifiable audit log for personal data.
#[derive(Parser)]
#[command(name = "estreat", version, about)]
struct Arguments {
    /// Print JSON for machines.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the server; the first start makes keys, catalog, and an admin token printed once.
    Serve(serve::ServeArguments),
    /// Run a server on a temporary folder with real-looking events and one finished export.
    Demo(demo::DemoArguments),
    /// Send NDJSON from a file or standard input.
    Append(append::AppendArguments),
    /// Export everything about one data subject as a bundle.
    Export(Box<export::ExportArguments>),
    /// Measure this machine and the program on it.
    Bench(bench::BenchArguments),
    /// Make, list and revoke tokens of a data folder.
    #[command(subcommand)]
    Token(token::TokenCommand),
    /// Let people in who sign in with a name and a password, list and remove them.
    #[command(subcommand)]
    Person(person::PersonCommand),
    /// Show the public keys that check a server's signatures.
    #[command(subcommand)]
    Key(token::KeyCommand),
    /// Check a bundle, a data folder, or one log's folder; nothing is written.
    Verify(verify::VerifyArguments),
    /// Print a segment file's header and links.
    Inspect(inspect::InspectArguments),
}

/// What a command could not do, and what to do about it.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// A failure in words.
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl<E: std::error::Error> From<E> for Failure {
    /// An error of a library, in its own words.
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// Where a command's output goes: results to standard output, notes to standard error.
pub struct Output {
    /// Whether machines read it.
    pub json: bool,
}

impl Output {
    /// A line of the result. A reader that has gone is no failure.
    pub fn line(&self, text: &str) {
        let _ = writeln!(io::stdout().lock(), "{text}");
    }

    /// A remark beside the result.
    pub fn note(&self, text: &str) {
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { USAGE } else { DONE });
        }
    };
    log_to_stderr();
    let output = Output {
        json: arguments.json,
    };
    let done = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Failure::from)
        .and_then(|runtime| {
            let done = runtime.block_on(dispatch(arguments.command, &output));
            // A stop must not wait for what blocks.
            runtime.shutdown_timeout(std::time::Duration::from_secs(1));
            done
        });
    match done {
        Ok(code) => ExitCode::from(code),
        Err(Failure(why)) => {
            output.note(&format!("estreat: {why}"));
            ExitCode::from(FAILED)
        }
    }
}

/// Runs one command; gives the exit code of one that could do its work.
async fn dispatch(command: Command, output: &Output) -> Result<u8, Failure> {
    match command {
        Command::Serve(arguments) => serve::run(&arguments, output).await?,
        Command::Demo(arguments) => demo::run(&arguments, output).await?,
        Command::Append(arguments) => {
            tokio::task::block_in_place(|| append::run(&arguments, output))?
        }
        Command::Export(arguments) => return export::run(&arguments, output).await,
        Command::Bench(arguments) => bench::run(&arguments, output).await?,
        Command::Token(command) => token::run(command, output).await?,
        Command::Person(command) => person::run(command, output).await?,
        Command::Key(command) => token::key(command, output)?,
        Command::Verify(arguments) => return verify::run(&arguments, output),
        Command::Inspect(arguments) => return inspect::run(&arguments, output),
    }
    Ok(DONE)
}

/// Lines of the log go where results do not; `ESTREAT_LOG` says which.
fn log_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("ESTREAT_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info,sqlx=warn"));
    // It writes whole paths, in which a link's secret stands; the web logs each request itself.
    let filter = match "tower_http::csrf=off".parse() {
        Ok(silent) => filter.add_directive(silent),
        Err(_) => filter,
    };
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(false);
    // Tests may have set one already.
    let _ = subscriber.try_init();
}
