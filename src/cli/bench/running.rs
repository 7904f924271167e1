//! The server as a process of its own.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use super::load::Load;
use crate::cli::Failure;

/// A server that runs beside this process.
pub struct Running {
    child: Child,
    address: std::net::SocketAddr,
    /// Kept open: what the server says must not fail.
    _stdout: BufReader<ChildStdout>,
}

impl Running {
    /// Starts it on a folder, and waits until it listens.
    pub fn start(folder: &Path) -> Result<Self, Failure> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let stdout = child.stdout.take();
        let stdout = stdout.ok_or_else(|| Failure::new("no standard output"))?;
        let mut stdout = BufReader::new(stdout);
        loop {
            let mut line = String::new();
            if stdout.read_line(&mut line)? == 0 {
                return Err(Failure::new("the server did not start"));
            }
            if let Some((_, address)) = line.trim().split_once("listening on http://") {
                let address = address.parse()?;
                return Ok(Self {
                    child,
                    address,
                    _stdout: stdout,
                });
            }
        }
    }

    /// Megabytes of memory: now, and at most.
    pub fn memory(&self) -> Result<(f64, f64), Failure> {
        let mut status = String::new();
        let path = format!("/proc/{}/status", self.child.id());
        std::fs::File::open(path)?.read_to_string(&mut status)?;
        let megabytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next());
            number
                .and_then(|text| text.parse::<f64>().ok())
                .unwrap_or_default()
                / 1024.0
        };
        Ok((megabytes("VmRSS:"), megabytes("VmHWM:")))
    }

    /// CPU seconds of all its threads so far, in the kernel and outside, to a hundredth.
    pub fn cpu(&self) -> Result<f64, Failure> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // Behind the name, which may hold anything: proc(5), fields 14 and 15 count from the pid.
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let ticks = fields.split_whitespace().skip(11).take(2);
        let ticks: f64 = ticks.filter_map(|field| field.parse::<f64>().ok()).sum();
        Ok(ticks / TICKS_A_SECOND)
    }

    /// A load on it that lasts so many seconds.
    pub fn load(&self, span: f64) -> Load {
        Load {
            address: self.address,
            span: Duration::from_secs_f64(span),
        }
    }

    /// As `kill -9`.
    pub fn kill(mut self) -> Result<(), Failure> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

/// A writer's token for the server of a folder.
pub fn token(folder: &Path) -> Result<String, Failure> {
    let made = Command::new(std::env::current_exe()?)
        .args([
            "token", "create", "--role", "writer", "--name", "bench", "--data",
        ])
        .arg(folder)
        .output()?;
    Ok(String::from_utf8_lossy(&made.stdout).trim().to_owned())
}

/// What `/proc` counts CPU time in, on every Linux.
pub const TICKS_A_SECOND: f64 = 100.0;
