-- Every key, every unique index and every reference begins with the server, as on PostgreSQL, and ids are counted for
-- each server. Rows keep their ids: buttons, exports and changes in the journal have them.

-- The last id of each kind of thing in a server. None is used twice, so that a button of a removed thing stays dead:
-- the row stays even when everything else of a server is deleted, with the interaction that asked for it.
CREATE TABLE servers (
    server_id INTEGER NOT NULL PRIMARY KEY,
    campaigns INTEGER NOT NULL DEFAULT 0,
    characters INTEGER NOT NULL DEFAULT 0,
    countdowns INTEGER NOT NULL DEFAULT 0,
    drafts INTEGER NOT NULL DEFAULT 0,
    entries INTEGER NOT NULL DEFAULT 0,
    favourites INTEGER NOT NULL DEFAULT 0,
    follow_ups INTEGER NOT NULL DEFAULT 0,
    purged_by TEXT
) STRICT;

-- Before, ids were counted for the whole file. Servers go on from there: a server's own highest id may be of something
-- that is gone.
INSERT INTO servers (server_id, campaigns, characters, countdowns, drafts, entries, favourites, follow_ups)
SELECT
    known.server_id,
    (SELECT counters.last FROM counters WHERE counters.thing = 'campaigns'),
    (SELECT counters.last FROM counters WHERE counters.thing = 'characters'),
    (SELECT counters.last FROM counters WHERE counters.thing = 'countdowns'),
    (SELECT counters.last FROM counters WHERE counters.thing = 'drafts'),
    coalesce((SELECT counted.seq FROM sqlite_sequence AS counted WHERE counted.name = 'entries'), 0),
    (SELECT counters.last FROM counters WHERE counters.thing = 'favourites'),
    coalesce((SELECT counted.seq FROM sqlite_sequence AS counted WHERE counted.name = 'follow_ups'), 0)
FROM (
    SELECT entries.server_id FROM entries
    UNION SELECT campaigns.server_id FROM campaigns
    UNION SELECT seeds.server_id FROM seeds
    UNION SELECT drafts.server_id FROM drafts
    UNION SELECT server_commands.server_id FROM server_commands
) AS known;

DROP TABLE counters;

-- Before, this was one note for all servers, which each of them overwrote.
DELETE FROM meta
WHERE key = 'last purge';

ALTER TABLE follow_ups RENAME TO earlier_follow_ups;
ALTER TABLE entries RENAME TO earlier_entries;

DROP INDEX entries_interaction;
DROP INDEX entries_undone_by;
DROP INDEX entries_server;
DROP INDEX entries_shown_in;
DROP INDEX follow_ups_entry;
DROP INDEX follow_ups_closed_by;

-- Entries are long, and added all the time: with a hidden rowid, those of all servers are written side by side.
CREATE TABLE entries (
    server_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
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
    undoes INTEGER,
    shown_in INTEGER,
    PRIMARY KEY (server_id, id)
) STRICT;

INSERT INTO entries (
    server_id, id, campaign_id, session_number, at, interaction, channel, person, person_name, character_id,
    kind, told, rolls, changes, seed, is_secret, undone_by, undoes, shown_in
)
SELECT
    server_id, id, campaign_id, session_number, at, interaction, channel, person, person_name, character_id,
    kind, told, rolls, changes, seed, is_secret, undone_by, undoes, shown_in
FROM earlier_entries
ORDER BY id;

CREATE TABLE follow_ups (
    server_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    entry_id INTEGER NOT NULL,
    body TEXT NOT NULL,
    group_key TEXT NOT NULL,
    closed_by INTEGER,
    PRIMARY KEY (server_id, id),
    FOREIGN KEY (server_id, entry_id) REFERENCES entries (server_id, id)
) STRICT;

INSERT INTO follow_ups (server_id, id, campaign_id, entry_id, body, group_key, closed_by)
SELECT
    server_id, id, campaign_id, entry_id, body, group_key, closed_by
FROM earlier_follow_ups
ORDER BY id;

DROP TABLE earlier_follow_ups;
DROP TABLE earlier_entries;

CREATE UNIQUE INDEX entries_interaction ON entries (server_id, interaction);
-- These end with the id: for rows in order of it, SQLite would otherwise go through all of a server by the key.
CREATE INDEX entries_undone_by ON entries (server_id, undone_by, id) WHERE undone_by IS NOT NULL;
CREATE INDEX entries_shown_in ON entries (server_id, shown_in, id) WHERE shown_in IS NOT NULL;

-- Every filter of the journal is answered from this index alone.
CREATE INDEX entries_campaign
ON entries (server_id, campaign_id, id, session_number, person, character_id, is_secret);

CREATE INDEX follow_ups_entry ON follow_ups (server_id, entry_id, id);
CREATE INDEX follow_ups_closed_by ON follow_ups (server_id, closed_by, id) WHERE closed_by IS NOT NULL;
