-- Another number after each transaction that wrote something of the server, so that each process knows whether what
-- it remembers of the server is still true. Whoever writes by hand sets it to 0, which nobody remembers.
ALTER TABLE servers ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
