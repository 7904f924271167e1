-- What a check was asked for, and where it may go on; times are microseconds since 1970, UTC.
ALTER TABLE verifications ADD COLUMN request   TEXT NOT NULL DEFAULT '{}';   -- JSON
ALTER TABLE verifications ADD COLUMN scheduled INTEGER NOT NULL DEFAULT 0;   -- by the server itself
ALTER TABLE verifications ADD COLUMN verdict   TEXT;                         -- once done
CREATE INDEX verifications_by_time ON verifications (created_at);
CREATE INDEX verifications_waiting ON verifications (status) WHERE status IN ('queued', 'running');

-- Which check has last covered a closed segment: ranges of a log's segments that never overlap.
CREATE TABLE checked_ranges (
    log           TEXT NOT NULL,
    first_segment INTEGER NOT NULL,
    segments_end  INTEGER NOT NULL,          -- behind the last one
    verification  BLOB NOT NULL,
    verdict       TEXT NOT NULL,             -- of the whole check
    finished_at   INTEGER NOT NULL,
    PRIMARY KEY (log, first_segment)
) STRICT, WITHOUT ROWID;

-- The last check of each log, and since when the schedule knows the log.
CREATE TABLE log_checks (
    log          TEXT PRIMARY KEY,
    seen_at      INTEGER NOT NULL,
    verification BLOB,
    verdict      TEXT,
    findings     INTEGER NOT NULL DEFAULT 0,
    finished_at  INTEGER
) STRICT, WITHOUT ROWID;
