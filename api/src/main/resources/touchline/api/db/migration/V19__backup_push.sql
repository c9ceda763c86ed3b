-- When a session with a second publisher switches, in milliseconds. The push key of the second
-- publisher is the row of role BACKUP in stream_keys: a stream without it takes no backup.
ALTER TABLE live_streams ADD COLUMN failover_after_ms INTEGER DEFAULT 1000 NOT NULL;
ALTER TABLE live_streams ADD COLUMN failback_after_ms INTEGER DEFAULT 10000 NOT NULL;
