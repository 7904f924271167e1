//! The overview: every log's state at a glance, and what needs a person.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};

use super::form::{Fields, Form};
use super::log::settings;
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::{Caller, LogView, Role, VerificationView, rights};
use crate::time::Timestamp;
use crate::web::Web;
use crate::web::auth::SignedIn;
use crate::web::client::Client;

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage {
    nav: Nav,
    form: Form,
    now: Timestamp,
    logs: Vec<LogView>,
    verified: Vec<Option<VerificationView>>,
    troubles: Vec<String>,
    is_admin: bool,
    address: String,
}

#[derive(Template)]
#[template(path = "token_start.html")]
struct StartPage {
    nav: Nav,
    role: Role,
    address: String,
}

/// The overview; for tokens that see no log, what they can do.
pub async fn view(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    client: Client,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let role = caller.role();
    let address = address(&headers, client.secure);
    if !caller.may(rights::SEE_LOGS) {
        let nav = Nav::of(&caller, "/");
        let start = StartPage { nav, role, address };
        return Ok(page(StatusCode::OK, &start));
    }
    let overview = OverviewPage::of(&web, &caller, address, Form::default()).await?;
    Ok(page(StatusCode::OK, &overview))
}

/// Makes a log.
pub async fn make_log(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    client: Client,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, PageError> {
    let name = fields.text("log").trim().to_owned();
    match web.audit.set_log(&caller, &name, &settings(&fields)).await {
        Ok(view) => Ok(Redirect::to(&format!("/logs/{}", view.log)).into_response()),
        Err(error) => {
            let form = Form::refused(fields, error)?;
            let address = address(&headers, client.secure);
            let overview = OverviewPage::of(&web, &caller, address, form).await?;
            Ok(page(StatusCode::UNPROCESSABLE_ENTITY, &overview))
        }
    }
}

impl OverviewPage {
    async fn of(
        web: &Web,
        caller: &Caller,
        address: String,
        form: Form,
    ) -> Result<Self, PageError> {
        let logs = web.audit.logs(caller).await?;
        let mut verified = Vec::with_capacity(logs.len());
        for log in &logs {
            verified.push(
                web.audit
                    .last_verification(caller, &log.log, crate::web::language::current())
                    .await?,
            );
        }
        Ok(Self {
            nav: Nav::of(caller, "/"),
            form,
            now: web.audit.now(),
            logs,
            verified,
            troubles: web.audit.health().troubles,
            is_admin: caller.may(rights::SET_LOGS),
            address,
        })
    }

    /// The last verifications that found something: id, log, verdict.
    fn findings(&self) -> Vec<(&str, &str, &str)> {
        let last = self.verified.iter().flatten();
        let found = last.filter_map(|last| Some((last, last.outcome.as_ref()?)));
        found
            .filter(|(_, outcome)| outcome.verdict != "VERIFIED")
            .map(|(last, outcome)| (&*last.id, &*last.log, &*outcome.summary))
            .collect()
    }

    /// Whether services have sent anything yet.
    fn is_new(&self) -> bool {
        let mut theirs = self.logs.iter().filter(|log| !log.log.starts_with('_'));
        theirs.all(|log| log.entries == 0)
    }
}

/// The server's address as the browser knows it, for examples.
pub fn address(headers: &HeaderMap, secure: bool) -> String {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
    let host = host.filter(|host| host.chars().all(plain));
    let scheme = if secure { "https" } else { "http" };
    format!("{scheme}://{}", host.unwrap_or("localhost"))
}
