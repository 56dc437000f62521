-- The portraits of characters. They are no part of the game: not journalled, and an undo leaves them, even that
-- of a character's making, which can be undone itself.

CREATE TABLE portraits (
    server_id INTEGER NOT NULL,
    character_id INTEGER NOT NULL,
    picture BLOB NOT NULL,
    PRIMARY KEY (server_id, character_id)
) STRICT;
