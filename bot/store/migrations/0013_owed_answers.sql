-- What still waits for an answer, among all that stands under results: few of very many.

CREATE INDEX follow_ups_owed ON follow_ups (server_id, campaign_id, entry_id)
WHERE closed_by IS NULL AND body LIKE '%"is_owed":true%';
