//! One export: its question, its progress, its verdict, its downloads.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};

use super::form::{Fields, Form, Outcome};
use super::nav::Nav;
use super::overview::address;
use super::{PageError, page, show};
use crate::audit::export::{
    About, Audience, ExportView, LinkRequest, MadeLink, SharedLinkView, Stage,
};
use crate::audit::{AuditError, Caller, KeyView, rights};
use crate::messages::Lang;
use crate::time::Timestamp;
use crate::web::Web;
use crate::web::auth::SignedIn;
use crate::web::client::Client;

/// Neither the URL nor the title names the subject; the page does.
#[derive(Template)]
#[template(path = "export.html")]
struct ExportPage {
    nav: Nav,
    export: ExportView,
    about: About,
    keys: Vec<KeyView>,
    /// Fingerprints, each with the names that it stands for.
    fingerprints: Vec<(String, Vec<String>)>,
    /// Whether whoever looks at it may make links.
    may_share: bool,
    links: Vec<SharedLinkView>,
    form: Form,
    made: Option<MadeLink>,
    /// The server's address as the browser knows it.
    address: String,
    now: Timestamp,
}

/// What a link's form proposes: a week.
const PROPOSED_MICROS: i64 = 7 * 24 * 3600 * 1_000_000;

/// An export's page.
pub async fn view(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    client: Client,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let export = ExportPage::of(&web, &caller, &id, address(&headers, client.secure)).await?;
    Ok(page(StatusCode::OK, &export))
}

/// Makes a link, and shows its URL and its pass phrase once.
pub async fn make_link(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    client: Client,
    headers: HeaderMap,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, PageError> {
    caller.require(rights::EXPORT)?;
    let made = async {
        let request = link_request(&fields)?;
        web.audit.create_link(&caller, &id, &request).await
    };
    let made = made.await;
    let outcome = Outcome::of_new(fields, made)?;
    let mut export = ExportPage::of(&web, &caller, &id, address(&headers, client.secure)).await?;
    if outcome.form.fault().is_some() {
        export.form = outcome.form;
    }
    export.made = outcome.made;
    Ok(page(outcome.status, &export))
}

/// Ends a link.
pub async fn revoke_link(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path((id, link)): Path<(String, String)>,
) -> Result<Response, PageError> {
    web.audit.revoke_link(&caller, &id, &link).await?;
    Ok(Redirect::to(&format!("/exports/{id}")).into_response())
}

/// A link ends with a whole day, UTC; it asks for a pass phrase unless the box says otherwise.
fn link_request(fields: &Fields) -> Result<LinkRequest, AuditError> {
    let missing = || AuditError::invalid("expires", "refusal-link-day");
    Ok(LinkRequest {
        expires: fields.day_end("expires")?.ok_or_else(missing)?,
        recipient: fields.text("recipient").to_owned(),
        pass_phrase: fields.given("open").is_none(),
    })
}

/// The last day that a link's form proposes, within the export's time.
fn proposed_day(now: Timestamp, export: &ExportView) -> String {
    const DAY_MICROS: i64 = 24 * 3600 * 1_000_000;
    let end = Timestamp::parse_canonical(export.expires_at.as_bytes());
    let latest = end.map_or(now, |end| end.plus_micros(-DAY_MICROS));
    let proposed = now.plus_micros(PROPOSED_MICROS).min(latest);
    let text = proposed.to_string();
    text.get(..10).unwrap_or_default().to_owned()
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
    /// Nothing of an entry is read here, so nothing goes to `_access`: what came of the export is
    /// its counts.
    async fn of(web: &Web, caller: &Caller, id: &str, address: String) -> Result<Self, PageError> {
        let export = web.audit.export(caller, id).await?;
        let about = web.audit.export_about(caller, id).await?;
        let mut keys = web.audit.keys();
        keys.retain(|key| concerns(&about, &key.name));
        let may_share = caller.may(rights::EXPORT);
        let links = match may_share {
            true => web.audit.links(caller, id).await?,
            false => Vec::new(),
        };
        let now = web.audit.now();
        let day = proposed_day(now, &export);
        Ok(Self {
            nav: Nav::of(caller, "/exports").back_to(format!("/exports/{id}")),
            export,
            about,
            fingerprints: fingerprints(&keys),
            keys,
            may_share,
            links,
            form: Form::filled(Fields::with("expires", &day)),
            made: None,
            address,
            now,
        })
    }

    /// The key of what became of a link.
    fn link_state(&self, link: &SharedLinkView) -> &'static str {
        let end = Timestamp::parse_canonical(link.expires_at.as_bytes());
        match link {
            link if link.revoked_at.is_some() => "state-revoked",
            _ if end.is_some_and(|end| end <= self.now) => "state-expired",
            _ => "state-valid",
        }
    }

    /// Whether the page need not be asked again.
    fn is_over(&self) -> bool {
        matches!(self.export.status.as_str(), "done" | "failed")
    }

    /// What the job does, in the page's language.
    fn stage_words(&self) -> String {
        self.nav.t.get(stage_key(self.export.progress.stage))
    }

    /// One end of the range in words; nothing if it is open.
    fn bound(&self, key: &str, at: &Option<String>) -> String {
        let bound = at.as_ref().map(|at| self.nav.t.with(key).arg("at", at));
        bound.map_or_else(String::new, |bound| format!("{bound} "))
    }
}

/// The key of what a job does.
pub fn stage_key(stage: Stage) -> &'static str {
    match stage {
        Stage::Queued => "job-queued",
        Stage::Rolling => "job-rolling",
        Stage::Gathering => "job-gathering",
        Stage::Writing => "job-writing",
        Stage::Verifying => "job-verifying",
        Stage::Finished => "job-finished",
    }
}

/// What a file of an export is for.
pub fn file_words(t: Lang, name: &str) -> String {
    let key = match name {
        "bundle.zip" => "export-file-bundle",
        "report.html" => "export-file-html",
        "report.pdf" => "export-file-pdf",
        "entries.ndjson" => "export-file-ndjson",
        "entries.csv" => "export-file-csv",
        "masked.ndjson" => "export-file-masked",
        _ => return String::new(),
    };
    t.get(key)
}
