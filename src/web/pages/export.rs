//! One export: its question, its progress, its verdict, its downloads.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::KeyView;
use crate::audit::export::{About, Audience, ExportView, Stage};
use crate::web::Web;
use crate::web::auth::SignedIn;

#[derive(Template)]
#[template(path = "export.html")]
struct ExportPage {
    nav: Nav,
    export: ExportView,
    about: About,
    keys: Vec<KeyView>,
    /// Fingerprints, each with the names that it stands for.
    fingerprints: Vec<(String, Vec<String>)>,
}

/// An export's page.
pub async fn view(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let export = web.audit.export(&caller, &id).await?;
    let about = web.audit.export_about(&caller, &id).await?;
    let mut keys = web.audit.keys();
    keys.retain(|key| concerns(&about, &key.name));
    let export_page = ExportPage {
        nav: Nav::of(&caller, "/exports"),
        export,
        about,
        fingerprints: fingerprints(&keys),
        keys,
    };
    Ok(page(StatusCode::OK, &export_page))
}

/// Whether a key's name is the server's, or that of a log asked for.
fn concerns(about: &About, name: &str) -> bool {
    match name.rsplit_once('/') {
        Some((_, log)) => about.logs.iter().any(|asked| asked == log),
        None => true,
    }
}

/// Logs of one server share its key, so that one fingerprint stands for several names.
fn fingerprints(keys: &[KeyView]) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for key in keys {
        let name = key.name.clone();
        match all.iter_mut().find(|(print, _)| *print == key.fingerprint) {
            Some((_, names)) => names.push(name),
            None => all.push((key.fingerprint.clone(), vec![name])),
        }
    }
    all
}

impl ExportPage {
    fn is_over(&self) -> bool {
        matches!(self.export.status.as_str(), "done" | "failed")
    }

    fn stage_words(&self) -> String {
        self.nav.t.get(stage_key(self.export.progress.stage))
    }

    /// One end of the range in words; nothing if it is open.
    fn bound(&self, key: &str, at: &Option<String>) -> String {
        let bound = at.as_ref().map(|at| self.nav.t.with(key).arg("at", at));
        bound.map_or_else(String::new, |bound| format!("{bound} "))
    }

    /// What a file is for.
    fn file_words(&self, name: &str) -> String {
        file_key(name).map_or_else(String::new, |key| self.nav.t.get(key))
    }
}

/// The key of what a job does.
fn stage_key(stage: Stage) -> &'static str {
    match stage {
        Stage::Queued => "job-queued",
        Stage::Rolling => "job-rolling",
        Stage::Gathering => "job-gathering",
        Stage::Writing => "job-writing",
        Stage::Verifying => "job-verifying",
        Stage::Finished => "job-finished",
    }
}

/// The key of what a file of an export is for.
fn file_key(name: &str) -> Option<&'static str> {
    Some(match name {
        "bundle.zip" => "export-file-bundle",
        "report.html" => "export-file-html",
        "report.pdf" => "export-file-pdf",
        "entries.ndjson" => "export-file-ndjson",
        "entries.csv" => "export-file-csv",
        "masked.ndjson" => "export-file-masked",
        _ => return None,
    })
}
