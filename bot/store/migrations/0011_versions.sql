-- As on PostgreSQL, where processes tell by it whether another one has written, so that either can be copied into the
-- other. The one process on a file needs no such number: here nobody changes it.
ALTER TABLE servers ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
