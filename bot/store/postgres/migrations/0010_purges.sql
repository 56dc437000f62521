-- The interaction that asked to delete everything of a server. Before, this was one note for all servers, which each of
-- them overwrote.

ALTER TABLE servers ADD COLUMN purged_by TEXT COLLATE "C";

DELETE FROM meta
WHERE key = 'last purge';
