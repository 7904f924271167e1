//! Who calls, and tokens.
//!
//! A secret is 256 random bits. It rests as its SHA-256 alone, which cannot be guessed back, so
//! that neither salt nor slow hash is needed, and one lookup by the hash finds the account.

use std::net::IpAddr;
use std::sync::{Arc, PoisonError};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::Reading;
use super::rights::{self, Roles};
use super::{Audit, AuditError};
use crate::digest::Digest;
use crate::ids::{LogName, TokenId};
use crate::limits::MAX_ID_BYTES;
use crate::messages::Said;
use crate::random;
use crate::state::{NewToken, Role, TokenRow};
use crate::time::Timestamp;

/// First letters of every token, so that scanners for leaked secrets find it.
const PREFIX: &str = "estreat_";

/// What stands before the id of a link in `_access`.
pub(super) const LINK_ACTOR: &str = "link ";

/// Who calls: a token that holds, or a person whose account does. Only `Caller::of` makes one,
/// after it has looked at the account's end and revocation: whoever holds one need not ask again
/// within the same request.
#[derive(Debug, Clone)]
pub struct Caller {
    token: Arc<TokenRow>,
    address: Option<IpAddr>,
}

/// An account to be made: a token, or a person who is to be let in.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountRequest {
    /// What people call it; a person signs in under it, and capitals do not count.
    pub name: String,
    /// writer, auditor, regulator, admin or operator.
    pub role: String,
    /// The logs it is for; all, if absent.
    pub logs: Option<Vec<String>>,
    /// When it ends, RFC 3339; never, if absent.
    pub expires: Option<String>,
}

/// A token as it is shown.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TokenView {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Its role.
    pub role: String,
    /// Its logs; all, if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logs: Option<Vec<String>>,
    /// When it was made.
    pub created_at: String,
    /// When it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// When it was revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<String>,
}

/// A token just made: the only time that its secret is shown.
#[derive(Serialize, ToSchema)]
pub struct MadeToken {
    /// What is shown of it from now on.
    #[serde(flatten)]
    pub view: TokenView,
    /// The secret.
    pub token: String,
}

impl Caller {
    /// An account, if it holds at `now`.
    pub(super) fn of(token: Arc<TokenRow>, now: Timestamp) -> Result<Self, AuditError> {
        match token.is_valid(now) {
            true => Ok(Self {
                token,
                address: None,
            }),
            false => Err(AuditError::Unauthorized),
        }
    }

    /// The caller, who came from an address: it stands in `_access` beside what they do.
    pub fn from_address(self, address: IpAddr) -> Self {
        Self {
            address: Some(address),
            ..self
        }
    }

    /// Where they came from, if over a network.
    pub fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// The token, or the person's account.
    pub fn token(&self) -> &TokenRow {
        &self.token
    }

    /// The account's id.
    pub fn id(&self) -> TokenId {
        self.token.id
    }

    /// How reports name whoever calls, without a name.
    pub fn pseudonym(&self) -> String {
        pseudonym(&self.token.id.to_string())
    }

    /// The account's role.
    pub fn role(&self) -> Role {
        self.token.role
    }

    /// Whether the role is one of these.
    pub fn may(&self, roles: Roles) -> bool {
        roles.contains(&self.token.role)
    }

    /// Refuses every role but these.
    pub fn require(&self, roles: Roles) -> Result<(), AuditError> {
        if self.may(roles) {
            return Ok(());
        }
        let names: Vec<_> = roles.iter().map(Role::to_string).collect();
        let said = Said::new("refusal-role").arg("role", self.token.role);
        Err(AuditError::Forbidden(said.arg("roles", names.join(", "))))
    }

    /// Refuses a log that the token does not cover.
    pub fn require_log(&self, log: &LogName) -> Result<(), AuditError> {
        match self.token.covers(log) {
            true => Ok(()),
            false => Err(AuditError::Forbidden(
                Said::new("refusal-log").arg("log", log),
            )),
        }
    }

    /// Refuses an account for logs (all, if `None`) that the caller's own does not cover: whoever
    /// manages some logs could come in as that account, and read the others.
    pub(super) fn require_within(&self, logs: Option<&[LogName]>) -> Result<(), AuditError> {
        let Some(own) = &self.token.logs else {
            return Ok(());
        };
        match logs.is_some_and(|logs| logs.iter().all(|log| own.contains(log))) {
            true => Ok(()),
            false => {
                let own: Vec<_> = own.iter().map(LogName::to_string).collect();
                let said = Said::new("refusal-wider").arg("logs", own.join(", "));
                Err(AuditError::Forbidden(said))
            }
        }
    }
}

impl Audit {
    /// The caller behind a bearer token. A revocation by this process counts at once, one by the
    /// command line beside it after `Options::token_cache`. An unknown secret is asked of
    /// `state.db` each time: a cache of what is unknown could be filled from outside.
    pub async fn authenticate(&self, secret: &str) -> Result<Caller, AuditError> {
        let hash = secret_hash(secret).ok_or(AuditError::Unauthorized)?;
        let now = self.now();
        let fresh_since = now.plus_micros(-(self.options.token_cache.as_micros() as i64));
        let cached = {
            let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
            tokens
                .get(&hash)
                // One from the future was read before the clock was set back.
                .filter(|(_, at)| *at > fresh_since && *at <= now)
                .map(|(row, _)| row.clone())
        };
        let row = match cached {
            Some(row) => Some(row),
            None => self.parts.state.token_by_secret(&hash).await?.map(|row| {
                let row = Arc::new(row);
                let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
                tokens.put(hash, (row.clone(), now));
                row
            }),
        };
        row.map_or(Err(AuditError::Unauthorized), |token| {
            Caller::of(token, now)
        })
    }

    /// Makes a token, of logs that the caller covers. One that can read is itself an entry in
    /// `_access`.
    pub async fn create_token(
        &self,
        caller: &Caller,
        request: &AccountRequest,
    ) -> Result<MadeToken, AuditError> {
        caller.require(rights::MANAGE_ACCOUNTS)?;
        let (token, secret) = new_token(request, self.now(), &*self.parts.random)?;
        caller.require_within(token.logs.as_deref())?;
        if rights::can_read(token.role) {
            let what =
                serde_json::json!({"token": token.id.to_string(), "role": token.role.to_string()});
            // Before the token is there: one that nobody can see made must not be able to read.
            self.record(caller, &Reading::operation("create_token", what))
                .await?;
        }
        self.parts.state.add_token(&token).await?;
        Ok(MadeToken {
            view: TokenView::of_new(&token),
            token: secret,
        })
    }

    /// All tokens.
    pub async fn tokens(&self, caller: &Caller) -> Result<Vec<TokenView>, AuditError> {
        caller.require(rights::MANAGE_ACCOUNTS)?;
        Ok(self
            .parts
            .state
            .tokens()
            .await?
            .iter()
            .map(TokenView::of)
            .collect())
    }

    /// Ends a token and its sessions, and notes it in `_access`. Who has no such token, or one
    /// already revoked, hears that there is none.
    pub async fn revoke_token(&self, caller: &Caller, id: TokenId) -> Result<(), AuditError> {
        caller.require(rights::MANAGE_ACCOUNTS)?;
        if !self.parts.state.revoke_token(id, self.now()).await? {
            return Err(AuditError::NotFound("thing-token"));
        }
        self.parts.state.end_sessions_of(id).await?;
        // Behind the row's end: what is read into the cache from now on is the revoked row.
        self.tokens
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        // Ended first: a token that leaked must not go on because `_access` is full.
        let what = serde_json::json!({"token": id.to_string()});
        self.record(caller, &Reading::operation("revoke_token", what))
            .await
    }
}

/// Makes a token of a request, without keeping it: the token, and its secret.
pub fn new_token(
    request: &AccountRequest,
    now: Timestamp,
    random: &dyn random::Random,
) -> Result<(NewToken, String), AuditError> {
    let name = account_name(&request.name)?;
    let role: Role = request
        .role
        .parse()
        .map_err(|_: crate::state::NoRole| AuditError::invalid("role", "refusal-role-word"))?;
    let logs = request.logs.as_ref().map(|names| {
        names
            .iter()
            .map(|name| LogName::new(name))
            .collect::<Result<Vec<_>, _>>()
    });
    let logs = logs
        .transpose()
        .map_err(|_| AuditError::invalid("logs", "refusal-log-name"))?;
    let expires_at = request
        .expires
        .as_deref()
        .map(|text| super::access::time("expires", text))
        .transpose()?;
    if expires_at.is_some_and(|at| at <= now) {
        return Err(AuditError::invalid("expires", "refusal-passed"));
    }
    let secret = format!("{PREFIX}{}", hex::encode(random::bytes::<32>(random)));
    let token = NewToken {
        id: TokenId(random::bytes(random)),
        secret_hash: Digest::of(&[secret.as_bytes()]),
        name,
        role,
        logs,
        created_at: now,
        expires_at,
    };
    Ok((token, secret))
}

/// A name as asked for, without edge spaces. Control characters would let a name write lines of its
/// own into the server's log or a terminal.
fn account_name(name: &str) -> Result<String, AuditError> {
    let name = name.trim();
    if name.is_empty() || name.len() > MAX_ID_BYTES || name.chars().any(char::is_control) {
        return Err(AuditError::invalid(
            "name",
            Said::new("refusal-name").count("n", MAX_ID_BYTES as u64),
        ));
    }
    Ok(name.to_owned())
}

/// How reports name who did something: the beginning of the id of their token, account or link.
/// Eight hex digits, 32 bits: enough to tell some thousand accounts apart, and not the id, by which
/// `state.db` knows them.
pub fn pseudonym(actor: &str) -> String {
    const DIGITS: usize = 8;
    let id = actor.strip_prefix(LINK_ACTOR).unwrap_or(actor);
    id.chars().take(DIGITS).collect()
}

/// The hash of what looks like a secret; anything else costs no query.
fn secret_hash(secret: &str) -> Option<Digest> {
    let digits = secret.strip_prefix(PREFIX)?;
    (digits.len() == 64).then(|| Digest::of(&[secret.as_bytes()]))
}

impl TokenView {
    /// How a token is shown.
    pub fn of(row: &TokenRow) -> Self {
        Self {
            id: row.id.to_string(),
            name: row.name.clone(),
            role: row.role.to_string(),
            logs: names(row.logs.as_deref()),
            created_at: row.created_at.to_string(),
            expires_at: row.expires_at.map(|at| at.to_string()),
            revoked_at: row.revoked_at.map(|at| at.to_string()),
        }
    }

    /// How a token just made is shown.
    pub fn of_new(token: &NewToken) -> Self {
        Self {
            id: token.id.to_string(),
            name: token.name.clone(),
            role: token.role.to_string(),
            logs: names(token.logs.as_deref()),
            created_at: token.created_at.to_string(),
            expires_at: token.expires_at.map(|at| at.to_string()),
            revoked_at: None,
        }
    }
}

/// Names of logs, for views.
fn names(logs: Option<&[LogName]>) -> Option<Vec<String>> {
    logs.map(|logs| logs.iter().map(LogName::to_string).collect())
}
