//! People: who signs in with a name and a password.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};

use super::form::{Fields, Form, Outcome};
use super::nav::Nav;
use super::tokens::{ROLES, request, state};
use super::{PageError, page, show};
use crate::audit::{AuditError, Caller, MadePerson, PersonView};
use crate::ids::TokenId;
use crate::time::Timestamp;
use crate::web::Web;
use crate::web::auth::SignedIn;

/// A password that was just made is shown on this page and on no other.
#[derive(Template)]
#[template(path = "people.html")]
struct PeoplePage {
    nav: Nav,
    form: Form,
    now: Timestamp,
    people: Vec<PersonView>,
    made: Option<MadePerson>,
    own: String,
}

/// The list and the form.
pub async fn list(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
) -> Result<Response, PageError> {
    let people = PeoplePage::of(&web, &caller, Form::default(), None).await?;
    Ok(page(StatusCode::OK, &people))
}

/// Lets a person in, and shows their password once.
pub async fn create(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    fields: Fields,
) -> Result<Response, PageError> {
    let made = async { web.audit.create_person(&caller, &request(&fields)?).await }.await;
    let outcome = Outcome::of_new(fields, made)?;
    let people = PeoplePage::of(&web, &caller, outcome.form, outcome.made).await?;
    Ok(page(outcome.status, &people))
}

/// Gives a person a new password, and shows it once.
pub async fn reset(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let id = TokenId::parse(&id).ok_or(AuditError::NotFound("thing-person"))?;
    let made = web.audit.reset_password(&caller, id).await?;
    let people = PeoplePage::of(&web, &caller, Form::default(), Some(made)).await?;
    Ok(page(StatusCode::OK, &people))
}

/// Ends a person's account.
pub async fn remove(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let id = TokenId::parse(&id).ok_or(AuditError::NotFound("thing-person"))?;
    web.audit.remove_person(&caller, id).await?;
    Ok(Redirect::to("/people").into_response())
}

impl PeoplePage {
    async fn of(
        web: &Web,
        caller: &Caller,
        form: Form,
        made: Option<MadePerson>,
    ) -> Result<Self, PageError> {
        Ok(Self {
            nav: Nav::of(caller, "/people").back_to("/people".into()),
            form,
            now: web.audit.now(),
            people: web.audit.people(caller).await?,
            made,
            own: caller.id().to_string(),
        })
    }

    fn state(&self, person: &PersonView) -> &'static str {
        state(&person.account, self.now)
    }
}
