//! Closing cases of others: an administrator can, whoever made them, and reads nothing of them.

use serde_json::json;

use crate::audit::access::Reading;
use crate::audit::caller::pseudonym;
use crate::audit::integrity::page_rows;
use crate::audit::{Audit, AuditError, Caller, rights};
use crate::ids::CaseId;
use crate::state::CaseHead;
use crate::time::Timestamp;

/// An open case as an administrator sees it.
pub struct OpenCaseView {
    /// The case.
    pub id: String,
    /// When it was made.
    pub created_at: String,
    /// By whom, as a pseudonym.
    pub maker: String,
    /// Whether the maker's account has ended: nobody else than an administrator can close it.
    pub is_left: bool,
}

/// A page of open cases.
pub struct OpenCasesPage {
    /// The cases, the newest first.
    pub cases: Vec<OpenCaseView>,
    /// Where the next page begins; absent on the last.
    pub cursor: Option<String>,
}

impl Audit {
    /// Open cases of all accounts.
    pub async fn open_cases(
        &self,
        caller: &Caller,
        cursor: Option<&str>,
        limit: Option<u32>,
    ) -> Result<OpenCasesPage, AuditError> {
        caller.require(rights::MANAGE_CASES)?;
        let limit = page_rows(limit)?;
        let before = cursor.map(parse_cursor).transpose()?;
        let mut rows = self.parts.state.open_cases(before, limit + 1).await?;
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let now = self.now();
        let last = rows.last().filter(|_| more);
        let cursor = last.map(|last| format!("{}-{}", last.created_at.0, last.id));
        let view = |head: &CaseHead| OpenCaseView {
            id: head.id.to_string(),
            created_at: head.created_at.to_string(),
            maker: pseudonym(&head.token.to_string()),
            is_left: head.account_end.is_some_and(|end| end <= now),
        };
        Ok(OpenCasesPage {
            cases: rows.iter().map(view).collect(),
            cursor,
        })
    }

    /// Closes a case, whoever has made it: it is forgotten, with its key. That is in `_access`
    /// before.
    pub async fn end_case(&self, caller: &Caller, id: &str) -> Result<(), AuditError> {
        caller.require(rights::MANAGE_CASES)?;
        let id = CaseId::parse(id).ok_or(AuditError::NotFound("thing-case"))?;
        let state = &self.parts.state;
        let row = state.case(id).await?;
        let row = row.ok_or(AuditError::NotFound("thing-case"))?;
        let what = json!({
            "case_id": id.to_string(), "made_by": row.token.to_string(),
            "made_at": row.created_at.to_string(),
        });
        self.record(caller, &Reading::operation("close_case", what))
            .await?;
        match state.remove_case(id, row.token).await? {
            true => Ok(()),
            false => Err(AuditError::NotFound("thing-case")),
        }
    }
}

/// `MICROSECONDS-ID` of the last case of the page before. It is no secret: administrators see both.
fn parse_cursor(text: &str) -> Result<(Timestamp, CaseId), AuditError> {
    let parts = text.split_once('-');
    let parts = parts.and_then(|(at, id)| Some((at.parse().ok()?, CaseId::parse(id)?)));
    let (at, id) = parts.ok_or_else(AuditError::bad_cursor)?;
    Ok((Timestamp(at), id))
}
