-- Games of one's own: what each is called on its server, the draft that is being written, and the published version.

CREATE TABLE own_games (
    server_id BIGINT NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    draft TEXT COLLATE "C",
    hash TEXT COLLATE "C",
    version BIGINT NOT NULL,
    PRIMARY KEY (server_id, key)
);

-- Every published version that something still refers to, by the hash of its text.
CREATE TABLE own_game_versions (
    server_id BIGINT NOT NULL,
    hash TEXT COLLATE "C" NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (server_id, hash)
);
