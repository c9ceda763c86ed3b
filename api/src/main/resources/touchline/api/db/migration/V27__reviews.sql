-- Who decided: the name of the access token at that time. The index serves the queue of open records.
ALTER TABLE moderation_records ADD COLUMN review_by VARCHAR;

CREATE INDEX moderation_records_open ON moderation_records (review_at_ms, id);
