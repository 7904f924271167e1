//! Checks of logs: what was asked, what came of it, and which of them has last covered what.

use std::collections::HashSet;

use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::{JobStatus, State, StateError, array};
use crate::ids::{JobId, LogName, SegmentNumber, TokenId};
use crate::time::Timestamp;

/// A check as it rests.
#[derive(Debug, Clone)]
pub struct VerificationRow {
    /// The job.
    pub id: JobId,
    /// Who asked; zeros where the schedule did.
    pub token: TokenId,
    /// The log.
    pub log: LogName,
    /// How far it is.
    pub status: JobStatus,
    /// When it was asked.
    pub created_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// Links under which it has found nothing; while it runs, where it may go on.
    /// In links, so that it can be compared with a checkpoint's size.
    pub covered: u64,
    /// Verdict, findings and coverage, as JSON; or why it failed.
    pub outcome: Option<String>,
    /// What was asked, as JSON.
    pub request: String,
    /// Whether the schedule asked.
    pub scheduled: bool,
}

/// What came of a check.
/// Everything that one transaction writes.
pub struct Finished<'a> {
    /// The job.
    pub id: JobId,
    /// Its log.
    pub log: &'a LogName,
    /// When it ended.
    pub at: Timestamp,
    /// Links under which nothing was found.
    pub covered: u64,
    /// The verdict's word.
    pub verdict: &'a str,
    /// How many findings.
    pub findings: u64,
    /// Verdict, findings and coverage, as JSON.
    pub outcome: &'a str,
    /// The closed segments that it has covered: the first, and behind the last.
    /// Equal if it has covered none.
    pub segments: (SegmentNumber, SegmentNumber),
}

/// Segments that one check has covered last.
/// Ranges of a log never overlap: the later check takes its segments over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedRange {
    /// The first segment.
    pub first: SegmentNumber,
    /// Behind the last segment.
    pub end: SegmentNumber,
    /// The check; its row may be forgotten if it found nothing.
    pub verification: JobId,
    /// The check's verdict.
    pub verdict: String,
    /// When it ended.
    pub finished_at: Timestamp,
}

/// The last check of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogCheck {
    /// The log.
    pub log: LogName,
    /// Since when the schedule knows it.
    pub seen_at: Timestamp,
    /// The check, its verdict, the number of its findings, and when it ended.
    pub last: Option<(JobId, String, u64, Timestamp)>,
}

/// Which checks are asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct VerificationQuery<'a> {
    /// Of these logs; of all, if absent.
    pub logs: Option<&'a [LogName]>,
    /// Only those that have found something, or failed.
    pub found: bool,
    /// Those before this one in the list.
    /// By time and id, since two may have been asked for in one microsecond.
    pub before: Option<(Timestamp, JobId)>,
    /// How many, at most.
    pub limit: u32,
}

impl State {
    /// Keeps a new check.
    pub async fn add_verification(&self, row: &VerificationRow) -> Result<(), StateError> {
        sqlx::query(
            "INSERT INTO verifications (id, token, log, status, created_at, covered, request, scheduled)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(row.id.0.as_slice())
        .bind(row.token.0.as_slice())
        .bind(row.log.as_str())
        .bind(row.status.word())
        .bind(row.created_at.0)
        .bind(row.covered as i64)
        .bind(&row.request)
        .bind(row.scheduled)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// A check.
    pub async fn verification(&self, id: JobId) -> Result<Option<VerificationRow>, StateError> {
        let row = sqlx::query("SELECT * FROM verifications WHERE id = ?")
            .bind(id.0.as_slice())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(read_verification).transpose()
    }

    /// The check whose turn it is: one that was cut off, then those that people asked for.
    ///
    /// So that what people wait for is not behind the schedule's work, and a restart ends what it
    /// began.
    pub async fn next_verification(&self) -> Result<Option<VerificationRow>, StateError> {
        let row = sqlx::query(
            "SELECT * FROM verifications WHERE status IN ('queued', 'running')
             ORDER BY status = 'queued', scheduled, created_at, id LIMIT 1",
        )
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(read_verification).transpose()
    }

    /// How many checks wait or run.
    pub async fn waiting_verifications(&self) -> Result<u64, StateError> {
        let row =
            sqlx::query("SELECT count(*) FROM verifications WHERE status IN ('queued', 'running')")
                .fetch_one(&self.pool)
                .await?;
        Ok(row.try_get::<i64, _>(0)? as u64)
    }

    /// The logs for which a check waits or runs.
    pub async fn logs_in_verification(&self) -> Result<HashSet<LogName>, StateError> {
        let rows = sqlx::query(
            "SELECT DISTINCT log FROM verifications WHERE status IN ('queued', 'running')",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|row| log_name(row, "log")).collect()
    }

    /// Checks, the newest first.
    pub async fn verifications(
        &self,
        query: VerificationQuery<'_>,
    ) -> Result<Vec<VerificationRow>, StateError> {
        let mut sql = QueryBuilder::<Sqlite>::new("SELECT * FROM verifications WHERE 1");
        if let Some(logs) = query.logs {
            sql.push(" AND log IN (");
            let mut names = sql.separated(", ");
            for log in logs {
                names.push_bind(log.as_str());
            }
            sql.push(")");
        }
        if query.found {
            sql.push(" AND (verdict <> 'VERIFIED' OR status = 'failed')");
        }
        if let Some((at, id)) = query.before {
            sql.push(" AND (created_at, id) < (").push_bind(at.0);
            sql.push(", ").push_bind(id.0.to_vec()).push(")");
        }
        sql.push(" ORDER BY created_at DESC, id DESC LIMIT ");
        sql.push_bind(query.limit);
        let rows = sql.build().fetch_all(&self.pool).await?;
        rows.iter().map(read_verification).collect()
    }

    /// The newest finished check of a log.
    pub async fn last_verification(
        &self,
        log: &LogName,
    ) -> Result<Option<VerificationRow>, StateError> {
        let row = sqlx::query(
            "SELECT * FROM verifications WHERE log = ? AND status = 'done'
             ORDER BY finished_at DESC LIMIT 1",
        )
        .bind(log.as_str())
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(read_verification).transpose()
    }

    /// Links up to which a log was found sound, link by link from its start, `deep` or not; none
    /// where a later check has found something.
    ///
    /// It only says where a check may begin: the catalog's row for that place is compared with the
    /// checkpoint's root before anything is believed. A check of some segments says nothing of
    /// those before, so it does not count.
    pub async fn sound_links(&self, log: &LogName, deep: bool) -> Result<u64, StateError> {
        let row = sqlx::query(
            "SELECT covered FROM verifications AS sound WHERE log = ?1 AND verdict = 'VERIFIED'
             AND request ->> 'first_segment' IS NULL AND request ->> 'last_segment' IS NULL
             AND (NOT ?2 OR request ->> 'deep') AND NOT EXISTS (
               SELECT 1 FROM verifications AS later WHERE later.log = ?1
               AND later.verdict <> 'VERIFIED' AND later.finished_at >= sound.finished_at)
             ORDER BY finished_at DESC LIMIT 1",
        )
        .bind(log.as_str())
        .bind(deep)
        .fetch_optional(&self.pool)
        .await?;
        row.map_or(Ok(0), |row| Ok(row.try_get::<i64, _>(0)? as u64))
    }

    /// Notes that a check runs, and where it may go on if it is cut off.
    /// Now and then; if it is lost, a check goes on from further back.
    pub async fn note_verification(&self, id: JobId, sound_links: u64) -> Result<(), StateError> {
        sqlx::query("UPDATE verifications SET status = 'running', covered = ? WHERE id = ?")
            .bind(sound_links as i64)
            .bind(id.0.as_slice())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Notes that a check could not be made.
    /// A failure covers nothing: its next try begins anew.
    pub async fn fail_verification(
        &self,
        id: JobId,
        now: Timestamp,
        why: &str,
    ) -> Result<(), StateError> {
        sqlx::query(
            "UPDATE verifications SET status = 'failed', finished_at = ?, covered = 0, outcome = ?
             WHERE id = ?",
        )
        .bind(now.0)
        .bind(why)
        .bind(id.0.as_slice())
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Notes what came of a check, and that it is the last one that has covered its segments.
    ///
    /// A check of a range is the log's last check only if it found something: a sound segment would
    /// otherwise hide what was found elsewhere, and put off the check that is due.
    /// One transaction, so that no log has a last check whose segments nobody covered.
    pub async fn finish_verification(&self, done: &Finished<'_>) -> Result<(), StateError> {
        let mut all = self.pool.begin().await?;
        sqlx::query(
            "UPDATE verifications SET status = 'done', finished_at = ?, covered = ?, verdict = ?,
             outcome = ? WHERE id = ?",
        )
        .bind(done.at.0)
        .bind(done.covered as i64)
        .bind(done.verdict)
        .bind(done.outcome)
        .bind(done.id.0.as_slice())
        .execute(&mut *all)
        .await?;
        sqlx::query(
            "INSERT INTO log_checks (log, seen_at, verification, verdict, findings, finished_at)
             SELECT ?1, ?2, ?3, ?4, ?5, ?2 FROM verifications WHERE id = ?3 AND (?5 > 0 OR
             (request ->> 'first_segment' IS NULL AND request ->> 'last_segment' IS NULL))
             ON CONFLICT (log) DO UPDATE SET
             verification = ?3, verdict = ?4, findings = ?5, finished_at = ?2",
        )
        .bind(done.log.as_str())
        .bind(done.at.0)
        .bind(done.id.0.as_slice())
        .bind(done.verdict)
        .bind(done.findings as i64)
        .execute(&mut *all)
        .await?;
        if done.segments.0 < done.segments.1 {
            // Ranges never overlap: what lies inside goes, what sticks out is cut.
            for cut in [
                "DELETE FROM checked_ranges WHERE log = ?1 AND first_segment >= ?2 AND segments_end <= ?3",
                "INSERT INTO checked_ranges SELECT log, ?3, segments_end, verification, verdict, finished_at
                 FROM checked_ranges WHERE log = ?1 AND first_segment < ?2 AND segments_end > ?3",
                "UPDATE checked_ranges SET segments_end = ?2
                 WHERE log = ?1 AND first_segment < ?2 AND segments_end > ?2",
                "UPDATE checked_ranges SET first_segment = ?3
                 WHERE log = ?1 AND first_segment >= ?2 AND first_segment < ?3 AND segments_end > ?3",
                // After the four above nothing overlaps it.
                "INSERT INTO checked_ranges VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            ] {
                sqlx::query(cut)
                    .bind(done.log.as_str())
                    .bind(done.segments.0 as i64)
                    .bind(done.segments.1 as i64)
                    .bind(done.id.0.as_slice())
                    .bind(done.verdict)
                    .bind(done.at.0)
                    .execute(&mut *all)
                    .await?;
            }
        }
        all.commit().await?;
        Ok(())
    }

    /// Which checks have last covered a log's segments `first ≤ segment < end`, ascending.
    pub async fn checked_ranges(
        &self,
        log: &LogName,
        first: SegmentNumber,
        end: SegmentNumber,
    ) -> Result<Vec<CheckedRange>, StateError> {
        let rows = sqlx::query(
            "SELECT * FROM checked_ranges WHERE log = ? AND segments_end > ? AND first_segment < ?
             ORDER BY first_segment",
        )
        .bind(log.as_str())
        .bind(first as i64)
        .bind(i64::try_from(end).unwrap_or(i64::MAX))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(read_range).collect()
    }

    /// The last check of every log, by name.
    pub async fn log_checks(&self) -> Result<Vec<LogCheck>, StateError> {
        let rows = sqlx::query("SELECT * FROM log_checks ORDER BY log")
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(read_check).collect()
    }

    /// Notes logs that the schedule has not known so far.
    /// A log that was never checked is due by when it was first seen.
    pub async fn see_logs(&self, logs: &[LogName], now: Timestamp) -> Result<(), StateError> {
        let mut all = self.pool.begin().await?;
        for log in logs {
            sqlx::query(
                "INSERT INTO log_checks (log, seen_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
            )
            .bind(log.as_str())
            .bind(now.0)
            .execute(&mut *all)
            .await?;
        }
        all.commit().await?;
        Ok(())
    }

    /// Forgets checks of the schedule from before a moment that found nothing; each log's newest
    /// stays. That they covered their segments stays known.
    /// What has found something is kept for ever, and so is what people asked for.
    pub async fn forget_verifications(&self, before: Timestamp) -> Result<(), StateError> {
        sqlx::query(
            "DELETE FROM verifications WHERE scheduled AND created_at < ? AND verdict = 'VERIFIED'
             AND id NOT IN (SELECT verification FROM log_checks WHERE verification IS NOT NULL)",
        )
        .bind(before.0)
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}

fn read_verification(row: &SqliteRow) -> Result<VerificationRow, StateError> {
    Ok(VerificationRow {
        id: JobId(array(row.try_get("id")?, "id")?),
        token: TokenId(array(row.try_get("token")?, "token")?),
        log: log_name(row, "log")?,
        status: JobStatus::read(row.try_get("status")?)?,
        created_at: Timestamp(row.try_get("created_at")?),
        finished_at: row.try_get::<Option<i64>, _>("finished_at")?.map(Timestamp),
        covered: row.try_get::<i64, _>("covered")? as u64,
        outcome: row.try_get("outcome")?,
        request: row.try_get("request")?,
        scheduled: row.try_get("scheduled")?,
    })
}

fn read_range(row: &SqliteRow) -> Result<CheckedRange, StateError> {
    Ok(CheckedRange {
        first: row.try_get::<i64, _>("first_segment")? as u64,
        end: row.try_get::<i64, _>("segments_end")? as u64,
        verification: JobId(array(row.try_get("verification")?, "verification")?),
        verdict: row.try_get("verdict")?,
        finished_at: Timestamp(row.try_get("finished_at")?),
    })
}

fn read_check(row: &SqliteRow) -> Result<LogCheck, StateError> {
    let verification: Option<Vec<u8>> = row.try_get("verification")?;
    let last = match verification {
        Some(id) => Some((
            JobId(array(id, "verification")?),
            row.try_get("verdict")?,
            row.try_get::<i64, _>("findings")? as u64,
            Timestamp(row.try_get("finished_at")?),
        )),
        None => None,
    };
    Ok(LogCheck {
        log: log_name(row, "log")?,
        seen_at: Timestamp(row.try_get("seen_at")?),
        last,
    })
}

fn log_name(row: &SqliteRow, column: &str) -> Result<LogName, StateError> {
    let log: String = row.try_get(column)?;
    LogName::new(&log).map_err(|error| StateError(error.to_string()))
}
