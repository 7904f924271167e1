//! Tokens: who may come in.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};

use super::form::{Fields, Form, Outcome};
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::{AccountRequest, AuditError, Caller, MadeToken, TokenView};
use crate::ids::TokenId;
use crate::time::Timestamp;
use crate::web::Web;
use crate::web::auth::SignedIn;

/// The roles, and the keys of what each may do.
pub const ROLES: [(&str, &str); 5] = [
    ("writer", "role-writer"),
    ("auditor", "role-auditor"),
    ("regulator", "role-regulator"),
    ("admin", "role-admin"),
    ("operator", "role-operator"),
];

/// A secret that was just made is shown on this page and on no other.
#[derive(Template)]
#[template(path = "tokens.html")]
struct TokensPage {
    nav: Nav,
    form: Form,
    now: Timestamp,
    tokens: Vec<TokenView>,
    made: Option<MadeToken>,
    own: String,
}

/// The list and the form.
pub async fn list(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
) -> Result<Response, PageError> {
    let tokens = TokensPage::of(&web, &caller, Form::default(), None).await?;
    Ok(page(StatusCode::OK, &tokens))
}

/// Makes a token, and shows its secret once.
pub async fn create(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    fields: Fields,
) -> Result<Response, PageError> {
    let made = async { web.audit.create_token(&caller, &request(&fields)?).await }.await;
    let outcome = Outcome::of_new(fields, made)?;
    let tokens = TokensPage::of(&web, &caller, outcome.form, outcome.made).await?;
    Ok(page(outcome.status, &tokens))
}

/// Ends a token.
pub async fn revoke(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let id = TokenId::parse(&id).ok_or(AuditError::NotFound("thing-token"))?;
    web.audit.revoke_token(&caller, id).await?;
    Ok(Redirect::to("/tokens").into_response())
}

/// The account that a form asks for: a token's or a person's.
pub fn request(fields: &Fields) -> Result<AccountRequest, AuditError> {
    Ok(AccountRequest {
        name: fields.text("name").to_owned(),
        role: fields.text("role").to_owned(),
        logs: logs(fields),
        expires: fields.day_end("expires")?,
    })
}

/// The logs that an account is for; `None`: all.
fn logs(fields: &Fields) -> Option<Vec<String>> {
    let names = fields.text("logs").split([' ', ',', '\n', '\r', '\t']);
    let names: Vec<_> = names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    (!names.is_empty()).then_some(names)
}

/// The key of what became of an account.
pub fn state(account: &TokenView, now: Timestamp) -> &'static str {
    let is_past = |at: &str| Timestamp::parse_canonical(at.as_bytes()).is_some_and(|at| at <= now);
    match account {
        account if account.revoked_at.is_some() => "state-revoked",
        account if account.expires_at.as_deref().is_some_and(is_past) => "state-expired",
        _ => "state-valid",
    }
}

impl TokensPage {
    async fn of(
        web: &Web,
        caller: &Caller,
        form: Form,
        made: Option<MadeToken>,
    ) -> Result<Self, PageError> {
        Ok(Self {
            nav: Nav::of(caller, "/tokens"),
            form,
            now: web.audit.now(),
            tokens: web.audit.tokens(caller).await?,
            made,
            own: caller.id().to_string(),
        })
    }

    fn state(&self, token: &TokenView) -> &'static str {
        state(token, self.now)
    }
}
