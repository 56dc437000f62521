-- The slash commands that Discord has for a single server: its games' own, beside those of every server.

CREATE TABLE server_commands (
    server_id INTEGER NOT NULL PRIMARY KEY,
    seen TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    ids TEXT NOT NULL,
    needs TEXT NOT NULL
) STRICT;
