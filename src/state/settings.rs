//! What an admin sets for a log.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::{State, StateError};
use crate::ids::LogName;

/// Settings of one log.
///
/// Kept as JSON; an unknown name is an error, so that an older release does not drop what a newer
/// one has set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LogSettings {
    /// What the log is for, shown to auditors.
    pub description: String,
    /// Whether reading it asks for a case number besides the purpose.
    pub require_case: bool,
}

impl State {
    /// A log's settings; the default where none were made.
    pub async fn log_settings(&self, log: &LogName) -> Result<LogSettings, StateError> {
        let row = sqlx::query("SELECT settings FROM log_settings WHERE log = ?")
            .bind(log.as_str())
            .fetch_optional(&self.pool)
            .await?;
        let Some(row) = row else {
            return Ok(LogSettings::default());
        };
        let text: String = row.try_get(0)?;
        serde_json::from_str(&text).map_err(|error| StateError(error.to_string()))
    }

    /// The settings of those logs for which some were made.
    pub async fn settings_of(
        &self,
        logs: &[LogName],
    ) -> Result<HashMap<LogName, LogSettings>, StateError> {
        let mut query = QueryBuilder::<Sqlite>::new("SELECT * FROM log_settings WHERE log IN (");
        let mut names = query.separated(", ");
        for log in logs {
            names.push_bind(log.as_str());
        }
        query.push(")");
        let rows = query.build().fetch_all(&self.pool).await?;
        let read = |row: &SqliteRow| {
            let (log, text): (String, String) = (row.try_get("log")?, row.try_get("settings")?);
            let log = LogName::new(&log).map_err(|error| StateError(error.to_string()))?;
            let settings = serde_json::from_str(&text);
            Ok((
                log,
                settings.map_err(|error| StateError(error.to_string()))?,
            ))
        };
        rows.iter().map(read).collect()
    }

    /// Sets a log's settings.
    pub async fn set_log_settings(
        &self,
        log: &LogName,
        settings: &LogSettings,
    ) -> Result<(), StateError> {
        let text =
            serde_json::to_string(settings).map_err(|error| StateError(error.to_string()))?;
        sqlx::query(
            "INSERT INTO log_settings (log, settings) VALUES (?, ?)
                     ON CONFLICT (log) DO UPDATE SET settings = excluded.settings",
        )
        .bind(log.as_str())
        .bind(text)
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}
