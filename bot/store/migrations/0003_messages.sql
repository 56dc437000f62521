-- Which entries are shown together in one message, and where each message is.

ALTER TABLE entries ADD COLUMN shown_in INTEGER;

CREATE INDEX entries_shown_in ON entries (server_id, shown_in) WHERE shown_in IS NOT NULL;

-- A result that took the place of an earlier one stands in the message of that one.
WITH RECURSIVE replaced (id, message) AS (
    SELECT
        later.id,
        earlier.id
    FROM entries AS later
    INNER JOIN entries AS earlier
        ON later.server_id = earlier.server_id
        AND earlier.id = json_extract(later.told, '$.facts.under')
    WHERE
        json_extract(later.told, '$.facts.stands_for') <> ''
        AND earlier.is_secret = later.is_secret
),

shown (id, message) AS (
    SELECT
        replaced.id,
        replaced.message
    FROM replaced
    WHERE replaced.message NOT IN (SELECT first.id FROM replaced AS first)
    UNION ALL
    SELECT
        replaced.id,
        shown.message
    FROM replaced
    INNER JOIN shown ON replaced.message = shown.id
)

UPDATE entries
SET shown_in = (SELECT shown.message FROM shown WHERE shown.id = entries.id)
WHERE entries.id IN (SELECT shown.id FROM shown);

-- Where a message is is no part of the game: it is not journalled, and an undo leaves it.
CREATE TABLE messages (
    server_id INTEGER NOT NULL,
    entry_id INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (server_id, entry_id)
) STRICT, WITHOUT ROWID;
