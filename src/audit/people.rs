//! People: accounts with a name and a password instead of a token, for the portal.
//!
//! A person's account is a row of the tokens' table with a secret that nobody has; roles, logs,
//! expiry and `_access` work as for tokens.

use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::access::Reading;
use super::guard::Source;
use super::password::{Whose, check_rules, hash_password, pass_phrase};
use super::{AccountRequest, Audit, AuditError, Caller, TokenView, new_token, rights};
use crate::digest::Digest;
use crate::ids::TokenId;
use crate::random::{self, Random};
use crate::state::{NewToken, PersonRow};
use crate::time::Timestamp;

/// A person as they are shown.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PersonView {
    /// Their account.
    #[serde(flatten)]
    pub account: TokenView,
    /// When their password was last set.
    pub password_set_at: String,
}

/// A person with a password just made: the only time that it is shown.
#[derive(Serialize, ToSchema)]
pub struct MadePerson {
    /// What is shown of them from now on.
    #[serde(flatten)]
    pub view: PersonView,
    /// The password.
    pub password: String,
}

impl Audit {
    /// Lets a person in, for logs that the caller covers, with a generated password. One who can
    /// read is an entry in `_access`.
    pub async fn create_person(
        &self,
        caller: &Caller,
        request: &AccountRequest,
    ) -> Result<MadePerson, AuditError> {
        caller.require(rights::MANAGE_ACCOUNTS)?;
        let random = &*self.parts.random;
        let (account, sign_in) = new_person(request, self.now(), random)?;
        caller.require_within(account.logs.as_deref())?;
        let state = &self.parts.state;
        if state.person_by_name(&sign_in).await?.is_some() {
            return Err(name_is_taken());
        }
        let password = pass_phrase(random);
        let hash = self.hasher.hash(&password, random).await?;
        self.record_account(caller, "create_person", account.id, account.role)
            .await?;
        if !state.add_person(&account, &sign_in, &hash).await? {
            return Err(name_is_taken());
        }
        Ok(MadePerson {
            view: PersonView::of_new(&account),
            password,
        })
    }

    /// All people.
    pub async fn people(&self, caller: &Caller) -> Result<Vec<PersonView>, AuditError> {
        caller.require(rights::MANAGE_ACCOUNTS)?;
        let people = self.parts.state.people().await?;
        Ok(people.iter().map(PersonView::of).collect())
    }

    /// Ends a person's account and sessions, and notes it in `_access`.
    pub async fn remove_person(&self, caller: &Caller, id: TokenId) -> Result<(), AuditError> {
        caller.require(rights::MANAGE_ACCOUNTS)?;
        if !self.parts.state.remove_person(id, self.now()).await? {
            return Err(AuditError::NotFound("thing-person"));
        }
        // Removed first, as a token is revoked.
        let what = json!({"person": id.to_string()});
        self.record(caller, &Reading::operation("remove_person", what))
            .await
    }

    /// Gives a person a new, generated password, and ends their sessions. Whoever makes it could
    /// come in as them: their logs must be the caller's too, and for one who can read it is an
    /// entry in `_access`.
    pub async fn reset_password(
        &self,
        caller: &Caller,
        id: TokenId,
    ) -> Result<MadePerson, AuditError> {
        caller.require(rights::MANAGE_ACCOUNTS)?;
        let state = &self.parts.state;
        let person = state.person(id).await?;
        let person = person.ok_or(AuditError::NotFound("thing-person"))?;
        caller.require_within(person.account.logs.as_deref())?;
        let random = &*self.parts.random;
        let password = pass_phrase(random);
        let hash = self.hasher.hash(&password, random).await?;
        self.record_account(caller, "reset_password", id, person.account.role)
            .await?;
        let now = self.now();
        if !state.set_password(id, &hash, now).await? {
            return Err(AuditError::NotFound("thing-person"));
        }
        state.end_sessions_of(id).await?;
        let view = PersonView::of(&PersonRow {
            changed_at: now,
            ..person
        });
        Ok(MadePerson { view, password })
    }

    /// Whether the caller signs in with a password.
    pub async fn has_password(&self, caller: &Caller) -> Result<bool, AuditError> {
        Ok(self.parts.state.person(caller.id()).await?.is_some())
    }

    /// Changes the caller's own password, and ends all their sessions but the one of this cookie.
    /// The old one is asked for, and guesses of it are counted for the session: whoever finds a
    /// browser open gets five.
    pub async fn change_password(
        &self,
        caller: &Caller,
        session: &str,
        old: &str,
        new: &str,
    ) -> Result<(), AuditError> {
        let state = &self.parts.state;
        let person = state.person(caller.id()).await?;
        let person = person.ok_or(AuditError::NotFound("thing-password"))?;
        let session = Digest::of(&[session.as_bytes()]);
        let target = Digest::of(&[b"password of", &caller.id().0]);
        self.guess(target, Source::Device(session))?;
        let checked = self.check_password(Some(person), old, Whose::Known).await;
        match self.judge(target, Source::Device(session), checked) {
            Err(AuditError::Unauthorized) => {
                return Err(AuditError::invalid("old", "refusal-old-password"));
            }
            checked => drop(checked?),
        }
        check_rules("new", new)?;
        let hash = self.hasher.hash(new, &*self.parts.random).await?;
        if !state.set_password(caller.id(), &hash, self.now()).await? {
            return Err(AuditError::Unauthorized);
        }
        Ok(state.end_other_sessions(caller.id(), &session).await?)
    }

    /// Notes in `_access` that an account can read from now on; of other roles nothing.
    async fn record_account(
        &self,
        caller: &Caller,
        operation: &'static str,
        id: TokenId,
        role: super::Role,
    ) -> Result<(), AuditError> {
        if !rights::can_read(role) {
            return Ok(());
        }
        let what = json!({"person": id.to_string(), "role": role.to_string()});
        self.record(caller, &Reading::operation(operation, what))
            .await
    }
}

/// Makes a person of a request, without keeping them: the account, and the name to sign in.
pub fn new_person(
    request: &AccountRequest,
    now: Timestamp,
    random: &dyn Random,
) -> Result<(NewToken, String), AuditError> {
    // The secret is dropped: nobody comes in with it.
    let (account, _) = new_token(request, now, random)?;
    let sign_in = sign_in_name(&account.name);
    Ok((account, sign_in))
}

/// A person's password as it rests: the given one, or one that is made; and the made one.
pub fn first_password(
    given: Option<&str>,
    random: &dyn Random,
) -> Result<(String, Option<String>), AuditError> {
    let salt = random::bytes(random);
    match given {
        Some(password) => {
            check_rules("password", password)?;
            Ok((hash_password(password, salt)?, None))
        }
        None => {
            let password = pass_phrase(random);
            Ok((hash_password(&password, salt)?, Some(password)))
        }
    }
}

/// Somebody else has the name.
pub fn name_is_taken() -> AuditError {
    AuditError::invalid("name", "refusal-name-taken")
}

/// The form of a name under which people sign in. Names that differ in capitals or edge spaces
/// alone are one person's: two could not tell which of them signs in.
pub(super) fn sign_in_name(name: &str) -> String {
    name.trim().to_lowercase()
}

impl PersonView {
    /// How a person is shown.
    pub fn of(row: &PersonRow) -> Self {
        Self {
            account: TokenView::of(&row.account),
            password_set_at: row.changed_at.to_string(),
        }
    }

    /// How a person just let in is shown.
    pub fn of_new(account: &NewToken) -> Self {
        Self {
            account: TokenView::of_new(account),
            password_set_at: account.created_at.to_string(),
        }
    }
}
