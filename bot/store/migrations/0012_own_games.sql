-- Games of one's own: what each is called on its server, the draft that is being written, and the published version.

CREATE TABLE own_games (
    server_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    draft TEXT,
    hash TEXT,
    version INTEGER NOT NULL,
    PRIMARY KEY (server_id, key)
) STRICT, WITHOUT ROWID;

-- Every published version that something still refers to, by the hash of its text.
CREATE TABLE own_game_versions (
    server_id INTEGER NOT NULL,
    hash TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (server_id, hash)
) STRICT, WITHOUT ROWID;
