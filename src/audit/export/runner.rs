//! Running export jobs, one at a time, on a thread of their own.

use std::collections::HashMap;
use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use futures_util::FutureExt as _;
use serde::Serialize;
use tokio::sync::{mpsc, watch};
use utoipa::ToSchema;

use super::{Job, Vault, assemble};
use crate::audit::{Audit, AuditError};
use crate::ids::JobId;
use crate::state::JobStatus;

/// How often expired exports are looked for.
const SWEEP_INTERVAL: Duration = Duration::from_secs(600);

/// How far a job is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Progress {
    /// What it does.
    pub stage: Stage,
    /// Entries passed.
    pub done: u64,
    /// Entries to pass.
    pub total: u64,
    #[serde(skip)]
    pub(super) naming_others: u64,
}

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// It waits for its turn.
    Queued,
    /// It closes active segments.
    Rolling,
    /// It reads and checks entries.
    Gathering,
    /// It writes the bundle.
    Writing,
    /// It checks the bundle.
    Verifying,
    /// It is over.
    Finished,
}

/// Takes jobs and runs them.
pub struct Runner {
    /// Unbounded, as are the rows in `state.db` that it repeats.
    queue: mpsc::UnboundedSender<JobId>,
    /// The job that runs, for whoever watches it; queued ones are not here.
    running: Mutex<HashMap<JobId, watch::Receiver<Progress>>>,
}

impl Runner {
    /// A runner, and the queue that [`run`] takes.
    pub(in crate::audit) fn new() -> (Self, mpsc::UnboundedReceiver<JobId>) {
        let (queue, jobs) = mpsc::unbounded_channel();
        (
            Self {
                queue,
                running: Mutex::default(),
            },
            jobs,
        )
    }

    /// Puts a job behind those that wait.
    pub(super) fn submit(&self, id: JobId) {
        // The queue ends with the server; the job is in state.db and begins anew.
        let _ = self.queue.send(id);
    }

    /// How far a job is, as it changes; `None` if it does not run.
    pub(super) fn progress(&self, id: JobId) -> Option<watch::Receiver<Progress>> {
        self.running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&id)
            .cloned()
    }

    /// Lets a job be watched.
    fn begin(&self, id: JobId) -> watch::Sender<Progress> {
        let (sender, receiver) = watch::channel(Progress::of(JobStatus::Running));
        self.running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id, receiver);
        sender
    }

    /// Behind the row's end in `state.db`: who finds no progress finds the outcome.
    fn end(&self, id: JobId) {
        self.running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&id);
    }
}

impl Progress {
    /// How far a job is that does not run here.
    pub(super) fn of(status: JobStatus) -> Self {
        let stage = match status {
            JobStatus::Queued | JobStatus::Running => Stage::Queued,
            JobStatus::Done | JobStatus::Failed => Stage::Finished,
        };
        Self {
            stage,
            done: 0,
            total: 0,
            naming_others: 0,
        }
    }
}

impl Job {
    /// Notes what the job does now.
    pub(super) fn stage(&self, stage: Stage) {
        self.progress.send_modify(|progress| progress.stage = stage);
    }
}

/// Runs jobs until the server is gone; begins with those that a stop has cut off.
pub(in crate::audit) fn spawn(
    audit: &Arc<Audit>,
    jobs: mpsc::UnboundedReceiver<JobId>,
) -> io::Result<()> {
    let (audit, runtime) = (Arc::downgrade(audit), tokio::runtime::Handle::current());
    let thread = std::thread::Builder::new().name("exports".into());
    thread.spawn(move || runtime.block_on(run(audit, jobs)))?;
    Ok(())
}

/// The jobs of before come first. It ends when nobody holds the use cases any more.
async fn run(audit: Weak<Audit>, mut jobs: mpsc::UnboundedReceiver<JobId>) {
    if let Some(audit) = audit.upgrade() {
        match audit.parts.state.unfinished_exports().await {
            Ok(unfinished) => unfinished
                .into_iter()
                .for_each(|id| audit.runner.submit(id)),
            Err(error) => tracing::error!("unfinished exports: {error}"),
        }
    }
    loop {
        let next = tokio::time::timeout(SWEEP_INTERVAL, jobs.recv()).await;
        let Some(audit) = audit.upgrade() else { return };
        match next {
            Ok(None) => return,
            Ok(Some(id)) => one(&audit, id).await,
            Err(_) => {}
        }
        if let Err(error) = sweep(&audit).await {
            tracing::error!("what has expired could not be removed: {error}");
        }
    }
}

/// Runs a job to its end, good or bad; a stop of the server in between leaves it as it was queued.
async fn one(audit: &Arc<Audit>, id: JobId) {
    // A panic, which none should cause, ends this export and no other.
    let done = AssertUnwindSafe(attempt(audit, id)).catch_unwind().await;
    let done = done.unwrap_or_else(|_| Err(AuditError::Internal("the export panicked".into())));
    let failure = done.as_ref().err().map(ToString::to_string);
    if let Some(failure) = &failure {
        tracing::error!("export {id}: {failure}");
        // Nobody can download what it wrote. First, for where the disk was full, state.db needs the
        // room to say so.
        if let Err(error) = Vault::remove(&audit.parts.folder, id) {
            tracing::error!("export {id}: what it wrote could not be removed: {error}");
        }
    }
    let outcome = done.map_err(|error| error.to_string());
    if let Err(error) = audit
        .parts
        .state
        .finish_export(id, audit.now(), outcome)
        .await
    {
        tracing::error!("export {id}: {error}");
    }
    audit.runner.end(id);
}

/// Makes an export; what came of it, sealed, and the bundle's hash.
async fn attempt(
    audit: &Arc<Audit>,
    id: JobId,
) -> Result<(Vec<u8>, crate::digest::Digest), AuditError> {
    let row = audit
        .parts
        .state
        .export(id)
        .await?
        .ok_or(AuditError::NotFound("thing-export"))?;
    let (vault, question) = audit.open_question(&row)?;
    audit.parts.state.start_export(id).await?;
    let progress = audit.runner.begin(id);
    let job = Job {
        audit: audit.clone(),
        vault,
        question,
        progress,
    };
    let (outcome, digest) = assemble::make(&job).await?;
    let text =
        serde_json::to_vec(&outcome).map_err(|error| AuditError::Internal(error.to_string()))?;
    Ok((job.vault.seal("outcome", &text)?, digest))
}

/// Removes the files of exports whose time is over, and forgets their keys; forgets sessions that
/// are over.
async fn sweep(audit: &Audit) -> Result<(), AuditError> {
    let (oldest, idle_since) = audit.session_bounds();
    audit.parts.state.sweep_sessions(oldest, idle_since).await?;
    for id in audit.parts.state.expired_exports(audit.now()).await? {
        // One that cannot be removed must not keep the others.
        match Vault::remove(&audit.parts.folder, id) {
            Ok(()) => audit.parts.state.forget_export(id).await?,
            Err(error) => tracing::error!("the files of export {id} are not removed: {error}"),
        }
    }
    Ok(())
}
