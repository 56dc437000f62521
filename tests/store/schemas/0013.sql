PRAGMA application_id = 1952539243;
PRAGMA user_version = 13;
BEGIN TRANSACTION;
CREATE TABLE boards (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER,
    shown TEXT NOT NULL,
    PRIMARY KEY (server_id, campaign_id, kind)
) STRICT, WITHOUT ROWID;
INSERT INTO "boards" VALUES(100,1,'own',31,NULL,'');
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
INSERT INTO "campaigns" VALUES(100,1,'Own','own','any','{}',0,NULL,1,0,1000);
INSERT INTO "campaigns" VALUES(100,2,'Dawn','dawn','any','{"tone":"grim"}',60,NULL,0,0,1000);
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
INSERT INTO "characters" VALUES(100,1,1,11,'Own','own',0,0,1,'{}');
INSERT INTO "characters" VALUES(100,2,2,11,'Zoë','zoë',0,0,1,'{"might":2}');
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
INSERT INTO "countdown_ticks" VALUES(100,1,1,1,1,'',0);
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
INSERT INTO "countdowns" VALUES(100,1,1,'Own','own','success','players','open','short','running',NULL,4,1,0,0,0,0,0,NULL,0,0,NULL,'[]','','');
CREATE TABLE current_characters (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    person INTEGER NOT NULL,
    character_id INTEGER NOT NULL,
    PRIMARY KEY (server_id, campaign_id, person),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id),
    FOREIGN KEY (server_id, character_id) REFERENCES characters (server_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "current_characters" VALUES(100,1,11,1);
CREATE TABLE documents (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (server_id, campaign_id, key),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "documents" VALUES(100,1,'notes','{"by":100000000000000100}');
INSERT INTO "documents" VALUES(100,1,'own','{}');
CREATE TABLE drafts (
    server_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    person INTEGER NOT NULL,
    step TEXT NOT NULL,
    answers TEXT NOT NULL,
    PRIMARY KEY (server_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "drafts" VALUES(100,1,1,11,'name','{}');
CREATE TABLE due_tasks (
    server_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    due INTEGER NOT NULL,
    PRIMARY KEY (server_id, kind, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "due_tasks" VALUES(100,'own',2,5000);
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
INSERT INTO "entries" VALUES(100,1,1,99,3000,'first 100',31,11,'Ann',NULL,'test','{}','[]','[["campaigns",{"id":1},null,{"name":"Own","name_key":"own","ruleset":"any","settings":{},"clock":0,"gm_role":null,"is_default":1,"is_archived":0,"created_at":1000}],["places",{"place":31},null,{"campaign_id":1}],["gms",{"campaign_id":1,"person":11},null,{}],["characters",{"id":1},null,{"campaign_id":1,"owner":11,"name":"Own","name_key":"own","is_hidden":0,"is_retired":0,"sheet_version":1,"sheet":{}}],["timers",{"character_id":1,"key":"own"},null,{"due":1}],["current_characters",{"campaign_id":1,"person":11},null,{"character_id":1}],["documents",{"campaign_id":1,"key":"own"},null,{"body":{}}],["documents",{"campaign_id":1,"key":"notes"},null,{"body":{"by":100000000000000100}}],["sessions",{"campaign_id":1,"number":99},null,{"channel":31,"started_at":2000,"ended_at":null,"active_at":2000,"event":null,"voice":null,"empty_since":null}],["countdowns",{"id":1},null,{"campaign_id":1,"name":"Own","name_key":"own","kind":"success","side":"players","visibility":"open","term":"short","status":"running","winner":null,"difficulty":4,"value":1,"start":0,"per_day":0,"per_member":0,"per_skill":0,"distinct_skills":0,"every_seconds":null,"since":0,"is_shared":0,"rival":null,"links":"[]","consequence":"","note":""}],["countdown_ticks",{"countdown_id":1,"number":1},null,{"steps":1,"character_id":1,"skill":"","day":0}]]',NULL,0,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(100,2,1,99,3000,'last 100',31,100,'Ann',NULL,'test','{"character":1,"countdown":1,"draft":1,"follow_up":1,"first":1}','["hash100"]','[["reveals",{"entry_id":1,"person":11},null,{}]]',NULL,0,NULL,NULL,1);
INSERT INTO "entries" VALUES(100,3,2,NULL,3000,'more',31,11,'Ann',NULL,'test','{}','[]','[["campaigns",{"id":2},null,{"name":"Dawn","name_key":"dawn","ruleset":"any","settings":{"tone":"grim"},"clock":60,"gm_role":null,"is_default":0,"is_archived":0,"created_at":1000}],["characters",{"id":2},null,{"campaign_id":2,"owner":11,"name":"Zoë","name_key":"zoë","is_hidden":0,"is_retired":0,"sheet_version":1,"sheet":{"might":2}}],["resources",{"character_id":2,"key":"luck"},null,{"value":2,"cap":5}],["wounds",{"character_id":2,"track":"body","level":0},null,{"filled":1,"capacity":2}]]',NULL,0,NULL,NULL,NULL);
CREATE TABLE favourites (
    server_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    character_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (server_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "favourites" VALUES(100,1,1,'Own','own','{}');
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
INSERT INTO "follow_ups" VALUES(100,1,1,1,'{"label":"first"}','a',NULL);
INSERT INTO "follow_ups" VALUES(100,2,1,1,'{"label":"second"}','a',NULL);
INSERT INTO "follow_ups" VALUES(100,3,1,1,'{"label":"third"}','b',NULL);
INSERT INTO "follow_ups" VALUES(100,4,1,2,'{"label":"first"}','a',NULL);
INSERT INTO "follow_ups" VALUES(100,5,1,2,'{"label":"second"}','a',NULL);
INSERT INTO "follow_ups" VALUES(100,6,1,2,'{"label":"third"}','b',NULL);
CREATE TABLE gms (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    person INTEGER NOT NULL,
    PRIMARY KEY (server_id, campaign_id, person),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "gms" VALUES(100,1,11);
CREATE TABLE handout_pictures (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    handout TEXT NOT NULL,
    picture BLOB NOT NULL,
    PRIMARY KEY (server_id, campaign_id, handout)
) STRICT;
INSERT INTO "handout_pictures" VALUES(100,1,'own',X'6F776E');
CREATE TABLE meetings (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (server_id, campaign_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "meetings" VALUES(100,1,'{"name":"own"}');
CREATE TABLE messages (
    server_id INTEGER NOT NULL,
    entry_id INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (server_id, entry_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "messages" VALUES(100,2,31,7);
CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "meta" VALUES('commands','abc');
CREATE TABLE migrations (
    number INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT
;
INSERT INTO "migrations" VALUES(1,'0001_first.sql',1000);
INSERT INTO "migrations" VALUES(2,'0002_countdowns.sql',1000);
INSERT INTO "migrations" VALUES(3,'0003_messages.sql',1000);
INSERT INTO "migrations" VALUES(4,'0004_due_tasks.sql',1000);
INSERT INTO "migrations" VALUES(5,'0005_server_commands.sql',1000);
INSERT INTO "migrations" VALUES(6,'0006_portraits.sql',1000);
INSERT INTO "migrations" VALUES(7,'0007_favourites.sql',1000);
INSERT INTO "migrations" VALUES(8,'0008_secrets.sql',1000);
INSERT INTO "migrations" VALUES(9,'0009_meetings.sql',1000);
INSERT INTO "migrations" VALUES(10,'0010_keys_per_server.sql',1000);
INSERT INTO "migrations" VALUES(11,'0011_versions.sql',1000);
INSERT INTO "migrations" VALUES(12,'0012_own_games.sql',1000);
INSERT INTO "migrations" VALUES(13,'0013_owed_answers.sql',1000);
CREATE TABLE own_game_versions (
    server_id INTEGER NOT NULL,
    hash TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (server_id, hash)
) STRICT, WITHOUT ROWID;
INSERT INTO "own_game_versions" VALUES(100,'hash100','own');
CREATE TABLE own_games (
    server_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    draft TEXT,
    hash TEXT,
    version INTEGER NOT NULL,
    PRIMARY KEY (server_id, key)
) STRICT, WITHOUT ROWID;
INSERT INTO "own_games" VALUES(100,'own100',NULL,'hash100',1);
CREATE TABLE places (
    server_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    PRIMARY KEY (server_id, place),
    FOREIGN KEY (server_id, campaign_id) REFERENCES campaigns (server_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "places" VALUES(100,31,1);
CREATE TABLE portraits (
    server_id INTEGER NOT NULL,
    character_id INTEGER NOT NULL,
    picture BLOB NOT NULL,
    PRIMARY KEY (server_id, character_id)
) STRICT;
INSERT INTO "portraits" VALUES(100,1,X'6F776E');
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
INSERT INTO "resources" VALUES(100,2,'luck',2,5);
CREATE TABLE reveals (
    server_id INTEGER NOT NULL,
    entry_id INTEGER NOT NULL,
    person INTEGER NOT NULL,
    PRIMARY KEY (server_id, entry_id, person)
) STRICT, WITHOUT ROWID;
INSERT INTO "reveals" VALUES(100,1,11);
CREATE TABLE seeds (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    number INTEGER NOT NULL CHECK (number >= 1),
    secret BLOB NOT NULL,
    commitment TEXT NOT NULL,
    revealed_at INTEGER,
    PRIMARY KEY (server_id, campaign_id, number)
) STRICT, WITHOUT ROWID;
INSERT INTO "seeds" VALUES(100,1,1,X'7373737373737373737373737373737373737373737373737373737373737373','c',NULL);
CREATE TABLE server_commands (
    server_id INTEGER NOT NULL PRIMARY KEY,
    seen TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    ids TEXT NOT NULL,
    needs TEXT NOT NULL
) STRICT;
INSERT INTO "server_commands" VALUES(100,'s','f','{"own":1}','{"toy":null}');
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
, version INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "servers" VALUES(100,2,2,1,1,3,1,6,NULL,0);
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
INSERT INTO "sessions" VALUES(100,1,99,31,2000,NULL,3000,NULL,NULL,NULL);
CREATE TABLE timers (
    server_id INTEGER NOT NULL,
    character_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    due INTEGER NOT NULL,
    PRIMARY KEY (server_id, character_id, key),
    FOREIGN KEY (server_id, character_id) REFERENCES characters (server_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "timers" VALUES(100,1,'own',1);
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
INSERT INTO "wounds" VALUES(100,2,'body',0,1,2);
CREATE UNIQUE INDEX campaigns_name ON campaigns (server_id, name_key);
CREATE UNIQUE INDEX campaigns_default ON campaigns (server_id) WHERE is_default = 1;
CREATE INDEX places_campaign ON places (server_id, campaign_id);
CREATE INDEX characters_campaign ON characters (server_id, campaign_id, name_key);
CREATE UNIQUE INDEX characters_name ON characters (server_id, campaign_id, name_key) WHERE is_retired = 0;
CREATE INDEX current_characters_character ON current_characters (server_id, character_id);
CREATE UNIQUE INDEX sessions_open ON sessions (server_id, campaign_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX drafts_person ON drafts (server_id, campaign_id, person);
CREATE INDEX countdowns_campaign ON countdowns (server_id, campaign_id, status);
CREATE UNIQUE INDEX countdowns_name ON countdowns (server_id, campaign_id, name_key) WHERE status = 'running';
CREATE INDEX countdowns_rival ON countdowns (server_id, rival) WHERE rival IS NOT NULL;
CREATE INDEX countdown_ticks_character ON countdown_ticks (server_id, character_id)
WHERE character_id IS NOT NULL;
CREATE INDEX due_tasks_due ON due_tasks (kind, due, id);
CREATE UNIQUE INDEX favourites_name ON favourites (server_id, character_id, name_key);
CREATE UNIQUE INDEX entries_interaction ON entries (server_id, interaction);
CREATE INDEX entries_undone_by ON entries (server_id, undone_by, id) WHERE undone_by IS NOT NULL;
CREATE INDEX entries_shown_in ON entries (server_id, shown_in, id) WHERE shown_in IS NOT NULL;
CREATE INDEX entries_campaign
ON entries (server_id, campaign_id, id, session_number, person, character_id, is_secret);
CREATE INDEX follow_ups_entry ON follow_ups (server_id, entry_id, id);
CREATE INDEX follow_ups_closed_by ON follow_ups (server_id, closed_by, id) WHERE closed_by IS NOT NULL;
CREATE INDEX follow_ups_owed ON follow_ups (server_id, campaign_id, entry_id)
WHERE closed_by IS NULL AND body LIKE '%"is_owed":true%';
COMMIT;
