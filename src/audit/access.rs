//! The log `_access`: what auditors do is itself an entry, durable before they see anything.
//!
//! Written before, not after: an entry about a reading that then failed says too much, one that is
//! missing because the server was stopped says that nobody read.

use std::net::IpAddr;

use serde_json::{Value, json};

use super::{Audit, AuditError, Caller};
use crate::event::{self, OnInvalid};
use crate::ids::{LogName, SubjectId, TokenId};
use crate::ingest::{Append, Durability};
use crate::limits::{MAX_ID_BYTES, MAX_PURPOSE_BYTES};
use crate::messages::Said;
use crate::time::Timestamp;

/// Why something is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purpose {
    /// The purpose, in words.
    pub purpose: String,
    /// The case it belongs to.
    pub case: Option<String>,
}

/// A reading, or another act that belongs in `_access`.
#[derive(Debug, Clone)]
pub struct Reading {
    /// What is done, as an event's operation.
    pub operation: &'static str,
    /// About whom: ids of one person, or of all whom one entry names; at most
    /// [`MAX_EVENT_SUBJECTS`](crate::limits::MAX_EVENT_SUBJECTS).
    pub subjects: Vec<SubjectId>,
    /// Why.
    pub purpose: Option<Purpose>,
    /// What exactly, as JSON.
    pub what: Value,
}

/// The key of what an operation in `_access` says to people; `None` of one that a service sent.
pub fn operation_key(operation: &str) -> Option<&'static str> {
    Some(match operation {
        "search" => "report-did-search",
        "read_entry" => "report-did-read",
        "check_entry" => "report-did-check",
        "export" => "report-did-export",
        "download" => "report-did-download",
        "share" => "report-did-share",
        "open_link" => "report-did-open-link",
        "revoke_link" => "report-did-revoke-link",
        "verify" => "access-did-verify",
        "check_checkpoint" => "access-did-compare",
        "close_case" => "access-did-close-case",
        "read_access" => "access-did-read",
        "ask_for_name" => "access-did-ask",
        "approve_name" => "access-did-approve",
        "refuse_name" => "access-did-refuse",
        "show_name" => "access-did-show",
        "create_token" => "access-did-create-token",
        "create_person" => "access-did-create-person",
        "reset_password" => "access-did-reset-password",
        "revoke_token" => "access-did-revoke-token",
        "remove_person" => "access-did-remove-person",
        "set_require_case" => "access-did-set-require-case",
        _ => return None,
    })
}

impl Purpose {
    /// Checks a purpose and a case.
    pub fn new(purpose: &str, case: Option<&str>) -> Result<Self, AuditError> {
        let purpose = words("purpose", purpose)?;
        if purpose.is_empty() {
            return Err(AuditError::invalid("purpose", "refusal-purpose"));
        }
        let case = case
            .map(|case| words("case", case))
            .transpose()?
            .filter(|case| !case.is_empty());
        Ok(Self { purpose, case })
    }
}

impl Reading {
    /// An act without a subject or a purpose.
    pub fn operation(operation: &'static str, what: Value) -> Self {
        Self {
            operation,
            subjects: Vec::new(),
            purpose: None,
            what,
        }
    }
}

/// Who does something that belongs in `_access`.
#[derive(Debug, Clone)]
pub struct Act {
    /// The actor, by an id.
    pub actor: String,
    /// As what they act.
    pub actor_role: String,
    /// The account that answers for it.
    pub submitted_by: TokenId,
    /// Where they came from, if over a network.
    pub address: Option<IpAddr>,
    /// To whom something is disclosed (GDPR Art. 15(1)(c)).
    pub recipient: Option<String>,
}

impl Act {
    /// What a caller does.
    pub fn of(caller: &Caller) -> Self {
        Self {
            actor: caller.id().to_string(),
            actor_role: caller.role().to_string(),
            submitted_by: caller.id(),
            address: caller.address(),
            recipient: None,
        }
    }
}

impl Audit {
    /// Writes what a caller does to `_access`, and waits until it is on disk.
    pub async fn record(&self, caller: &Caller, reading: &Reading) -> Result<(), AuditError> {
        self.write(&Act::of(caller), reading).await
    }

    /// Writes an act to `_access`, and waits until it is on disk. The event goes the way of any
    /// other, through the same reader of bodies and the same limits, so that `_access` holds
    /// nothing that a verifier could not read. An error means that the act must not happen.
    pub(super) async fn write(&self, act: &Act, reading: &Reading) -> Result<(), AuditError> {
        let mut event = json!({
            "operation": reading.operation,
            "source": "estreat",
            "actor": act.actor,
            "actor_role": act.actor_role,
        });
        if let Some(recipient) = &act.recipient {
            event["recipient"] = recipient.as_str().into();
        }
        let mut payload = reading.what.clone();
        match &*reading.subjects {
            [] => {}
            [one] => event["data_subject"] = one.expose().into(),
            several => {
                event["data_subjects"] = several.iter().map(SubjectId::expose).collect();
            }
        }
        if let Some(purpose) = &reading.purpose {
            event["purpose"] = purpose.purpose.as_str().into();
            if let Some(case) = &purpose.case {
                // Events have no field for a case; the payload is kept to the letter.
                payload["case"] = case.as_str().into();
            }
        }
        if let Some(address) = act.address {
            payload["address"] = address.to_string().into();
        }
        event["payload"] = payload;
        let received_at = self.now();
        let limits = self.options.events;
        let context = event::Context {
            received_at,
            submitted_by: act.submitted_by,
            limits,
        };
        let submission =
            event::read_body(event.to_string().as_bytes(), &context, OnInvalid::Refuse)
                .map_err(AuditError::Events)?;
        let log = self.parts.ingest.log_or_new(&LogName::access())?;
        let append = Append {
            entries: submission.entries,
            key: None,
            received_at,
            quarantined: 0,
        };
        self.parts
            .ingest
            .append(&log, append, Durability::Synced)
            .await?;
        Ok(())
    }

    /// Refuses a reading of a log that asks for a case number, where none is given. Asked on every
    /// look, not once when a case or an export is made: the setting may be newer.
    pub(super) async fn require_case(
        &self,
        log: &LogName,
        purpose: &Purpose,
    ) -> Result<(), AuditError> {
        let settings = self.parts.state.log_settings(log).await?;
        if settings.require_case && purpose.case.is_none() {
            return Err(AuditError::invalid(
                "case",
                Said::new("refusal-case-number").arg("log", log),
            ));
        }
        Ok(())
    }
}

/// A subject id as asked for: its exact bytes. Not trimmed and not normalised: an id with an edge
/// space is another person's.
pub fn subject(id: &str) -> Result<SubjectId, AuditError> {
    if id.is_empty() || id.len() > MAX_ID_BYTES || id.chars().any(|c| c.is_ascii_control()) {
        return Err(AuditError::invalid(
            "subject",
            Said::new("refusal-subject").count("n", MAX_ID_BYTES as u64),
        ));
    }
    Ok(SubjectId::new(id))
}

/// A moment in RFC 3339, as asked for.
pub fn time(field: &'static str, text: &str) -> Result<Timestamp, AuditError> {
    event::parse_time(text).ok_or_else(|| AuditError::invalid(field, "refusal-time"))
}

/// A range of event times as asked for, `from ≤ time < to`.
pub fn range(
    from: Option<&str>,
    to: Option<&str>,
) -> Result<(Option<Timestamp>, Option<Timestamp>), AuditError> {
    let from = from.map(|text| time("from", text)).transpose()?;
    let to = to.map(|text| time("to", text)).transpose()?;
    match (from, to) {
        (Some(from), Some(to)) if from >= to => Err(AuditError::invalid("to", "refusal-range")),
        bounds => Ok(bounds),
    }
}

/// A short text as asked for, without edge spaces.
pub fn words(field: &'static str, text: &str) -> Result<String, AuditError> {
    let text = text.trim();
    if text.len() > MAX_PURPOSE_BYTES || text.chars().any(|c| c.is_ascii_control()) {
        return Err(AuditError::invalid(
            field,
            Said::new("refusal-words").count("n", MAX_PURPOSE_BYTES as u64),
        ));
    }
    Ok(text.to_owned())
}
