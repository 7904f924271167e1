//! The overview: every log's state at a glance, and what needs a person.

use askama::Template;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::form::{Fields, Form, Outcome};
use super::log::settings;
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::{Caller, Overview, OverviewFilter, Role, rights};
use crate::time::Timestamp;
use crate::web::Web;
use crate::web::auth::SignedIn;
use crate::web::client::Client;
use crate::web::language;

/// Logs of a page.
const LOGS: u32 = 50;

/// Which logs are shown.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct OverviewQuery {
    name: String,
    attention: String,
    cursor: Option<String>,
}

impl OverviewQuery {
    /// Whether nothing is left out of the list.
    fn is_all(&self) -> bool {
        self.name.is_empty() && self.attention.is_empty() && self.cursor.is_none()
    }
}

/// What an auditor or an administrator sees first.
#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage {
    nav: Nav,
    form: Form,
    now: Timestamp,
    query: OverviewQuery,
    overview: Overview,
    is_admin: bool,
    address: String,
}

/// What a role that sees no log finds instead: how to use its token.
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
    Query(query): Query<OverviewQuery>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let role = caller.role();
    let address = address(&headers, client.secure);
    if !caller.may(rights::SEE_LOGS) {
        let nav = Nav::of(&caller, "/");
        let start = StartPage { nav, role, address };
        return Ok(page(StatusCode::OK, &start));
    }
    let overview = OverviewPage::of(&web, &caller, address, Form::default(), query).await?;
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
    let set = web.audit.set_log(&caller, &name, &settings(&fields)).await;
    let outcome = Outcome::of(fields, set)?;
    if let Some(view) = outcome.made {
        return Ok(Redirect::to(&format!("/logs/{}", view.log)).into_response());
    }
    let (address, query) = (address(&headers, client.secure), OverviewQuery::default());
    let overview = OverviewPage::of(&web, &caller, address, outcome.form, query).await?;
    Ok(page(outcome.status, &overview))
}

impl OverviewPage {
    async fn of(
        web: &Web,
        caller: &Caller,
        address: String,
        form: Form,
        query: OverviewQuery,
    ) -> Result<Self, PageError> {
        let filter = OverviewFilter {
            name: Some(query.name.clone()),
            attention: !query.attention.is_empty(),
            cursor: query.cursor.clone(),
            limit: Some(LOGS),
        };
        let lang = language::current();
        let overview = web.audit.overview(caller, &filter, lang).await?;
        Ok(Self {
            nav: Nav::of(caller, "/"),
            form,
            now: web.audit.now(),
            query,
            overview,
            is_admin: caller.may(rights::SET_LOGS),
            address,
        })
    }

    /// Whether somebody must do something.
    fn is_urgent(&self) -> bool {
        self.overview.attention.iter().any(|it| it.urgent)
    }

    /// Whether there is anything else to know.
    fn is_known(&self) -> bool {
        self.overview.attention.iter().any(|it| !it.urgent)
    }

    /// Whether services have sent anything yet.
    fn is_new(&self) -> bool {
        let mut logs = self.overview.logs.iter().map(|state| &state.view);
        self.query.is_all() && logs.all(|log| log.log.starts_with('_') || log.entries == 0)
    }
}

/// The server's address as the browser knows it, for examples.
pub fn address(headers: &HeaderMap, secure: bool) -> String {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    // A host is the sender's word and stands in commands that people copy, so only what can be in
    // one passes.
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
    let host = host.filter(|host| host.chars().all(plain));
    let scheme = if secure { "https" } else { "http" };
    format!("{scheme}://{}", host.unwrap_or("localhost"))
}
