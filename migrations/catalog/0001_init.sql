-- Derived from the segments: delete this file at any time, a restart rebuilds it.

CREATE TABLE segments (
    id            INTEGER PRIMARY KEY,
    log           TEXT NOT NULL,
    number        INTEGER NOT NULL,
    first_link    INTEGER NOT NULL,
    close_link    INTEGER NOT NULL,
    first_entry   INTEGER NOT NULL,
    entry_count   INTEGER NOT NULL,
    earliest      INTEGER NOT NULL,
    latest        INTEGER NOT NULL,
    subject_count INTEGER NOT NULL,
    unnamed       INTEGER NOT NULL,         -- entries that name nobody
    quarantined   INTEGER,                  -- of these; NULL: not counted
    closed_at     INTEGER NOT NULL,         -- microseconds, of the close link
    closed_pos    INTEGER NOT NULL,         -- its position in its sync
    close_place   INTEGER NOT NULL,         -- offset of the close link's frame
    file_bytes    INTEGER NOT NULL,
    head          BLOB NOT NULL,            -- leaf of the close link
    edge          BLOB NOT NULL,            -- right edge of the log's tree after it
    index_key     BLOB NOT NULL,
    UNIQUE (log, number)
) STRICT;

CREATE TABLE batches (
    segment     INTEGER NOT NULL,
    first_entry INTEGER NOT NULL,
    link        INTEGER NOT NULL,
    place       INTEGER NOT NULL,           -- offset of the frame in the file
    PRIMARY KEY (segment, first_entry)
) STRICT, WITHOUT ROWID;

-- Inserted in key order: sequential writes, one seek a segment to read.
CREATE TABLE postings (
    segment INTEGER NOT NULL,
    tag     BLOB NOT NULL,
    list    BLOB NOT NULL,                  -- (entry u64, event time i64) each, ascending
    PRIMARY KEY (segment, tag)
) STRICT, WITHOUT ROWID;

-- Idempotency keys of the last day.
CREATE TABLE requests (
    log         TEXT NOT NULL,
    key_hash    BLOB NOT NULL,
    body_hash   BLOB NOT NULL,
    first_entry INTEGER NOT NULL,
    entry_count INTEGER NOT NULL,
    link        INTEGER NOT NULL,
    link_hash   BLOB NOT NULL,
    received_at INTEGER NOT NULL,
    closed_at   INTEGER NOT NULL,
    PRIMARY KEY (log, key_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_by_time ON requests (closed_at);

-- Hashes of the log's tree in C2SP tlog-tiles: up to 256 of one level.
CREATE TABLE tiles (
    log    TEXT NOT NULL,
    level  INTEGER NOT NULL,
    number INTEGER NOT NULL,
    hashes BLOB NOT NULL,
    PRIMARY KEY (log, level, number)
) STRICT, WITHOUT ROWID;
