//! `estreat demo`: a server on a temporary folder with a believable month in it.

use std::time::Duration;

use bytes::Bytes;
use clap::Args;
use tokio::net::TcpListener;

use super::serve;
use super::server::Server;
use super::{Failure, Output};
use crate::audit::export::ExportRequest;
use crate::audit::{AppendRequest, Caller, Durability};
use crate::config::Sources;
use crate::event::{Encoding, OnInvalid};
use crate::sample::{Month, PROTAGONIST};
use crate::store::SystemClock;
use crate::time::{Clock as _, Timestamp};

/// Run a server with real-looking events, a login link, and one finished export.
#[derive(Args)]
pub struct DemoArguments {
    /// Address and port.
    #[arg(long, default_value = "127.0.0.1:8080")]
    listen: String,
    /// How many events.
    #[arg(long, default_value_t = 5_000)]
    events: usize,
    /// Which month: the same seed gives the same events.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// One for each service that sends events.
const LOGS: [&str; 3] = ["shop", "support", "crm"];
/// The month ends now, so that nothing in it lies in the future.
const MONTH: Duration = Duration::from_secs(30 * 24 * 3600);
/// Events of one request.
const GROUP: usize = 500;

/// Fills a temporary folder and serves it; the folder goes when the server stops.
pub async fn run(arguments: &DemoArguments, output: &Output) -> Result<(), Failure> {
    let folder = tempfile::Builder::new().prefix("estreat-demo-").tempdir()?;
    let mut sources = Sources::default();
    sources.flag("listen", Some(arguments.listen.clone()))?;
    sources.flag("data", Some(folder.path().display().to_string()))?;
    sources.flag("roll_on_request_seconds", Some("0".into()))?;
    let config = sources.config()?;
    let listener = TcpListener::bind(config.listen)
        .await
        .map_err(|error| Failure::new(format!("cannot listen on {}: {error}", config.listen)))?;
    let address = listener.local_addr()?;
    let server = Server::start(&config).await?;
    let writer = server.token("demo writer", "writer").await?;
    let auditor = server.token("demo auditor", "auditor").await?;
    fill(&server, arguments, &writer).await?;
    let caller = server.audit.authenticate(&auditor).await?;
    let export = export(&server, &caller).await?;
    output.line(&format!(
        "{} events of one month in the logs {}",
        arguments.events,
        LOGS.join(", ")
    ));
    output.line(&format!(
        "sign in:         http://{address}/signin#{auditor}"
    ));
    output.line(&format!(
        "finished export: http://{address}/exports/{export}   (everything about {PROTAGONIST})"
    ));
    output.line(&format!("writer token:    {writer}"));
    output.line(&format!("auditor token:   {auditor}"));
    if let Some(admin) = &server.first_token {
        output.line(&format!("admin token:     {admin}"));
    }
    serve::serve(server, listener, &config, output).await
}

/// Appends a month that ends now, each service's events to its log.
async fn fill(server: &Server, arguments: &DemoArguments, writer: &str) -> Result<(), Failure> {
    let caller = server.audit.authenticate(writer).await?;
    let start = Timestamp(SystemClock.now().0 - MONTH.as_micros() as i64);
    let mut bodies = LOGS.map(|log| (log, Vec::new(), 0));
    for line in Month::new(arguments.seed, arguments.events, start) {
        let (log, body, count) = &mut bodies[log_of(&line)];
        body.extend_from_slice(line.as_bytes());
        body.push(b'\n');
        *count += 1;
        if *count == GROUP {
            *count = 0;
            append(server, &caller, log, std::mem::take(body)).await?;
        }
    }
    for (log, body, count) in bodies {
        if count > 0 {
            append(server, &caller, log, body).await?;
        }
    }
    Ok(())
}

/// The place in `LOGS` of an event's log, by its source.
fn log_of(line: &str) -> usize {
    let is = |source: &str| line.contains(&format!("\"source\":\"{source}\""));
    match (is("shop") || is("billing"), is("support")) {
        (true, _) => 0,
        (_, true) => 1,
        _ => 2,
    }
}

/// Appends as a service would, and waits until all of it is on disk.
async fn append(server: &Server, caller: &Caller, log: &str, body: Vec<u8>) -> Result<(), Failure> {
    let request = AppendRequest {
        log,
        body: Bytes::from(body).into(),
        encoding: Encoding::Identity,
        key: None,
        on_invalid: OnInvalid::Refuse,
        durability: Durability::Synced,
        intake: server.audit.intake(),
    };
    server.audit.append(caller, request).await?;
    Ok(())
}

/// Makes the export that the demo shows, and waits for it.
async fn export(server: &Server, caller: &Caller) -> Result<String, Failure> {
    let request = ExportRequest {
        case: Some("2026-0042".into()),
        ..ExportRequest::new(PROTAGONIST, "request for access (GDPR Art. 15)")
    };
    let mut view = server.audit.request_export(caller, &request).await?;
    while matches!(view.status.as_str(), "queued" | "running") {
        tokio::time::sleep(Duration::from_millis(20)).await;
        view = server.audit.export(caller, &view.id).await?;
    }
    match view.failure {
        Some(why) => Err(Failure::new(why)),
        None => Ok(view.id),
    }
}
