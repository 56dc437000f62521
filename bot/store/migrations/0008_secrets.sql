-- Who may read a secret entry of the journal; person 0 stands for everybody. Journalled.

CREATE TABLE reveals (
    server_id INTEGER NOT NULL,
    entry_id INTEGER NOT NULL,
    person INTEGER NOT NULL,
    PRIMARY KEY (server_id, entry_id, person)
) STRICT, WITHOUT ROWID;

-- The pictures of handouts. As portraits they are not journalled, and an undo leaves them.
CREATE TABLE handout_pictures (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    handout TEXT NOT NULL,
    picture BLOB NOT NULL,
    PRIMARY KEY (server_id, campaign_id, handout)
) STRICT;
