-- Everything a server owns has server_id first in its keys and indexes.
-- name_key is the folded name, made by bot/store/names.py: SQLite's NOCASE knows ASCII only.

CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Ids are counted for the whole file and never used twice, so that a button of a removed thing stays dead.
CREATE TABLE counters (
    thing TEXT NOT NULL PRIMARY KEY,
    last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO counters (thing, last)
VALUES ('campaigns', 0), ('characters', 0), ('drafts', 0);

CREATE TABLE campaigns (
    server_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    ruleset TEXT NOT NULL,
    settings TEXT NOT NULL,
    clock INTEGER NOT NULL,
    gm_role INTEGER,
    is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    is_archived INTEGER NOT NULL CHECK (is_archived IN (0, 1)),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (server_id, id),
    CHECK (is_default = 0 OR is_archived = 0)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX campaigns_name ON campaigns (server_id, name_key);
CREATE UNIQUE INDEX campaigns_default ON campaigns (server_id) WHERE is_default = 1;

CREATE TABLE places (
    server_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    PRIMARY KEY (server_id, place),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX places_campaign ON places (server_id, campaign_id);

CREATE TABLE gms (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    person INTEGER NOT NULL,
    PRIMARY KEY (server_id, campaign_id, person),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE characters (
    server_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    owner INTEGER,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    is_hidden INTEGER NOT NULL CHECK (is_hidden IN (0, 1)),
    is_retired INTEGER NOT NULL CHECK (is_retired IN (0, 1)),
    sheet_version INTEGER NOT NULL,
    sheet TEXT NOT NULL,
    PRIMARY KEY (server_id, id),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX characters_campaign ON characters (server_id, campaign_id, name_key);
CREATE UNIQUE INDEX characters_name ON characters (server_id, campaign_id, name_key) WHERE is_retired = 0;

CREATE TABLE resources (
    server_id INTEGER NOT NULL,
    character_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    value INTEGER NOT NULL CHECK (value >= 0),
    cap INTEGER,
    PRIMARY KEY (server_id, character_id, key),
    FOREIGN KEY (server_id, character_id) REFERENCES characters (server_id, id),
    CHECK (cap IS NULL OR value <= cap)
) STRICT, WITHOUT ROWID;

CREATE TABLE wounds (
    server_id INTEGER NOT NULL,
    character_id INTEGER NOT NULL,
    track TEXT NOT NULL,
    level INTEGER NOT NULL CHECK (level >= 0),
    filled INTEGER NOT NULL CHECK (filled >= 0),
    capacity INTEGER NOT NULL,
    PRIMARY KEY (server_id, character_id, track, level),
    FOREIGN KEY (server_id, character_id) REFERENCES characters (server_id, id),
    CHECK (filled <= capacity)
) STRICT, WITHOUT ROWID;

CREATE TABLE timers (
    server_id INTEGER NOT NULL,
    character_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    due INTEGER NOT NULL,
    PRIMARY KEY (server_id, character_id, key),
    FOREIGN KEY (server_id, character_id) REFERENCES characters (server_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE current_characters (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    person INTEGER NOT NULL,
    character_id INTEGER NOT NULL,
    PRIMARY KEY (server_id, campaign_id, person),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id),
    FOREIGN KEY (server_id, character_id) REFERENCES characters (server_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX current_characters_character ON current_characters (server_id, character_id);

CREATE TABLE documents (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (server_id, campaign_id, key),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    number INTEGER NOT NULL CHECK (number >= 1),
    channel INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    active_at INTEGER NOT NULL,
    event INTEGER,
    voice INTEGER,
    empty_since INTEGER,
    PRIMARY KEY (server_id, campaign_id, number),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX sessions_open ON sessions (server_id, campaign_id) WHERE ended_at IS NULL;

-- Seeds, drafts and the journal outlive a campaign whose making was undone: no reference to campaigns here.
CREATE TABLE seeds (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    number INTEGER NOT NULL CHECK (number >= 1),
    secret BLOB NOT NULL,
    commitment TEXT NOT NULL,
    revealed_at INTEGER,
    PRIMARY KEY (server_id, campaign_id, number)
) STRICT, WITHOUT ROWID;

-- Journal entries and follow-ups are added all the time: their ids count up in the order of the file, so that
-- those of all servers are written side by side. They are looked up by id and server, never by id alone.
CREATE TABLE entries (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    session_number INTEGER,
    at INTEGER NOT NULL,
    interaction TEXT NOT NULL,
    channel INTEGER NOT NULL,
    person INTEGER NOT NULL,
    person_name TEXT NOT NULL,
    character_id INTEGER,
    kind TEXT NOT NULL,
    told TEXT NOT NULL,
    rolls TEXT NOT NULL,
    changes TEXT NOT NULL,
    seed INTEGER,
    is_secret INTEGER NOT NULL CHECK (is_secret IN (0, 1)),
    undone_by INTEGER,
    undoes INTEGER
) STRICT;

-- The same holds for interactions: later ones have higher ids.
CREATE UNIQUE INDEX entries_interaction ON entries (interaction, server_id);
CREATE INDEX entries_undone_by ON entries (server_id, undone_by) WHERE undone_by IS NOT NULL;

-- Every filter of the journal is answered from this index alone.
CREATE INDEX entries_server
ON entries (server_id, id, campaign_id, session_number, person, character_id, is_secret);

CREATE TABLE follow_ups (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    entry_id INTEGER NOT NULL,
    body TEXT NOT NULL,
    group_key TEXT NOT NULL,
    closed_by INTEGER,
    FOREIGN KEY (entry_id) REFERENCES entries (id)
) STRICT;

CREATE INDEX follow_ups_entry ON follow_ups (entry_id, server_id);
CREATE INDEX follow_ups_closed_by ON follow_ups (server_id, closed_by) WHERE closed_by IS NOT NULL;

CREATE TABLE drafts (
    server_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    person INTEGER NOT NULL,
    step TEXT NOT NULL,
    answers TEXT NOT NULL,
    PRIMARY KEY (server_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX drafts_person ON drafts (server_id, campaign_id, person);
