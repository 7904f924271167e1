-- People who sign in with a name and a password. A person's role, logs and end stand in tokens
-- under the same id, with a secret that nobody has.
CREATE TABLE people (
    id         BLOB PRIMARY KEY REFERENCES tokens (id),
    sign_in    TEXT UNIQUE,                 -- the name in small letters; NULL once removed
    password   TEXT NOT NULL,               -- argon2id, as a PHC string; empty once removed
    changed_at INTEGER NOT NULL             -- the password
) STRICT;

-- Browsers in which a person has signed in: attacks from elsewhere do not slow them.
CREATE TABLE devices (
    secret  BLOB PRIMARY KEY,               -- SHA-256 of the cookie's value
    person  BLOB NOT NULL REFERENCES people (id),
    seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX devices_by_person ON devices (person, seen_at);

-- Links that hand a finished export to somebody without an account.
CREATE TABLE links (
    id           BLOB PRIMARY KEY,          -- 16 bytes, public
    secret       BLOB NOT NULL UNIQUE,      -- SHA-256 of the URL's token, which is 32 random bytes
    export       BLOB NOT NULL REFERENCES exports (id),
    token        BLOB NOT NULL,             -- who made it
    recipient    BLOB NOT NULL,             -- sealed under the export's DEK
    pass_phrase  BLOB,                      -- SHA-256 of 100 random bits; NULL: none is asked for
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    revoked_at   INTEGER,
    downloads    INTEGER NOT NULL DEFAULT 0,
    last_used_at INTEGER
) STRICT;
CREATE INDEX links_by_export ON links (export, created_at);
