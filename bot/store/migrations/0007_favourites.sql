-- Acts that players keep under a name, each for one of their characters.

INSERT INTO counters (thing, last)
VALUES ('favourites', 0);

CREATE TABLE favourites (
    server_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    character_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (server_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX favourites_name ON favourites (server_id, character_id, name_key);
