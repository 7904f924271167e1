//! `estreat export`: everything about one data subject, as a bundle.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::json;

use super::client::{Client, ServerArguments};
use super::serve::SettingsArguments;
use super::server::Server;
use super::{DONE, FOUND, Failure, Output};
use crate::audit::Caller;
use crate::audit::export::{Audience, ExportRequest, ExportView};
use crate::finding::Verdict;
use crate::messages::Lang;

/// Export everything about one data subject.
#[derive(Args)]
pub struct ExportArguments {
    #[command(flatten)]
    server: ServerArguments,
    #[command(flatten)]
    settings: SettingsArguments,
    /// The data subject's id, exactly; `-` reads it from standard input, to the end of the line.
    #[arg(long)]
    subject: String,
    /// The logs; all, if not given.
    #[arg(long = "log")]
    logs: Vec<String>,
    /// Event times from this moment on, RFC 3339.
    #[arg(long)]
    from: Option<String>,
    /// Event times before this moment, RFC 3339.
    #[arg(long)]
    to: Option<String>,
    /// The time zone in which the report shows both bounds, such as Europe/Berlin.
    #[arg(long)]
    time_zone: Option<String>,
    /// The report's language, en or de.
    #[arg(long, default_value = "en")]
    language: String,
    /// What the export is for; kept in the log `_access`.
    #[arg(long)]
    purpose: String,
    /// The case it belongs to.
    #[arg(long)]
    case: Option<String>,
    /// The person's copy: entries that name anybody else are withheld, provably.
    #[arg(long)]
    for_subject: bool,
    /// Where the bundle goes.
    #[arg(short, long, default_value = "estreat-export.zip")]
    output: PathBuf,
}

impl ExportArguments {
    /// The report's language; an unknown one is refused before anything is asked for.
    fn language(&self) -> Result<Lang, Failure> {
        let unknown = || Failure::new("--language is en or de");
        Lang::parse(&self.language).ok_or_else(unknown)
    }
}

/// Exports over HTTP; or, with --data, from a stopped server's folder. The exit code is the
/// verdict's.
pub async fn run(arguments: &ExportArguments, output: &Output) -> Result<u8, Failure> {
    let subject = subject(&arguments.subject)?;
    let view = match arguments.settings.data {
        Some(_) => from_folder(arguments, subject).await?,
        None => tokio::task::block_in_place(|| over_http(arguments, &subject, output))?,
    };
    let outcome = view["outcome"].clone();
    let code = match outcome["verdict"] == Verdict::Verified.word() {
        true => DONE,
        false => FOUND,
    };
    if output.json {
        output.line(&outcome.to_string());
        return Ok(code);
    }
    output.line(outcome["summary"].as_str().unwrap_or_default());
    for finding in outcome["findings"].as_array().into_iter().flatten() {
        output.line(&format!("  {}", finding.as_str().unwrap_or_default()));
    }
    output.line(&format!("wrote {}", arguments.output.display()));
    Ok(code)
}

/// The id, without the line's end. By standard input it stands in no list of processes and in no
/// shell's history.
fn subject(argument: &str) -> Result<String, Failure> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(line.strip_suffix('\n').unwrap_or(&line).to_owned())
}

/// Asks, waits, downloads. When the command is stopped meanwhile, the export goes on and stays.
fn over_http(
    arguments: &ExportArguments,
    subject: &str,
    output: &Output,
) -> Result<serde_json::Value, Failure> {
    let client = Client::new(&arguments.server)?;
    let mut question = json!({"subject": subject, "purpose": arguments.purpose});
    let optional = [
        ("from", &arguments.from),
        ("to", &arguments.to),
        ("case", &arguments.case),
        ("time_zone", &arguments.time_zone),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            question[name] = value.as_str().into();
        }
    }
    if !arguments.logs.is_empty() {
        question["logs"] = arguments.logs.clone().into();
    }
    question["language"] = arguments.language()?.code().into();
    if arguments.for_subject {
        question["audience"] = "subject".into();
    }
    let mut view = client.post(
        "/api/v1/exports",
        "application/json",
        None,
        question.to_string().as_bytes(),
    )?;
    let path = format!(
        "/api/v1/exports/{}",
        view["id"].as_str().unwrap_or_default()
    );
    let mut said = String::new();
    while matches!(view["status"].as_str(), Some("queued" | "running")) {
        let progress = &view["progress"];
        let now = match progress["stage"].as_str() {
            Some("rolling") => {
                "closing active segments; a log is closed at most once a minute for an export"
                    .into()
            }
            stage => format!(
                "{}: {} of {} entries passed",
                stage.unwrap_or_default(),
                progress["done"],
                progress["total"]
            ),
        };
        if now != said {
            output.note(&now);
            said = now;
        }
        std::thread::sleep(Duration::from_millis(500));
        view = client.get(&path)?;
    }
    if view["status"] != "done" {
        return Err(Failure::new(
            view["failure"].as_str().unwrap_or("the export failed"),
        ));
    }
    let mut bundle = client.download(&format!("{path}/bundle.zip"))?;
    write(&arguments.output, |file| {
        io::copy(&mut bundle, file).map(drop)
    })?;
    Ok(view)
}

/// A server without a listener does it; what is done stands in `_access` all the same.
async fn from_folder(
    arguments: &ExportArguments,
    subject: String,
) -> Result<serde_json::Value, Failure> {
    let config = arguments.settings.sources()?.config()?;
    if !config.data.join("state.db").exists() {
        return Err(Failure::new(format!(
            "{} is not a data folder of this product",
            config.data.display()
        )));
    }
    let server = Server::start(&config).await?;
    let done = export_here(&server, arguments, subject).await;
    let stopped = server.stop(&config).await;
    let view = done?;
    stopped?;
    Ok(serde_json::to_value(view)?)
}

/// The caller is an account of its own, by which `_access` tells this from what people did. It ends
/// whatever comes of the export.
async fn export_here(
    server: &Server,
    arguments: &ExportArguments,
    subject: String,
) -> Result<ExportView, Failure> {
    let (caller, id) = server.local_auditor("estreat export --data").await?;
    let done = export_as(server, &caller, arguments, subject).await;
    let ended = server.end_local_auditor(id).await;
    let view = done?;
    ended?;
    Ok(view)
}

/// Asks, waits, and writes the bundle.
async fn export_as(
    server: &Server,
    caller: &Caller,
    arguments: &ExportArguments,
    subject: String,
) -> Result<ExportView, Failure> {
    let request = ExportRequest {
        logs: (!arguments.logs.is_empty()).then(|| arguments.logs.clone()),
        from: arguments.from.clone(),
        to: arguments.to.clone(),
        time_zone: arguments.time_zone.clone(),
        case: arguments.case.clone(),
        language: arguments.language()?,
        audience: if arguments.for_subject {
            Audience::Subject
        } else {
            Audience::Authority
        },
        ..ExportRequest::new(subject, arguments.purpose.clone())
    };
    server.wait_until_recovered().await;
    let mut view = server.audit.request_export(caller, &request).await?;
    while matches!(view.status.as_str(), "queued" | "running") {
        tokio::time::sleep(Duration::from_millis(20)).await;
        view = server.audit.export(caller, &view.id).await?;
    }
    if view.status != "done" {
        return Err(Failure::new(view.failure.unwrap_or_default()));
    }
    let mut download = server
        .audit
        .download(caller, &view.id, "bundle.zip")
        .await?;
    write(&arguments.output, |file| {
        loop {
            match download.next_piece()? {
                piece if piece.is_empty() => return Ok(()),
                piece => file.write_all(&piece)?,
            }
        }
    })?;
    Ok(view)
}

/// Writes the bundle, which is in the clear from here on and is its owner's alone to read, and syncs
/// it before it is said to be there. It takes its place only when it is whole; of one that fails
/// nothing is left.
fn write(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), Failure> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let whole = || {
        // Made anew: what a command that was killed has left, or somebody else has put there, keeps
        // its own mode.
        match fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let mut file = options.open(&part)?;
        fill(&mut file)?;
        file.sync_all()?;
        fs::rename(&part, path)
    };
    whole().map_err(|error| {
        let _ = fs::remove_file(&part);
        Failure::new(format!("cannot write {}: {error}", path.display()))
    })
}
