-- Cases: ids of one person, looked at together. What a case is about rests sealed.
CREATE TABLE cases (
    id         BLOB PRIMARY KEY,            -- 16 random bytes
    token      BLOB NOT NULL,               -- who made it
    created_at INTEGER NOT NULL,
    key        BLOB NOT NULL,               -- the case's DEK, wrapped
    content    BLOB NOT NULL,               -- sealed JSON: ids, purpose, case number, logs, filters, exports
    version    INTEGER NOT NULL             -- of the content: a change replaces the one that it was made from
) STRICT;
CREATE INDEX cases_by_token ON cases (token, created_at);
