//! One's own account: what it may do, its password, its sessions.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::form::{Fields, Form, Outcome};
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::{AuditError, Caller, TokenView};
use crate::limits::MIN_PASSWORD_CHARACTERS;
use crate::web::Web;
use crate::web::auth::{SESSION, SignedIn};
use crate::web::client::Client;

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    nav: Nav,
    form: Form,
    account: TokenView,
    has_password: bool,
    changed: bool,
}

/// The account.
pub async fn view(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
) -> Result<Response, PageError> {
    let account = AccountPage::of(&web, &caller, Form::default(), false).await?;
    Ok(page(StatusCode::OK, &account))
}

/// Changes the person's own password.
pub async fn change_password(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    client: Client,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, PageError> {
    let session = SESSION.of(&headers, client).unwrap_or_default();
    let (old, new) = (fields.text("old"), fields.text("new"));
    let changed = match new == fields.text("again") {
        true => web.audit.change_password(&caller, session, old, new).await,
        false => Err(AuditError::invalid("again", "refusal-again")),
    };
    // Passwords do not go back into the page.
    let outcome = Outcome::of(Fields::default(), changed)?;
    let changed = outcome.made.is_some();
    let account = AccountPage::of(&web, &caller, outcome.form, changed).await?;
    Ok(page(outcome.status, &account))
}

impl AccountPage {
    fn new_hint(&self) -> String {
        let hint = self.nav.t.with("account-new-hint");
        hint.count("n", MIN_PASSWORD_CHARACTERS as u64).to_string()
    }

    async fn of(web: &Web, caller: &Caller, form: Form, changed: bool) -> Result<Self, PageError> {
        Ok(Self {
            nav: Nav::of(caller, "/account").back_to("/account".into()),
            form,
            account: TokenView::of(caller.token()),
            has_password: web.audit.has_password(caller).await?,
            changed,
        })
    }
}
