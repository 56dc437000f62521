-- Everything that SQLite's first nine migrations made. Every key and every reference begins with server_id, so that
-- the tables can be distributed by it. Texts are compared byte by byte, as in SQLite, whatever the database's locale.

-- A unit of work locks the row of its server. The row has the last id of each kind of thing there. None is used twice,
-- so that a button of a removed thing stays dead: the row stays even when everything else of a server is deleted.
CREATE TABLE servers (
    server_id BIGINT NOT NULL PRIMARY KEY,
    campaigns BIGINT NOT NULL DEFAULT 0,
    characters BIGINT NOT NULL DEFAULT 0,
    countdowns BIGINT NOT NULL DEFAULT 0,
    drafts BIGINT NOT NULL DEFAULT 0,
    entries BIGINT NOT NULL DEFAULT 0,
    favourites BIGINT NOT NULL DEFAULT 0,
    follow_ups BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE meta (
    key TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);

CREATE TABLE campaigns (
    server_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    name_key TEXT COLLATE "C" NOT NULL,
    ruleset TEXT COLLATE "C" NOT NULL,
    settings TEXT COLLATE "C" NOT NULL,
    clock BIGINT NOT NULL,
    gm_role BIGINT,
    is_default BIGINT NOT NULL CHECK (is_default IN (0, 1)),
    is_archived BIGINT NOT NULL CHECK (is_archived IN (0, 1)),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (server_id, id),
    CHECK (is_default = 0 OR is_archived = 0)
);
CREATE UNIQUE INDEX campaigns_name ON campaigns (server_id, name_key);
CREATE UNIQUE INDEX campaigns_default ON campaigns (server_id) WHERE is_default = 1;

CREATE TABLE places (
    server_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    PRIMARY KEY (server_id, place),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id)
);
CREATE INDEX places_campaign ON places (server_id, campaign_id);

CREATE TABLE gms (
    server_id BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    person BIGINT NOT NULL,
    PRIMARY KEY (server_id, campaign_id, person),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id)
);

CREATE TABLE characters (
    server_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    owner BIGINT,
    name TEXT COLLATE "C" NOT NULL,
    name_key TEXT COLLATE "C" NOT NULL,
    is_hidden BIGINT NOT NULL CHECK (is_hidden IN (0, 1)),
    is_retired BIGINT NOT NULL CHECK (is_retired IN (0, 1)),
    sheet_version BIGINT NOT NULL,
    sheet TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (server_id, id),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id)
);
CREATE INDEX characters_campaign ON characters (server_id, campaign_id, name_key);
CREATE UNIQUE INDEX characters_name ON characters (server_id, campaign_id, name_key) WHERE is_retired = 0;

CREATE TABLE resources (
    server_id BIGINT NOT NULL,
    character_id BIGINT NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    value BIGINT NOT NULL CHECK (value >= 0),
    cap BIGINT,
    PRIMARY KEY (server_id, character_id, key),
    FOREIGN KEY (server_id, character_id) REFERENCES characters (server_id, id),
    CHECK (cap IS NULL OR value <= cap)
);

CREATE TABLE wounds (
    server_id BIGINT NOT NULL,
    character_id BIGINT NOT NULL,
    track TEXT COLLATE "C" NOT NULL,
    level BIGINT NOT NULL CHECK (level >= 0),
    filled BIGINT NOT NULL CHECK (filled >= 0),
    capacity BIGINT NOT NULL,
    PRIMARY KEY (server_id, character_id, track, level),
    FOREIGN KEY (server_id, character_id) REFERENCES characters (server_id, id),
    CHECK (filled <= capacity)
);

CREATE TABLE timers (
    server_id BIGINT NOT NULL,
    character_id BIGINT NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    due BIGINT NOT NULL,
    PRIMARY KEY (server_id, character_id, key),
    FOREIGN KEY (server_id, character_id) REFERENCES characters (server_id, id)
);

CREATE TABLE current_characters (
    server_id BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    person BIGINT NOT NULL,
    character_id BIGINT NOT NULL,
    PRIMARY KEY (server_id, campaign_id, person),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id),
    FOREIGN KEY (server_id, character_id) REFERENCES characters (server_id, id)
);
CREATE INDEX current_characters_character ON current_characters (server_id, character_id);

CREATE TABLE documents (
    server_id BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (server_id, campaign_id, key),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id)
);

CREATE TABLE sessions (
    server_id BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    number BIGINT NOT NULL CHECK (number >= 1),
    channel BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT,
    active_at BIGINT NOT NULL,
    event BIGINT,
    voice BIGINT,
    empty_since BIGINT,
    PRIMARY KEY (server_id, campaign_id, number),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id)
);
CREATE UNIQUE INDEX sessions_open ON sessions (server_id, campaign_id) WHERE ended_at IS NULL;

CREATE TABLE seeds (
    server_id BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    number BIGINT NOT NULL CHECK (number >= 1),
    secret BYTEA NOT NULL,
    commitment TEXT COLLATE "C" NOT NULL,
    revealed_at BIGINT,
    PRIMARY KEY (server_id, campaign_id, number)
);

CREATE TABLE entries (
    server_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    session_number BIGINT,
    at BIGINT NOT NULL,
    interaction TEXT COLLATE "C" NOT NULL,
    channel BIGINT NOT NULL,
    person BIGINT NOT NULL,
    person_name TEXT COLLATE "C" NOT NULL,
    character_id BIGINT,
    kind TEXT COLLATE "C" NOT NULL,
    told TEXT COLLATE "C" NOT NULL,
    rolls TEXT COLLATE "C" NOT NULL,
    changes TEXT COLLATE "C" NOT NULL,
    seed BIGINT,
    is_secret BIGINT NOT NULL CHECK (is_secret IN (0, 1)),
    undone_by BIGINT,
    undoes BIGINT,
    shown_in BIGINT,
    PRIMARY KEY (server_id, id)
);
CREATE UNIQUE INDEX entries_interaction ON entries (server_id, interaction);
CREATE INDEX entries_undone_by ON entries (server_id, undone_by) WHERE undone_by IS NOT NULL;
CREATE INDEX entries_campaign ON entries (server_id, campaign_id, id);
CREATE INDEX entries_shown_in ON entries (server_id, shown_in) WHERE shown_in IS NOT NULL;

CREATE TABLE follow_ups (
    server_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    entry_id BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    group_key TEXT COLLATE "C" NOT NULL,
    closed_by BIGINT,
    PRIMARY KEY (server_id, id),
    FOREIGN KEY (server_id, entry_id) REFERENCES entries (server_id, id)
);
CREATE INDEX follow_ups_entry ON follow_ups (server_id, entry_id);
CREATE INDEX follow_ups_closed_by ON follow_ups (server_id, closed_by) WHERE closed_by IS NOT NULL;

CREATE TABLE drafts (
    server_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    person BIGINT NOT NULL,
    step TEXT COLLATE "C" NOT NULL,
    answers TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (server_id, id)
);
CREATE UNIQUE INDEX drafts_person ON drafts (server_id, campaign_id, person);

CREATE TABLE countdowns (
    server_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    name_key TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    side TEXT COLLATE "C" NOT NULL,
    visibility TEXT COLLATE "C" NOT NULL,
    term TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL CHECK (status IN ('running', 'resolved', 'closed')),
    winner TEXT COLLATE "C",
    difficulty BIGINT NOT NULL CHECK (difficulty >= 1),
    value BIGINT NOT NULL CHECK (value >= 0),
    start BIGINT NOT NULL CHECK (start >= 0),
    per_day BIGINT NOT NULL CHECK (per_day IN (0, 1)),
    per_member BIGINT NOT NULL CHECK (per_member IN (0, 1)),
    per_skill BIGINT NOT NULL CHECK (per_skill IN (0, 1)),
    distinct_skills BIGINT NOT NULL CHECK (distinct_skills >= 0),
    every_seconds BIGINT CHECK (every_seconds >= 1),
    since BIGINT NOT NULL,
    is_shared BIGINT NOT NULL CHECK (is_shared IN (0, 1)),
    rival BIGINT,
    links TEXT COLLATE "C" NOT NULL,
    consequence TEXT COLLATE "C" NOT NULL,
    note TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (server_id, id),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id),
    FOREIGN KEY (server_id, rival) REFERENCES countdowns (server_id, id),
    CHECK (value <= difficulty),
    CHECK (start <= difficulty)
);
CREATE INDEX countdowns_campaign ON countdowns (server_id, campaign_id, status);
CREATE UNIQUE INDEX countdowns_name ON countdowns (server_id, campaign_id, name_key) WHERE status = 'running';
CREATE INDEX countdowns_rival ON countdowns (server_id, rival) WHERE rival IS NOT NULL;

CREATE TABLE countdown_ticks (
    server_id BIGINT NOT NULL,
    countdown_id BIGINT NOT NULL,
    number BIGINT NOT NULL CHECK (number >= 1),
    steps BIGINT NOT NULL,
    character_id BIGINT,
    skill TEXT COLLATE "C" NOT NULL,
    day BIGINT NOT NULL,
    PRIMARY KEY (server_id, countdown_id, number),
    FOREIGN KEY (server_id, countdown_id) REFERENCES countdowns (server_id, id),
    FOREIGN KEY (server_id, character_id) REFERENCES characters (server_id, id)
);
CREATE INDEX countdown_ticks_character ON countdown_ticks (server_id, character_id)
WHERE character_id IS NOT NULL;

CREATE TABLE boards (
    server_id BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    channel BIGINT NOT NULL,
    message BIGINT,
    shown TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (server_id, campaign_id, kind)
);

CREATE TABLE messages (
    server_id BIGINT NOT NULL,
    entry_id BIGINT NOT NULL,
    channel BIGINT NOT NULL,
    message BIGINT NOT NULL,
    PRIMARY KEY (server_id, entry_id)
);

CREATE TABLE due_tasks (
    server_id BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    due BIGINT NOT NULL,
    PRIMARY KEY (server_id, kind, id)
);

-- The bot looks for what is due in all servers at once, so the time comes before the server here.
CREATE INDEX due_tasks_due ON due_tasks (kind, due, id);

CREATE TABLE server_commands (
    server_id BIGINT NOT NULL PRIMARY KEY,
    seen TEXT COLLATE "C" NOT NULL,
    fingerprint TEXT COLLATE "C" NOT NULL,
    ids TEXT COLLATE "C" NOT NULL,
    needs TEXT COLLATE "C" NOT NULL
);

CREATE TABLE portraits (
    server_id BIGINT NOT NULL,
    character_id BIGINT NOT NULL,
    picture BYTEA NOT NULL,
    PRIMARY KEY (server_id, character_id)
);

CREATE TABLE favourites (
    server_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    character_id BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    name_key TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (server_id, id)
);
CREATE UNIQUE INDEX favourites_name ON favourites (server_id, character_id, name_key);

CREATE TABLE reveals (
    server_id BIGINT NOT NULL,
    entry_id BIGINT NOT NULL,
    person BIGINT NOT NULL,
    PRIMARY KEY (server_id, entry_id, person)
);

CREATE TABLE handout_pictures (
    server_id BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    handout TEXT COLLATE "C" NOT NULL,
    picture BYTEA NOT NULL,
    PRIMARY KEY (server_id, campaign_id, handout)
);

CREATE TABLE meetings (
    server_id BIGINT NOT NULL,
    campaign_id BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (server_id, campaign_id)
);
