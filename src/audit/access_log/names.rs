//! The name behind a pseudonym of the access log: one person asks and says why, a second one
//! allows or refuses it, and the first one sees it once. Each step is an entry in `_access`.
//!
//! Two accounts, not two people, is what can be checked here: who has let in a second account for
//! themselves has left an entry about that, too. The reason rests sealed.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::audit::access::{Purpose, Reading};
use crate::audit::caller::pseudonym;
use crate::audit::entry::read_batch;
use crate::audit::export::Vault;
use crate::audit::{Audit, AuditError, Caller, rights};
use crate::event::View;
use crate::format::payload::Content;
use crate::ids::{JobId, LogName, TokenId};
use crate::limits::{NAME_ASKED_MICROS, NAME_SHOWN_MICROS};
use crate::random;
use crate::state::RevealRow;
use crate::time::Timestamp;

/// Requests that are listed. The newest; what is older has expired.
const LISTED: u32 = 200;
/// What is sealed of a request.
const REASON: &str = "reason";

/// A request for a name.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NameRequest {
    /// The entry of `_access` whose actor is meant.
    pub entry: Option<u64>,
    /// What the name is needed for.
    pub purpose: String,
    /// The case it belongs to.
    pub case: Option<String>,
}

/// What a second person decides.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DecisionRequest {
    /// approve or refuse.
    pub decision: String,
}

/// A request for a name, as it is shown.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct NameView {
    /// The request.
    pub id: String,
    /// The entry of `_access` by which it was asked for.
    pub entry: u64,
    /// The pseudonym whose name is asked for.
    pub pseudonym: String,
    /// Who asks, by pseudonym.
    pub asked_by: String,
    /// Whether the account that looks is the one that asks.
    pub own: bool,
    /// Whether the account that looks may decide.
    pub may_decide: bool,
    /// waiting, approved, refused, shown, or expired.
    pub status: String,
    /// What for.
    pub purpose: String,
    /// The case it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// When it was asked.
    pub created_at: String,
    /// Who decided, by pseudonym.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<String>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<String>,
    /// Until when it can be decided, or the name be shown.
    pub expires_at: String,
}

/// A name, shown once.
#[derive(Serialize, ToSchema)]
pub struct ShownName {
    /// The pseudonym.
    pub pseudonym: String,
    /// The name of the account behind it.
    pub name: String,
}

impl Audit {
    /// Asks for the name behind an act's pseudonym.
    pub async fn ask_for_name(
        &self,
        caller: &Caller,
        request: &NameRequest,
    ) -> Result<NameView, AuditError> {
        caller.require(rights::READ)?;
        caller.require_log(&LogName::access())?;
        let purpose = Purpose::new(&request.purpose, request.case.as_deref())?;
        self.require_case(&LogName::access(), &purpose).await?;
        let entry = request
            .entry
            .filter(|entry| *entry < self.access().map_or(0, |log| log.head().entries))
            .ok_or_else(|| AuditError::invalid("entry", "refusal-act"))?;
        let id = JobId(random::bytes(&*self.parts.random));
        let reading = Reading {
            purpose: Some(purpose.clone()),
            ..Reading::operation(
                "ask_for_name",
                json!({"request": id.to_string(), "entry": entry}),
            )
        };
        self.record(caller, &reading).await?;
        // Opened only now: asking leaves a trace even where nobody is behind the entry.
        let account = self.actor_of(entry).await?;
        let (vault, key) = Vault::make(
            &self.parts.folder,
            id,
            &self.parts.keyring.kek,
            &self.parts.random,
        )?;
        let reason = json!({"purpose": purpose.purpose, "case": purpose.case});
        let row = RevealRow {
            id,
            account,
            entry,
            requester: caller.id(),
            created_at: self.now(),
            key,
            reason: vault.seal(REASON, reason.to_string().as_bytes())?,
            decision: None,
            shown_at: None,
        };
        self.parts.state.add_reveal(&row).await?;
        self.name_view(caller, &row)
    }

    /// The requests for names, the newest first.
    pub async fn names(&self, caller: &Caller) -> Result<Vec<NameView>, AuditError> {
        caller.require(rights::DECIDE_NAMES)?;
        caller.require_log(&LogName::access())?;
        let rows = self.parts.state.reveals(LISTED).await?;
        rows.iter().map(|row| self.name_view(caller, row)).collect()
    }

    /// Allows or refuses that a name is shown. Whoever asks, and whose name it is, may not.
    pub async fn decide_name(
        &self,
        caller: &Caller,
        id: &str,
        request: &DecisionRequest,
    ) -> Result<NameView, AuditError> {
        caller.require(rights::DECIDE_NAMES)?;
        caller.require_log(&LogName::access())?;
        let (approved, operation) = match request.decision.as_str() {
            "approve" => (true, "approve_name"),
            "refuse" => (false, "refuse_name"),
            _ => return Err(AuditError::invalid("decision", "refusal-decision")),
        };
        let row = self.name_row(id).await?;
        if !is_second(caller, &row) {
            return Err(AuditError::Forbidden("refusal-second-person".into()));
        }
        self.must_be(&row, "waiting")?;
        let what = json!({"request": row.id.to_string(), "entry": row.entry});
        self.record(caller, &Reading::operation(operation, what))
            .await?;
        let state = &self.parts.state;
        if !state
            .decide_reveal(row.id, caller.id(), approved, self.now())
            .await?
        {
            return Err(already());
        }
        let row = self.name_row(id).await?;
        self.name_view(caller, &row)
    }

    /// Shows a name that a second person has allowed, once, to whoever asked for it.
    pub async fn show_name(&self, caller: &Caller, id: &str) -> Result<ShownName, AuditError> {
        caller.require(rights::READ)?;
        let row = self.name_row(id).await?;
        if row.requester != caller.id() {
            return Err(AuditError::NotFound("thing-request"));
        }
        self.must_be(&row, "approved")?;
        // Read before it counts as shown: behind that nothing may fail.
        let account = self.parts.state.token(row.account).await?;
        let name = account.ok_or(AuditError::NotFound("thing-account"))?.name;
        let what = json!({"request": row.id.to_string(), "entry": row.entry});
        self.record(caller, &Reading::operation("show_name", what))
            .await?;
        if !self.parts.state.show_reveal(row.id, self.now()).await? {
            return Err(already());
        }
        Ok(ShownName {
            pseudonym: pseudonym(&row.account.to_string()),
            name,
        })
    }

    /// The account that did what an entry of `_access` says.
    async fn actor_of(&self, entry: u64) -> Result<TokenId, AuditError> {
        let log = self.access()?;
        let (segment, place) = self.place_of(&log, entry).await?;
        let batch = read_batch(self.reader(&log), segment, place).await?;
        let content = batch.batch.get((entry - place.first_entry) as usize);
        let Some(Content::Kept(_, bytes)) = content else {
            return Err(AuditError::NotFound("thing-entry"));
        };
        let view = View::read(bytes).ok();
        let actor = view.and_then(|view| TokenId::parse(view.actor.as_deref()?));
        actor.ok_or_else(|| AuditError::invalid("entry", "refusal-nobody-behind"))
    }

    /// A request, by its id.
    async fn name_row(&self, id: &str) -> Result<RevealRow, AuditError> {
        let id = JobId::parse(id).ok_or(AuditError::NotFound("thing-request"))?;
        let row = self.parts.state.reveal(id).await?;
        row.ok_or(AuditError::NotFound("thing-request"))
    }

    /// Refuses what a request's state does not allow. `state.db` asks again in the statement that
    /// changes it.
    fn must_be(&self, row: &RevealRow, status: &str) -> Result<(), AuditError> {
        match row.status(self.now()) {
            found if found == status => Ok(()),
            "expired" => Err(AuditError::Expired("thing-request")),
            "waiting" => Err(AuditError::Forbidden("refusal-not-allowed-yet".into())),
            _ => Err(already()),
        }
    }

    /// A request with its reason, unsealed; pseudonyms alone, whoever looks.
    fn name_view(&self, caller: &Caller, row: &RevealRow) -> Result<NameView, AuditError> {
        let vault = Vault::open(
            &self.parts.folder,
            row.id,
            &row.key,
            &self.parts.keyring.kek,
            &self.parts.random,
        )?;
        let reason = vault.unseal(REASON, &row.reason)?;
        let reason: Value = serde_json::from_slice(&reason).unwrap_or_default();
        let status = row.status(self.now());
        let decision = row.decision.as_ref();
        Ok(NameView {
            id: row.id.to_string(),
            entry: row.entry,
            pseudonym: pseudonym(&row.account.to_string()),
            asked_by: pseudonym(&row.requester.to_string()),
            own: row.requester == caller.id(),
            may_decide: status == "waiting" && is_second(caller, row),
            status: status.into(),
            purpose: reason["purpose"].as_str().unwrap_or_default().to_owned(),
            case: reason["case"].as_str().map(str::to_owned),
            created_at: row.created_at.to_string(),
            decided_by: decision.map(|(by, _, _)| pseudonym(&by.to_string())),
            decided_at: decision.map(|(_, _, at)| at.to_string()),
            expires_at: row.expires_at().to_string(),
        })
    }
}

impl RevealRow {
    /// First for a decision, then for the look at the name.
    fn expires_at(&self) -> Timestamp {
        match &self.decision {
            None => self.created_at.plus_micros(NAME_ASKED_MICROS),
            Some((_, _, at)) => at.plus_micros(NAME_SHOWN_MICROS),
        }
    }

    /// A decision against it and a look at the name outlast the end of its time.
    fn status(&self, now: Timestamp) -> &'static str {
        match (&self.decision, self.shown_at) {
            (Some((_, false, _)), _) => "refused",
            (_, Some(_)) => "shown",
            _ if self.expires_at() <= now => "expired",
            (Some(_), None) => "approved",
            (None, None) => "waiting",
        }
    }
}

/// Neither who asks nor whose name it is.
fn is_second(caller: &Caller, row: &RevealRow) -> bool {
    caller.id() != row.requester && caller.id() != row.account
}

/// Somebody else was faster.
fn already() -> AuditError {
    AuditError::Forbidden("refusal-decided".into())
}
