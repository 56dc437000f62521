-- What the bot does by itself at a certain time: one row for each task.

CREATE TABLE due_tasks (
    server_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    due INTEGER NOT NULL,
    PRIMARY KEY (server_id, kind, id)
) STRICT, WITHOUT ROWID;

-- The bot looks for what is due in all servers at once, so the time comes before the server here.
CREATE INDEX due_tasks_due ON due_tasks (kind, due, id);

-- Before, each kind was one list for all servers: [[server, follow-up, entry, due], ...] and [[server, entry], ...].
INSERT OR IGNORE INTO due_tasks (server_id, kind, id, due)
SELECT
    json_extract(task.value, '$[0]'),
    'press',
    json_extract(task.value, '$[1]'),
    json_extract(task.value, '$[3]')
FROM meta, json_each(meta.value) AS task
WHERE meta.key = 'presses to come';

INSERT OR IGNORE INTO due_tasks (server_id, kind, id, due)
SELECT
    entries.server_id,
    'recap',
    entries.id,
    entries.at
FROM meta, json_each(meta.value) AS task
INNER JOIN entries
    ON entries.server_id = json_extract(task.value, '$[0]')
    AND entries.id = json_extract(task.value, '$[1]')
WHERE meta.key = 'ends not told yet';

DELETE FROM meta
WHERE key IN ('presses to come', 'ends not told yet');
