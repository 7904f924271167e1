//! Pages of lists.

use serde::Deserialize;
use utoipa::IntoParams;

use crate::audit::{AuditError, RangeFilter};
use crate::base64;

/// Rows of a page, if the query names no number.
const ROWS: u32 = 100;
/// Rows of the longest page.
const MAX_ROWS: u32 = 1000;

/// Which page of a list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct PageQuery {
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// Rows of a page, 100 if absent, at most 1,000.
    pub limit: Option<u32>,
}

/// Which page of a list, and between which moments its rows lie.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct RangeQuery {
    /// From this moment on, RFC 3339.
    from: Option<String>,
    /// Before this moment, RFC 3339.
    to: Option<String>,
    /// Where the page before ended.
    cursor: Option<String>,
    /// Rows of a page, 100 if absent, at most 1,000.
    limit: Option<u32>,
}

impl From<RangeQuery> for RangeFilter {
    fn from(query: RangeQuery) -> Self {
        Self {
            from: query.from,
            to: query.to,
            cursor: query.cursor,
            limit: query.limit,
        }
    }
}

impl PageQuery {
    /// The page of a list whose rows are told apart by `id`, and where the next begins.
    pub fn of<T>(
        &self,
        mut rows: Vec<T>,
        id: impl Fn(&T) -> &str,
    ) -> Result<(Vec<T>, Option<String>), AuditError> {
        let limit = self.limit.unwrap_or(ROWS);
        if limit == 0 || limit > MAX_ROWS {
            return Err(AuditError::page_rows(MAX_ROWS.into()));
        }
        if let Some(cursor) = &self.cursor {
            let last = base64::decode(cursor).unwrap_or_default();
            let at = rows.iter().position(|row| id(row).as_bytes() == last);
            let at = at.ok_or_else(|| AuditError::invalid("cursor", "refusal-cursor"))?;
            rows.drain(..=at);
        }
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let last = rows.last().filter(|_| more);
        let cursor = last.map(|row| base64::encode(id(row).as_bytes()));
        Ok((rows, cursor))
    }
}
