-- The next session of each campaign as it is planned: when it is, who comes, who wants to be reminded.

CREATE TABLE meetings (
    server_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (server_id, campaign_id)
) STRICT, WITHOUT ROWID;
