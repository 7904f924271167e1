//! What an export is asked, and how it rests.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::audit::access::{self, Purpose};
use crate::audit::{Audit, AuditError, Caller};
use crate::bundle::WithheldEntry;
use crate::ids::{LogName, TokenId};
use crate::limits::MAX_WITHHELD;
use crate::messages::{Lang, Said};
use crate::state::Role;
use crate::time::Timestamp;
use crate::zone::Zone;

/// What is asked.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportRequest {
    /// The data subject's id, exactly.
    pub subject: String,
    /// The logs; all that the token covers, if absent.
    pub logs: Option<Vec<String>>,
    /// Event times from this moment on, RFC 3339.
    pub from: Option<String>,
    /// Event times before this moment, RFC 3339.
    pub to: Option<String>,
    /// The time zone in which the report shows both bounds, such as `Europe/Berlin`; UTC, if absent.
    pub time_zone: Option<String>,
    /// What the export is for.
    pub purpose: String,
    /// The case it belongs to.
    pub case: Option<String>,
    /// `authority` (exact bytes of everything) or `subject` (entries that name anybody else are
    /// withheld).
    #[serde(default)]
    pub audience: Audience,
    /// The report's language; English, if absent.
    #[serde(default)]
    pub language: Lang,
    /// Entries to withhold whole on a ground of law, at most 500. That they are there stays proved.
    #[serde(default)]
    pub withhold: Vec<WithholdRequest>,
    /// Regulators' tokens, by id, that may download it.
    #[serde(default)]
    pub share_with: Vec<String>,
}

impl ExportRequest {
    /// Everything about a subject, in all logs, for an authority, in English.
    pub fn new(subject: impl Into<String>, purpose: impl Into<String>) -> Self {
        Self {
            subject: subject.into(),
            logs: None,
            from: None,
            to: None,
            time_zone: None,
            purpose: purpose.into(),
            case: None,
            audience: Audience::default(),
            language: Lang::default(),
            withhold: Vec::new(),
            share_with: Vec::new(),
        }
    }
}

/// An entry to withhold.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WithholdRequest {
    /// The log, one of those asked for.
    pub log: String,
    /// The entry's index in it.
    pub entry: u64,
    /// The ground of law.
    pub ground: Ground,
    /// Who decided, by role and pseudonym; whoever asks, if absent.
    pub decided_by: Option<String>,
}

/// A ground of law on which an entry is withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Ground {
    /// GDPR Art. 15(4): rights and freedoms of others.
    #[serde(rename = "gdpr-15-4")]
    RightsOfOthers,
    /// GDPR Art. 17(3): kept for a purpose named there, such as a legal claim.
    #[serde(rename = "gdpr-17-3")]
    KeptForPurpose,
    /// GDPR Art. 23: restricted by Union or Member State law.
    #[serde(rename = "gdpr-23")]
    RestrictedByLaw,
}

impl Ground {
    /// All of them.
    pub const ALL: [Self; 3] = [
        Self::RightsOfOthers,
        Self::KeptForPurpose,
        Self::RestrictedByLaw,
    ];

    /// Its word in requests and manifests.
    pub fn word(self) -> &'static str {
        match self {
            Self::RightsOfOthers => "gdpr-15-4",
            Self::KeptForPurpose => "gdpr-17-3",
            Self::RestrictedByLaw => "gdpr-23",
        }
    }

    /// The key of its message.
    pub fn key(self) -> &'static str {
        match self {
            Self::RightsOfOthers => "report-ground-15-4",
            Self::KeptForPurpose => "report-ground-17-3",
            Self::RestrictedByLaw => "report-ground-23",
        }
    }
}

/// For whom an export is made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// An authority: exact bytes, other persons included.
    #[default]
    Authority,
    /// The person: entries that name anybody else are withheld, provably.
    Subject,
}

/// A question as it rests, sealed. `logs` are those that were asked for, by name; an auditor sees
/// the export only if their account covers all of them.
#[derive(Clone, Serialize, Deserialize)]
pub struct Question {
    pub subject: String,
    pub logs: Vec<String>,
    pub from: Option<i64>,
    pub to: Option<i64>,
    pub time_zone: String,
    pub purpose: String,
    pub case: Option<String>,
    pub audience: Audience,
    pub language: Lang,
    pub withhold: Vec<Decision>,
    pub requested_by: String,
    pub share_with: Vec<String>,
}

/// A decision to withhold an entry. Stands in the signed manifest, so that a recipient can ask for
/// the reasons (GDPR Art. 12(4)).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Decision {
    pub log: String,
    pub entry: u64,
    pub ground: Ground,
    pub decided_by: String,
}

impl Decision {
    /// Where the entry is.
    pub fn place(&self) -> (String, u64) {
        (self.log.clone(), self.entry)
    }

    /// As the manifest has it.
    pub fn in_manifest(&self) -> WithheldEntry {
        WithheldEntry {
            log: self.log.clone(),
            entry: self.entry,
            ground: self.ground.word().to_owned(),
            decided_by: self.decided_by.clone(),
        }
    }
}

impl Question {
    /// Whether a caller may see the export.
    pub fn allows(&self, caller: &Caller) -> bool {
        match caller.role() {
            Role::Auditor => self
                .logs
                .iter()
                .all(|name| LogName::new(name).is_ok_and(|log| caller.token().covers(&log))),
            Role::Regulator => self.share_with.contains(&caller.id().to_string()),
            _ => false,
        }
    }

    /// The time zone in which the range was asked for.
    pub fn zone(&self) -> Zone {
        // It was checked when it was asked for.
        Zone::parse(&self.time_zone).unwrap_or_else(Zone::utc)
    }

    /// Both bounds by the clocks of the zone; `None` if that is UTC.
    pub fn local_bounds(&self) -> Option<[Option<String>; 2]> {
        let zone = self.zone();
        let show = |at: Option<i64>| {
            at.map(|at| format!("{} ({})", zone.show(Timestamp(at)), zone.name()))
        };
        (zone.name() != "UTC").then(|| [show(self.from), show(self.to)])
    }

    /// Indexes of a log's entries that are withheld on a ground of law.
    pub fn withheld_of(&self, log: &str) -> BTreeSet<u64> {
        let of_log = self.withhold.iter().filter(|decision| decision.log == log);
        of_log.map(|decision| decision.entry).collect()
    }
}

impl Audit {
    /// Checks what is asked.
    pub(super) async fn export_question(
        &self,
        caller: &Caller,
        request: &ExportRequest,
        purpose: &Purpose,
    ) -> Result<Question, AuditError> {
        let (from, to) = access::range(request.from.as_deref(), request.to.as_deref())?;
        let logs = self.requested_logs(caller, request.logs.as_deref())?;
        if logs.is_empty() {
            return Err(AuditError::invalid("logs", "refusal-no-logs"));
        }
        for log in &logs {
            self.require_case(&log.name, purpose).await?;
        }
        let logs: Vec<String> = logs.iter().map(|log| log.name.to_string()).collect();
        check_shares(&request.share_with)?;
        Ok(Question {
            subject: request.subject.clone(),
            from: from.map(|at| at.0),
            to: to.map(|at| at.0),
            time_zone: zone(request.time_zone.as_deref())?.name().to_owned(),
            purpose: purpose.purpose.clone(),
            case: purpose.case.clone(),
            audience: request.audience,
            language: request.language,
            withhold: decisions(caller, &logs, &request.withhold)?,
            requested_by: format!("{} (token {})", caller.role(), caller.id()),
            share_with: request.share_with.clone(),
            logs,
        })
    }
}

/// A time zone as asked for.
pub fn zone(name: Option<&str>) -> Result<Zone, AuditError> {
    let Some(name) = name else {
        return Ok(Zone::utc());
    };
    Zone::parse(name).ok_or_else(|| AuditError::invalid("time_zone", "refusal-time-zone"))
}

/// Whether an id is a regulator's is asked when they come: `Question::allows` looks at the role.
fn check_shares(ids: &[String]) -> Result<(), AuditError> {
    match ids.iter().all(|id| TokenId::parse(id).is_some()) {
        true => Ok(()),
        false => Err(AuditError::invalid("share_with", "refusal-share-with")),
    }
}

/// What is to be withheld, each entry once. Whether an entry is there or names the subject is not
/// looked at here: of one that is not among the results nothing is shown anyway.
fn decisions(
    caller: &Caller,
    logs: &[String],
    requests: &[WithholdRequest],
) -> Result<Vec<Decision>, AuditError> {
    let refuse = |why: Said| Err(AuditError::invalid("withhold", why));
    if requests.len() > MAX_WITHHELD {
        return refuse(Said::new("refusal-withhold").count("n", MAX_WITHHELD as u64));
    }
    let mut places = BTreeSet::new();
    let mut decisions = Vec::with_capacity(requests.len());
    for request in requests {
        if !logs.contains(&request.log) {
            return refuse("refusal-withhold-log".into());
        }
        if !places.insert((&request.log, request.entry)) {
            let place = format!("{}/{}", request.log, request.entry);
            return refuse(Said::new("refusal-withhold-twice").outside("place", place));
        }
        let decided_by = match &request.decided_by {
            // The manifest names somebody who can be asked for the reasons (GDPR Art. 12(4)).
            Some(who) => match access::words("withhold", who)? {
                who if who.is_empty() => return refuse("refusal-withhold-nobody".into()),
                who => who,
            },
            None => format!("{} {}", caller.role(), caller.pseudonym()),
        };
        decisions.push(Decision {
            log: request.log.clone(),
            entry: request.entry,
            ground: request.ground,
            decided_by,
        });
    }
    Ok(decisions)
}
