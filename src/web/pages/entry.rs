//! One entry in full: pretty beside exact, its link, its proof.
//!
//! The purpose is asked for before anything is read, by a form that stands there instead of the
//! entry: a link to an entry shows nothing by itself.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::form::{Fields, Form, Outcome};
use super::nav::Nav;
use super::pretty::pretty;
use super::{PageError, page, show};
use crate::audit::{
    AuditError, Caller, CheckStep, CheckedPart, EntryRequest, EntryView, StepVerdict, rights,
};
use crate::web::Web;
use crate::web::auth::SignedIn;

/// Bytes of an entry that a list of entries shows.
const SHOWN_BYTES: usize = 8 << 10;

/// An entry's bytes, and the same set out over lines.
pub struct Exact {
    /// Over lines.
    pub pretty: String,
    /// As they are.
    pub bytes: String,
    /// How many there are in all, if these are not all.
    pub cut_of: Option<u64>,
}

impl Exact {
    /// All bytes.
    pub fn whole(text: &str) -> Self {
        Self {
            pretty: pretty(text),
            bytes: text.to_owned(),
            cut_of: None,
        }
    }

    /// The first ones, so that a page of entries stays small.
    pub fn beginning(text: &str) -> Self {
        let end = text.floor_char_boundary(SHOWN_BYTES);
        Self {
            cut_of: (end < text.len()).then_some(text.len() as u64),
            ..Self::whole(&text[..end])
        }
    }

    /// Whether something in them is not seen.
    pub fn hides(&self) -> bool {
        show::hides(&self.bytes)
    }
}

/// Asks, and shows once it was answered: `shown` is absent until then.
#[derive(Template)]
#[template(path = "entry.html")]
struct EntryPage {
    nav: Nav,
    form: Form,
    log: String,
    index: u64,
    shown: Option<Shown>,
}

/// `exact` is absent where the entry was erased; its proof stays.
struct Shown {
    view: EntryView,
    exact: Option<Exact>,
    proof: String,
}

/// Asks what the entry is read for.
pub async fn ask(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path((log, index)): Path<(String, String)>,
) -> Result<Response, PageError> {
    caller.require(rights::READ)?;
    let log = web.audit.log_view(&caller, &log).await?;
    let entry = EntryPage::of(&caller, log.log, number(&index)?, Form::default());
    Ok(page(StatusCode::OK, &entry))
}

/// The entry.
pub async fn view(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path((log, index)): Path<(String, String)>,
    fields: Fields,
) -> Result<Response, PageError> {
    let index = number(&index)?;
    let request = request(&fields);
    let read = web.audit.entry(&caller, &log, index, &request).await;
    let outcome = Outcome::of(fields, read)?;
    let mut entry = EntryPage::of(&caller, log, index, outcome.form);
    entry.shown = outcome.made.map(Shown::of).transpose()?;
    Ok(page(outcome.status, &entry))
}

/// Checks the entry anew, and shows each step.
pub async fn check(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path((log, index)): Path<(String, String)>,
    fields: Fields,
) -> Result<Response, PageError> {
    let index = number(&index)?;
    let checked = web
        .audit
        .check_entry(&caller, &log, index, &request(&fields))
        .await;
    let outcome = Outcome::of(fields, checked)?;
    let nav = Nav::of(&caller, "/logs").back_to(format!("/logs/{log}/entries/{index}"));
    let checked = CheckPage {
        nav,
        form: outcome.form,
        log,
        index,
        steps: outcome.made.unwrap_or_default(),
        at: web.audit.now().to_string(),
    };
    Ok(page(outcome.status, &checked))
}

/// What the entry is read for, as the form says.
fn request(fields: &Fields) -> EntryRequest {
    EntryRequest {
        purpose: fields.text("purpose").to_owned(),
        case: fields.given("case"),
    }
}

/// What is no number is no entry.
fn number(text: &str) -> Result<u64, AuditError> {
    text.parse()
        .map_err(|_| AuditError::NotFound("thing-entry"))
}

impl EntryPage {
    /// The page before anything was read.
    fn of(caller: &Caller, log: String, index: u64, form: Form) -> Self {
        Self {
            nav: Nav::of(caller, "/logs"),
            form,
            log,
            index,
            shown: None,
        }
    }
}

impl Shown {
    /// The entry as it was read, and its proof as a bundle would have it.
    fn of(view: EntryView) -> Result<Self, PageError> {
        let proof = serde_json::to_string(&view.proof).map_err(|_| PageError::internal())?;
        Ok(Self {
            exact: view.bytes.as_deref().map(Exact::whole),
            proof: pretty(&proof),
            view,
        })
    }
}

/// What a check found; nothing of the entry itself.
#[derive(Template)]
#[template(path = "entry_check.html")]
struct CheckPage {
    nav: Nav,
    form: Form,
    log: String,
    index: u64,
    steps: Vec<CheckStep>,
    at: String,
}

impl CheckPage {
    /// Whether a step failed, so that the page says so at its top.
    fn fails(&self) -> bool {
        self.steps.iter().any(is_bad)
    }

    /// Whether there is nothing yet to check a step against.
    fn is_open(&self) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|step| step.verdict == StepVerdict::Open)
    }
}

/// Whether a step found something, or was not reached since one before it did.
pub fn is_bad(step: &CheckStep) -> bool {
    matches!(step.verdict, StepVerdict::Fails | StepVerdict::NotReached)
}

/// The key of what a step looks at.
pub fn part_key(step: &CheckStep) -> &'static str {
    match step.part {
        CheckedPart::Bytes => "check-bytes",
        CheckedPart::Leaf => "check-leaf",
        CheckedPart::Batch => "check-batch",
        CheckedPart::Link => "check-link",
        CheckedPart::Prefix => "check-prefix",
        CheckedPart::Newest => "check-newest",
        CheckedPart::Checkpoint => "check-checkpoint",
        CheckedPart::Signature => "check-signature",
    }
}

/// The key of how a step ended.
pub fn verdict_key(step: &CheckStep) -> &'static str {
    match step.verdict {
        StepVerdict::Holds => "check-step-holds",
        StepVerdict::Fails => "check-step-fails",
        StepVerdict::Open => "check-step-open",
        StepVerdict::NotReached => "check-step-not-reached",
    }
}
