-- Not rebuildable: back this file up. Times are microseconds since 1970, UTC.

CREATE TABLE tokens (
    id         BLOB PRIMARY KEY,            -- 16 bytes, public
    secret     BLOB NOT NULL UNIQUE,        -- SHA-256 of the secret part; the secret is 32 random bytes
    name       TEXT NOT NULL,
    role       TEXT NOT NULL,
    logs       TEXT,                        -- JSON array of log names; NULL: all
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT;

CREATE TABLE sessions (
    secret       BLOB PRIMARY KEY,          -- SHA-256 of the cookie's value
    token        BLOB NOT NULL REFERENCES tokens (id),
    created_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_token ON sessions (token);

-- The newest checkpoint of each log: compared and swapped here before anybody sees it.
CREATE TABLE checkpoints (
    log       TEXT PRIMARY KEY,
    size      INTEGER NOT NULL,
    root      BLOB NOT NULL,
    note      TEXT NOT NULL,
    signed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE log_settings (
    log      TEXT PRIMARY KEY,
    settings TEXT NOT NULL                  -- JSON
) STRICT;

-- A job's question (subject, purpose, …) is sealed under the job's own DEK.
CREATE TABLE exports (
    id          BLOB PRIMARY KEY,
    token       BLOB NOT NULL,
    status      TEXT NOT NULL,              -- queued, running, done, failed
    created_at  INTEGER NOT NULL,
    finished_at INTEGER,
    expires_at  INTEGER NOT NULL,
    key         BLOB NOT NULL,              -- the job's DEK, wrapped
    question    BLOB NOT NULL,              -- sealed JSON
    outcome     BLOB,                       -- sealed JSON: verdict, counts, findings, files
    digest      BLOB,                       -- SHA-256 of the bundle; stays when its files go
    failure     TEXT
) STRICT;
CREATE INDEX exports_by_time ON exports (created_at);

CREATE TABLE verifications (
    id          BLOB PRIMARY KEY,
    token       BLOB NOT NULL,
    log         TEXT NOT NULL,
    status      TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    finished_at INTEGER,
    covered     INTEGER NOT NULL,           -- links verified
    outcome     TEXT                        -- JSON: verdict, findings, coverage
) STRICT;
CREATE INDEX verifications_by_log ON verifications (log, created_at);
