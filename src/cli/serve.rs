//! `estreat serve`: the server.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use tokio::net::TcpListener;

use super::server::Server;
use super::{Failure, Output};
use crate::config::{Config, Sources};
use crate::web::{self, Tls};

/// Run the server.
#[derive(Args)]
pub struct ServeArguments {
    #[command(flatten)]
    common: SettingsArguments,
    /// Address and port.
    #[arg(long)]
    listen: Option<String>,
}

/// Where settings come from.
#[derive(Args, Default)]
pub struct SettingsArguments {
    /// The data folder.
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// The settings' file, TOML.
    #[arg(long)]
    pub config: Option<PathBuf>,
    /// The KEK's file, if not in the data folder.
    #[arg(long)]
    pub kek_file: Option<PathBuf>,
}

impl SettingsArguments {
    /// Settings of file, environment and flags.
    pub fn sources(&self) -> Result<Sources, Failure> {
        let mut sources = Sources::default();
        if let Some(path) = &self.config {
            sources.file(path)?;
        }
        sources.environment(std::env::vars())?;
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        sources.flag("data", path(&self.data))?;
        sources.flag("kek_file", path(&self.kek_file))?;
        Ok(sources)
    }
}

/// Runs the server until it is told to stop.
pub async fn run(arguments: &ServeArguments, output: &Output) -> Result<(), Failure> {
    let mut sources = arguments.common.sources()?;
    sources.flag("listen", arguments.listen.clone())?;
    let config = sources.config()?;
    check_listen(&config)?;
    // Wrong files are said before anything is made.
    open_tls(&config)?;
    output.note(&format!("settings in force:\n{}", config.effective()));
    let listener = TcpListener::bind(config.listen)
        .await
        .map_err(|error| Failure::new(format!("cannot listen on {}: {error}", config.listen)))?;
    let server = Server::start(&config).await?;
    if server.kek_beside_data {
        output.note(
            "warning: the KEK rests in the data folder beside what it protects; whoever copies the folder \
             can open it. Move keys/kek elsewhere and name its place with --kek-file or ESTREAT_KEK_FILE, \
             and keep a copy: without it the sealed entries are lost",
        );
    }
    if let Some(token) = &server.first_token {
        output.line(&format!(
            "admin token (shown once, lasts 24 hours): {token}"
        ));
    }
    serve(server, listener, &config, output).await
}

/// Answers requests until a signal comes; then stops in order.
pub async fn serve(
    server: Server,
    listener: TcpListener,
    config: &Config,
    output: &Output,
) -> Result<(), Failure> {
    let address: SocketAddr = listener.local_addr()?;
    let tls = open_tls(config)?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    let router = web::router(server.audit.clone(), config.web.clone());
    output.line(&format!("listening on {scheme}://{address}"));
    if let Some(tls) = &tls {
        tokio::spawn(reload_on_hangup(tls.clone()));
    }
    // Told twice: the listener stops taking, and this function begins to count its patience.
    let (closing, closed) = tokio::sync::oneshot::channel::<()>();
    let graceful = async move {
        stop_signal().await;
        let _ = closing.send(());
    };
    let connections = config.connections.clone();
    let serving = tokio::spawn(web::serve(listener, tls, router, connections, graceful));
    let _ = closed.await;
    output.note("stopping: finishing what was accepted");
    // Streams of progress may stay open for ever; requests that write do not.
    let _ = tokio::time::timeout(CONNECTIONS_PATIENCE, serving).await;
    server.stop(config).await?;
    output.note("stopped");
    Ok(())
}

/// The certificate and its key, if there are any.
fn open_tls(config: &Config) -> Result<Option<Tls>, Failure> {
    let files = config.tls.as_ref();
    let tls = files.map(|(certificates, key)| Tls::open(certificates, key));
    Ok(tls.transpose()?)
}

/// Reads the certificate and its key again at each SIGHUP, so that a new one needs no restart.
async fn reload_on_hangup(tls: Tls) {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut hangup) = signal(SignalKind::hangup()) else {
        return;
    };
    while hangup.recv().await.is_some() {
        match tls.reload() {
            Ok(()) => tracing::info!("the certificate was read again"),
            Err(error) => tracing::error!("the certificate stays as it was: {error}"),
        }
    }
}

/// How long open connections may take to finish after the signal.
const CONNECTIONS_PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

/// Ctrl-C or SIGTERM. A second one finds the system's own handling no more: a stop is bounded
/// instead.
async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let terminate = async {
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminate => {}
    }
}

/// Secrets do not cross a network in the clear by accident.
fn check_listen(config: &Config) -> Result<(), Failure> {
    if config.listen.ip().is_loopback() || config.tls.is_some() || config.allow_plain_http {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} is not on this machine, and tokens and personal data would cross the network in the clear. Set \
         tls_cert_file and tls_key_file, put a proxy with TLS before the server, or set allow_plain_http = true \
         if the network itself is protected",
        config.listen
    )))
}
