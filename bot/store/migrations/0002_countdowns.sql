-- Countdowns of a campaign, every move of each, and the message that shows them.

INSERT INTO counters (thing, last)
VALUES ('countdowns', 0);

CREATE TABLE countdowns (
    server_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    kind TEXT NOT NULL,
    side TEXT NOT NULL,
    visibility TEXT NOT NULL,
    term TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'resolved', 'closed')),
    winner TEXT,
    difficulty INTEGER NOT NULL CHECK (difficulty >= 1),
    value INTEGER NOT NULL CHECK (value >= 0),
    start INTEGER NOT NULL CHECK (start >= 0),
    per_day INTEGER NOT NULL CHECK (per_day IN (0, 1)),
    per_member INTEGER NOT NULL CHECK (per_member IN (0, 1)),
    per_skill INTEGER NOT NULL CHECK (per_skill IN (0, 1)),
    distinct_skills INTEGER NOT NULL CHECK (distinct_skills >= 0),
    every_seconds INTEGER CHECK (every_seconds >= 1),
    since INTEGER NOT NULL,
    is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
    rival INTEGER,
    links TEXT NOT NULL,
    consequence TEXT NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (server_id, id),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id),
    FOREIGN KEY (server_id, rival) REFERENCES countdowns (server_id, id),
    CHECK (value <= difficulty),
    CHECK (start <= difficulty)
) STRICT, WITHOUT ROWID;

CREATE INDEX countdowns_campaign ON countdowns (server_id, campaign_id, status);
CREATE UNIQUE INDEX countdowns_name ON countdowns (server_id, campaign_id, name_key) WHERE status = 'running';
CREATE INDEX countdowns_rival ON countdowns (server_id, rival) WHERE rival IS NOT NULL;

CREATE TABLE countdown_ticks (
    server_id INTEGER NOT NULL,
    countdown_id INTEGER NOT NULL,
    number INTEGER NOT NULL CHECK (number >= 1),
    steps INTEGER NOT NULL,
    character_id INTEGER,
    skill TEXT NOT NULL,
    day INTEGER NOT NULL,
    PRIMARY KEY (server_id, countdown_id, number),
    FOREIGN KEY (server_id, countdown_id) REFERENCES countdowns (server_id, id),
    FOREIGN KEY (server_id, character_id) REFERENCES characters (server_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX countdown_ticks_character ON countdown_ticks (server_id, character_id)
WHERE character_id IS NOT NULL;

-- Where a board stands is no part of the game: it is not journalled, and an undo leaves it.
CREATE TABLE boards (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER,
    shown TEXT NOT NULL,
    PRIMARY KEY (server_id, campaign_id, kind)
) STRICT, WITHOUT ROWID;
