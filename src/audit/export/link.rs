//! Links that hand a finished export to somebody without an account, such as a regulator.
//!
//! Whoever has the URL learns nothing before they type the pass phrase, which comes to them by
//! another way. Opening the link and each download are entries in `_access`, on disk before
//! anything is shown, with the recipient's name. Only hashes of the URL's token and of the pass
//! phrase rest; both are random and long, so that a plain hash cannot be guessed back.

use serde::{Deserialize, Serialize};
use serde_json::json;
use subtle::ConstantTimeEq as _;
use utoipa::ToSchema;

use super::vault::Vault;
use super::{Download, FileView, Question};
use crate::audit::access::{self, Act, Purpose, Reading};
use crate::audit::guard::{Source, Target};
use crate::audit::password::{pass_phrase, typed_pass_phrase};
use crate::audit::{Audit, AuditError, Caller, LINK_ACTOR, rights};
use crate::digest::Digest;
use crate::ids::{JobId, LinkId};
use crate::limits::{MAX_ID_BYTES, MAX_LINKS};
use crate::messages::Said;
use crate::random;
use crate::state::{ExportRow, JobStatus, LinkRow};
use crate::time::Timestamp;

/// A link to be made.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkRequest {
    /// When it ends, RFC 3339; not later than the export.
    pub expires: String,
    /// Whom it is for; it stands in `_access`, and rests sealed.
    pub recipient: String,
    /// Whether a pass phrase is asked for, which is made and shown once; `true`, if absent.
    #[serde(default = "yes")]
    pub pass_phrase: bool,
}

/// The safe choice is the default one.
fn yes() -> bool {
    true
}

/// A link as it is shown.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SharedLinkView {
    /// Its id, which is not its URL.
    pub id: String,
    /// Whom it is for.
    pub recipient: String,
    /// Whether it asks for a pass phrase.
    pub pass_phrase: bool,
    /// When it was made.
    pub created_at: String,
    /// When it ends.
    pub expires_at: String,
    /// When it was revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<String>,
    /// Downloads so far.
    pub downloads: u64,
    /// When it was last opened or downloaded from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<String>,
}

/// A link just made: the only time that its URL and its pass phrase are shown.
#[derive(Serialize, ToSchema)]
pub struct MadeLink {
    /// What is shown of it from now on.
    pub link: SharedLinkView,
    /// The path of its URL on this server.
    pub path: String,
    /// The pass phrase; send it by another way than the URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// A link as whoever has its URL sees it, before the pass phrase.
#[derive(Debug, Clone)]
pub struct ClosedLink {
    /// Whether it asks for a pass phrase.
    pub pass_phrase: bool,
    /// When it ends.
    pub expires_at: String,
}

/// What an open link shows.
#[derive(Debug, Clone)]
pub struct OpenLink {
    /// When it ends.
    pub expires_at: String,
    /// When the export was made.
    pub made_at: Option<String>,
    /// VERIFIED, or the gravest finding.
    pub verdict: String,
    /// Entries that name the subject.
    pub entries: u64,
    /// Of these, withheld.
    pub withheld: u64,
    /// The files.
    pub files: Vec<FileView>,
}

/// Who opens a link, and with what.
#[derive(Debug, Clone, Copy)]
pub struct LinkVisit<'a> {
    /// The URL's token.
    pub token: &'a str,
    /// The pass phrase as it was typed.
    pub pass_phrase: &'a str,
    /// The visitor's address.
    pub address: std::net::IpAddr,
}

/// A link that was opened.
struct Opened {
    link: LinkRow,
    row: ExportRow,
    vault: Vault,
    question: Question,
}

impl Audit {
    /// Makes a link to a finished export. It is in `_access` before it is shown.
    pub async fn create_link(
        &self,
        caller: &Caller,
        export: &str,
        request: &LinkRequest,
    ) -> Result<MadeLink, AuditError> {
        caller.require(rights::EXPORT)?;
        let (row, vault, question) = self.allowed_export(caller, export).await?;
        must_be_done(&row)?;
        let recipient = recipient(&request.recipient)?;
        let now = self.now();
        let expires_at = access::time("expires", &request.expires)?;
        check_end(expires_at, now, row.expires_at)?;
        if self.parts.state.links_of(row.id).await?.len() >= MAX_LINKS {
            let detail = Said::new("refusal-links").count("n", MAX_LINKS as u64);
            return Err(AuditError::invalid("expires", detail));
        }
        let random = &*self.parts.random;
        // Two secrets: the token is in the URL, which mail servers and proxies see; the pass phrase
        // is not.
        let id = LinkId(random::bytes(random));
        let token = hex::encode(random::bytes::<32>(random));
        let secret = request.pass_phrase.then(|| pass_phrase(random));
        let what = json!({
            "export": row.id.to_string(), "link": id.to_string(),
            "expires": expires_at.to_string(), "pass_phrase": request.pass_phrase,
        });
        let mut act = Act::of(caller);
        act.recipient = Some(recipient.clone());
        self.write(&act, &question.reading("share", what)?).await?;
        let link = LinkRow {
            id,
            export: row.id,
            token: caller.id(),
            recipient: vault.seal(&sealed_name(id), recipient.as_bytes())?,
            pass_phrase: secret.as_deref().map(|text| Digest::of(&[text.as_bytes()])),
            created_at: now,
            expires_at,
            revoked_at: None,
            downloads: 0,
            last_used_at: None,
        };
        self.parts
            .state
            .add_link(&link, &token_hash(&token))
            .await?;
        Ok(MadeLink {
            link: SharedLinkView::of(&link, recipient),
            path: format!("/r/{token}"),
            secret,
        })
    }

    /// An export's links, the newest first.
    pub async fn links(
        &self,
        caller: &Caller,
        export: &str,
    ) -> Result<Vec<SharedLinkView>, AuditError> {
        caller.require(rights::EXPORT)?;
        let (row, vault, _) = self.allowed_export(caller, export).await?;
        let links = self.parts.state.links_of(row.id).await?;
        let view = |link: &LinkRow| Ok(SharedLinkView::of(link, recipient_of(link, &vault)?));
        links.iter().map(view).collect()
    }

    /// Ends a link.
    pub async fn revoke_link(
        &self,
        caller: &Caller,
        export: &str,
        link: &str,
    ) -> Result<(), AuditError> {
        caller.require(rights::EXPORT)?;
        let (row, _, question) = self.allowed_export(caller, export).await?;
        let link = LinkId::parse(link).ok_or(AuditError::NotFound("thing-link"))?;
        let what = json!({"export": row.id.to_string(), "link": link.to_string()});
        if !self
            .parts
            .state
            // Ended first: a link that somebody wants closed must not stay open because `_access`
            // is full.
            .revoke_link(row.id, link, self.now())
            .await?
        {
            return Err(AuditError::NotFound("thing-link"));
        }
        self.record(caller, &question.reading("revoke_link", what)?)
            .await
    }

    /// A link that holds, as anybody sees it who has its URL.
    pub async fn closed_link(&self, token: &str) -> Result<ClosedLink, AuditError> {
        let link = self.valid_link(token).await?;
        Ok(ClosedLink {
            pass_phrase: link.pass_phrase.is_some(),
            expires_at: link.expires_at.to_string(),
        })
    }

    /// Opens a link: what the export has. It is in `_access` before it is shown.
    pub async fn open_link(&self, visit: LinkVisit<'_>) -> Result<OpenLink, AuditError> {
        let opened = self.opened(visit).await?;
        let outcome = self.outcome(&opened.row, &opened.vault)?;
        self.record_visit(&opened, visit, "open_link", None).await?;
        let state = &self.parts.state;
        state.use_link(opened.link.id, 0, self.now()).await?;
        Ok(OpenLink {
            expires_at: opened.link.expires_at.to_string(),
            made_at: opened.row.finished_at.map(|at| at.to_string()),
            verdict: outcome.verdict,
            entries: outcome.entries,
            withheld: outcome.withheld,
            files: outcome.files,
        })
    }

    /// Downloads a file through a link. It is counted, and in `_access`, before it begins.
    pub async fn download_by_link(
        &self,
        visit: LinkVisit<'_>,
        name: &str,
    ) -> Result<(Download, JobId), AuditError> {
        let opened = self.opened(visit).await?;
        let outcome = self.outcome(&opened.row, &opened.vault)?;
        let content_type = outcome.content_type(name)?;
        self.record_visit(&opened, visit, "download", Some(name))
            .await?;
        let state = &self.parts.state;
        state.use_link(opened.link.id, 1, self.now()).await?;
        let download = Download::open(&opened.vault, name, content_type)?;
        Ok((download, opened.row.id))
    }

    /// A link that holds, by its URL's token. That of an ended one is said to be over, which tells
    /// nothing to whoever has no URL.
    async fn valid_link(&self, token: &str) -> Result<LinkRow, AuditError> {
        let link = self.parts.state.link_by_secret(&token_hash(token)).await?;
        let link = link.ok_or(AuditError::NotFound("thing-link"))?;
        match link.revoked_at.is_none() && self.now() < link.expires_at {
            true => Ok(link),
            false => Err(AuditError::Expired("thing-link")),
        }
    }

    /// A link that holds, for whoever knows its pass phrase.
    async fn opened(&self, visit: LinkVisit<'_>) -> Result<Opened, AuditError> {
        let link = self.valid_link(visit.token).await?;
        if let Some(expected) = &link.pass_phrase {
            let target: Target = Digest::of(&[b"link", &link.id.0]);
            let source = Source::Address(visit.address);
            self.guess(target, source)?;
            let typed = Digest::of(&[typed_pass_phrase(visit.pass_phrase).as_bytes()]);
            if !bool::from(typed.0.ct_eq(&expected.0)) {
                return Err(AuditError::Unauthorized);
            }
            // A wrong phrase stays a miss of the link and of the network; tokens in URLs are not
            // guessed.
            self.guard.was_right(target, source);
        }
        let row = self.parts.state.export(link.export).await?;
        let row = row.filter(|row| !row.key.is_empty());
        let row = row.ok_or(AuditError::Expired("thing-link"))?;
        let (vault, question) = self.open_question(&row)?;
        Ok(Opened {
            link,
            row,
            vault,
            question,
        })
    }

    /// Writes what is done through a link to `_access`, in the name of the link and for its
    /// recipient.
    async fn record_visit(
        &self,
        opened: &Opened,
        visit: LinkVisit<'_>,
        operation: &'static str,
        file: Option<&str>,
    ) -> Result<(), AuditError> {
        let mut what = json!({
            "export": opened.row.id.to_string(), "link": opened.link.id.to_string(),
        });
        if let Some(file) = file {
            what["file"] = file.into();
        }
        let act = Act {
            actor: format!("{LINK_ACTOR}{}", opened.link.id),
            actor_role: "link".into(),
            // Whoever made the link answers for what is handed out through it.
            submitted_by: opened.link.token,
            address: Some(visit.address),
            recipient: Some(recipient_of(&opened.link, &opened.vault)?),
        };
        self.write(&act, &opened.question.reading(operation, what)?)
            .await
    }
}

impl Question {
    /// An act about this export's subject, for its purpose.
    fn reading(
        &self,
        operation: &'static str,
        what: serde_json::Value,
    ) -> Result<Reading, AuditError> {
        Ok(Reading {
            operation,
            subjects: vec![access::subject(&self.subject)?],
            purpose: Some(Purpose {
                purpose: self.purpose.clone(),
                case: self.case.clone(),
            }),
            what,
        })
    }
}

impl SharedLinkView {
    /// Neither the token nor the pass phrase is in it: both are gone once they were shown.
    fn of(link: &LinkRow, recipient: String) -> Self {
        Self {
            id: link.id.to_string(),
            recipient,
            pass_phrase: link.pass_phrase.is_some(),
            created_at: link.created_at.to_string(),
            expires_at: link.expires_at.to_string(),
            revoked_at: link.revoked_at.map(|at| at.to_string()),
            downloads: link.downloads,
            last_used_at: link.last_used_at.map(|at| at.to_string()),
        }
    }
}

/// Only a finished export has something to hand out.
fn must_be_done(row: &ExportRow) -> Result<(), AuditError> {
    match row.status {
        JobStatus::Done => Ok(()),
        JobStatus::Failed => Err(AuditError::NotFound("thing-export-failed")),
        _ => Err(AuditError::Unavailable("refusal-link-unfinished".into())),
    }
}

/// A link must end later than now, and not later than the export, whose key goes then.
fn check_end(end: Timestamp, now: Timestamp, latest: Timestamp) -> Result<(), AuditError> {
    if end <= now {
        return Err(AuditError::invalid("expires", "refusal-passed"));
    }
    if end > latest {
        let detail = Said::new("refusal-kept-until").arg("at", latest);
        return Err(AuditError::invalid("expires", detail));
    }
    Ok(())
}

/// A recipient's name as asked for. It must be there: GDPR Art. 15(1)(c) asks for it, and a report
/// names it.
fn recipient(name: &str) -> Result<String, AuditError> {
    let name = name.trim();
    if name.is_empty() || name.len() > MAX_ID_BYTES || name.chars().any(char::is_control) {
        return Err(AuditError::invalid(
            "recipient",
            Said::new("refusal-recipient").count("n", MAX_ID_BYTES as u64),
        ));
    }
    Ok(name.to_owned())
}

/// A recipient's name, unsealed under the export's key: it goes when the export does.
fn recipient_of(link: &LinkRow, vault: &Vault) -> Result<String, AuditError> {
    let bytes = vault.unseal(&sealed_name(link.id), &link.recipient)?;
    String::from_utf8(bytes).map_err(|error| AuditError::Internal(error.to_string()))
}

/// What the recipient's name is sealed as, so that it cannot be moved to another link.
fn sealed_name(id: LinkId) -> String {
    format!("recipient of link {id}")
}

/// What rests of a URL's token.
fn token_hash(token: &str) -> Digest {
    Digest::of(&[token.as_bytes()])
}
