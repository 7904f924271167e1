//! `estreat verify`: checks a bundle, a data folder, or one log's folder.
//!
//! It writes nothing and asks no server. Keys that the target itself brings prove nothing about who
//! signed: without `--key` the verdict says so.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{Failure, Output, USAGE};
use crate::bundle;
use crate::checkpoint::VerifierKey;
use crate::cores;
use crate::envelope::Kek;
use crate::finding::{Finding, Step};
use crate::ids::LogName;
use crate::keyring::{self, Keyring, read_kek_file};
use crate::store::{DataFolder, LogFolder};
use crate::verifier::{self, Secrets, check_log};

/// The steps that the check of a folder has.
const FOLDER_STEPS: [Step; 4] = [Step::Checkpoint, Step::Links, Step::Entries, Step::Subject];

/// What is checked, and with which keys.
#[derive(Args)]
pub struct VerifyArguments {
    /// BUNDLE.zip, a data folder, or a log's folder inside one
    target: PathBuf,
    /// A verifier key that you trust, from `estreat key show` or the server's keys page
    #[arg(long = "key", value_name = "VKEY", value_parser = VerifierKey::parse)]
    keys: Vec<VerifierKey>,
    /// With the KEK: also open every payload and rebuild the subject indexes (folders only)
    #[arg(long)]
    deep: bool,
    /// The KEK file, if it is not in the data folder [env: ESTREAT_KEK_FILE]
    #[arg(long, value_name = "FILE", requires = "deep")]
    kek_file: Option<PathBuf>,
}

/// Runs the check.
pub fn run(arguments: &VerifyArguments, output: &Output) -> Result<u8, Failure> {
    if arguments.target.is_dir() {
        arguments.folder(output)
    } else if arguments.deep {
        output.note("estreat: --deep is for folders: a bundle has no sealed payload");
        Ok(USAGE)
    } else {
        arguments.bundle(output)
    }
}

impl VerifyArguments {
    // ── Bundles ─────────────────────────────────────────────────────────────────────────

    /// Checks a bundle; the exit code is the verdict's.
    fn bundle(&self, output: &Output) -> Result<u8, Failure> {
        let cannot = |error: &dyn std::fmt::Display| {
            Failure::new(format!("cannot read {}: {error}", self.target.display()))
        };
        let file = File::open(&self.target).map_err(|error| cannot(&error))?;
        let report = bundle::verify(file, &self.keys).map_err(|error| cannot(&error))?;
        if output.json {
            output.line(&serde_json::to_string(&report)?);
        } else {
            self.print_bundle(&report, output);
        }
        Ok(report.exit_code())
    }

    /// The question first: a bundle that is sound may answer another one than was asked.
    fn print_bundle(&self, report: &bundle::Report, output: &Output) {
        output
            .line("This bundle says that it answers the following; compare it with your question.");
        match &report.question {
            Some(question) => print_question(question, output),
            None => output.line("  its question cannot be read"),
        }
        output.line("");
        print_steps(&Step::ALL, &report.findings, output);
        print_findings(&report.findings, report.unlisted_findings, output);
        for coverage in &report.coverage {
            output.line(&coverage.to_string());
        }
        output.line(match report.manifest_note {
            bundle::NoteState::Absent => {
                "manifest.note: none; purpose, requester, report and entries.csv are the sender's word alone"
            }
            bundle::NoteState::NotChecked => {
                "manifest.note: not checked, its key was not given; purpose, requester, report and \
                 entries.csv are the sender's word alone"
            }
            bundle::NoteState::Holds => {
                "manifest.note: signed by a given key, whose word purpose, requester, report and entries.csv are"
            }
            bundle::NoteState::Fails => "manifest.note: does not hold",
        });
        output.line("");
        output.line(&report.summary());
        print_keys("checked with", &self.keys, output);
        if self.keys.is_empty() {
            let label = "the sender says that this is a key; ask its owner for the fingerprint:";
            print_keys(label, &report.claimed_keys, output);
        }
    }

    // ── Folders ─────────────────────────────────────────────────────────────────────────

    /// Checks each log of a folder; one report for all.
    fn folder(&self, output: &Output) -> Result<u8, Failure> {
        let logs = self.logs()?;
        let secrets = self.secrets()?;
        let report = self.check(&logs, secrets.as_ref())?;
        if output.json {
            output.line(&serde_json::to_string(&report)?);
        } else {
            self.print_folder(&report, output);
        }
        Ok(report.exit_code())
    }

    /// The logs to check: each with its name, if it lies in a data folder.
    fn logs(&self) -> Result<Vec<(Option<LogName>, PathBuf)>, Failure> {
        let data = DataFolder::new(&self.target);
        if data.logs().is_dir() || data.keys().is_dir() {
            let names = data.log_names()?;
            let path = |name: LogName| (Some(name.clone()), data.logs().join(name.as_str()));
            return Ok(names.into_iter().map(path).collect());
        }
        if LogFolder::new(&self.target).is_log() {
            return Ok(vec![(None, self.target.clone())]);
        }
        Err(Failure::new(format!(
            "{} is neither a bundle, nor a data folder (with logs/), nor a log's folder (with segments/)",
            self.target.display()
        )))
    }

    /// What `--deep` opens with: the data folder's keys, or a lone KEK.
    fn secrets(&self) -> Result<Option<Keys>, Failure> {
        if !self.deep {
            return Ok(None);
        }
        let from_environment = || std::env::var_os("ESTREAT_KEK_FILE").map(PathBuf::from);
        let kek_file = self.kek_file.clone().or_else(from_environment);
        if let Some(data) = self.data_folder() {
            let options = keyring::Options {
                kek_file,
                origin: None,
            };
            let keyring = Keyring::open(&data, &options)?;
            return Ok(Some(Keys::Ring(Box::new(keyring))));
        }
        let Some(kek_file) = kek_file else {
            return Err(Failure::new(
                "--deep needs the KEK: name its file with --kek-file, or check the whole data folder",
            ));
        };
        let kek = read_kek_file(&kek_file)?;
        Ok(Some(Keys::Lone(Box::new(kek))))
    }

    /// The data folder that is checked, or that of the log that is.
    fn data_folder(&self) -> Option<DataFolder> {
        let path = self.target.canonicalize().ok()?;
        let of_log = || path.parent()?.parent();
        let has_keys = |path: &&Path| DataFolder::new(path).keys().is_dir();
        let found = Some(path.as_path()).filter(has_keys);
        found
            .or_else(|| of_log().filter(has_keys))
            .map(DataFolder::new)
    }

    /// Reads log after log; of each, segments go to all cores.
    fn check(
        &self,
        logs: &[(Option<LogName>, PathBuf)],
        secrets: Option<&Keys>,
    ) -> Result<verifier::Report, Failure> {
        let mut report = verifier::Report::default();
        for (name, path) in logs {
            let own = secrets.map_or(Vec::new(), |keys| keys.verifiers(name.as_ref(), path));
            let own_keys = self.keys.is_empty() && !own.is_empty();
            let options = verifier::Options {
                name: name.as_ref(),
                keys: if own_keys { &own } else { &self.keys },
                own_keys,
                secrets: secrets.map(Keys::secrets),
                spread: Some(&|count, piece| cores::spread(cores::all(), count, piece)),
                ..verifier::Options::default()
            };
            let checked = check_log(&LogFolder::new(path), options, &mut |_| {
                ControlFlow::Continue(())
            });
            report.add(checked.map_err(|error| {
                Failure::new(format!("cannot read {}: {error}", path.display()))
            })?);
        }
        if DataFolder::new(&self.target).logs().is_dir() {
            report.expect_logs(&self.keys);
        }
        Ok(report)
    }

    /// The report of a folder, for people.
    fn print_folder(&self, report: &verifier::Report, output: &Output) {
        for log in &report.logs {
            let origin = log.origin.as_deref().unwrap_or("of unknown origin");
            output.line(&format!("log {}: {origin}", log.log));
        }
        output.line("");
        print_steps(&FOLDER_STEPS, &report.findings, output);
        print_findings(&report.findings, report.unlisted_findings, output);
        for coverage in &report.coverage {
            output.line(&coverage.to_string());
        }
        for note in &report.notes {
            output.line(&format!("note: {}", note.text()));
        }
        output.line("");
        output.line(&report.summary());
        print_keys("checked with", &self.keys, output);
    }
}

/// The keys at hand for `--deep`. A KEK alone opens payloads, but cannot rebuild a subject index:
/// that takes the index key.
enum Keys {
    Ring(Box<Keyring>),
    Lone(Box<Kek>),
}

impl Keys {
    /// What there is to open with.
    fn secrets(&self) -> Secrets<'_> {
        match self {
            Self::Ring(ring) => Secrets {
                kek: &ring.kek,
                index: Some(&ring.index),
            },
            Self::Lone(kek) => Secrets { kek, index: None },
        }
    }

    /// The folder's own verifier key for a log.
    fn verifiers(&self, name: Option<&LogName>, path: &Path) -> Vec<VerifierKey> {
        let Self::Ring(ring) = self else {
            return Vec::new();
        };
        let folder = || {
            let path = path.canonicalize().ok()?;
            LogName::new(path.file_name()?.to_str()?).ok()
        };
        let name = name.cloned().or_else(folder);
        let key = name.and_then(|name| ring.log_verifier(&name));
        key.into_iter().collect()
    }
}

// ── Text ────────────────────────────────────────────────────────────────────────────────

/// Texts of the bundle are made printable: they are the sender's, and this is a terminal.
fn print_question(question: &bundle::Question, output: &Output) {
    let end = |time: Option<crate::time::Timestamp>, open: &str| {
        time.map_or(open.to_owned(), |time| time.to_string())
    };
    let subject = crate::finding::printable(question.subject.expose());
    output.line(&format!("  data subject  {subject}"));
    let from = end(question.from, "the beginning");
    output.line(&format!("  from          {from}"));
    let to = end(question.to, "the end");
    output.line(&format!("  to            {to}"));
    let logs = crate::finding::printable(&question.logs.join(", "));
    output.line(&format!("  logs          {logs}"));
}

/// A line a step, with the gravest of what it found.
fn print_steps(steps: &[Step], findings: &[Finding], output: &Output) {
    for step in steps {
        let of_step = || findings.iter().filter(|finding| finding.step == *step);
        let gravest = of_step().map(|finding| finding.verdict).max();
        match gravest {
            None => output.line(&format!("{step:<12}no finding")),
            Some(gravest) => output.line(&format!("{step:<12}{gravest}, {}", of_step().count())),
        }
    }
    output.line("");
}

/// Each finding with what was expected and found; the others as a number.
fn print_findings(findings: &[Finding], unlisted: u64, output: &Output) {
    for finding in findings {
        output.line(&format!(
            "{} {}: {}: {}; expected {}, found {}",
            finding.verdict,
            finding.step,
            finding.place,
            finding.what,
            finding.expected,
            finding.found
        ));
    }
    if unlisted > 0 {
        output.line(&format!("and {unlisted} findings more"));
    }
    if !findings.is_empty() {
        output.line("");
    }
}

/// Keys with the fingerprints to compare over another way.
fn print_keys(label: &str, keys: &[VerifierKey], output: &Output) {
    for key in keys {
        output.line(&format!("{label} {key}"));
        output.line(&format!("  fingerprint {}", key.fingerprint()));
    }
}
