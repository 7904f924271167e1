-- Checkpoints that were each log's newest before; `limits.rs` says how many are kept.
CREATE TABLE past_checkpoints (
    log       TEXT NOT NULL,
    size      INTEGER NOT NULL,
    root      BLOB NOT NULL,
    note      TEXT NOT NULL,
    signed_at INTEGER NOT NULL,
    kept      INTEGER NOT NULL,             -- as 0: the last of an hour, 1: of a day, 2: an export's
    PRIMARY KEY (log, size)
) STRICT, WITHOUT ROWID;
CREATE INDEX past_checkpoints_by_kept ON past_checkpoints (log, kept, size);
