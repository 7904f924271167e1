-- Names behind pseudonyms of the access log: asked for by one person, allowed by another.
CREATE TABLE reveals (
    id         BLOB PRIMARY KEY,
    account    BLOB NOT NULL,               -- whose name
    entry      INTEGER NOT NULL,            -- of _access, by which it was asked for
    requester  BLOB NOT NULL,               -- the account that asks
    created_at INTEGER NOT NULL,
    key        BLOB NOT NULL,               -- the request's DEK, wrapped
    reason     BLOB NOT NULL,               -- sealed JSON: purpose and case
    decider    BLOB,                        -- the account that decided
    approved   INTEGER,
    decided_at INTEGER,
    shown_at   INTEGER                      -- once
) STRICT;
CREATE INDEX reveals_by_time ON reveals (created_at);
