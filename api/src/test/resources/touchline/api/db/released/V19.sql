INSERT INTO stream_keys (key_hash, stream_id, push_role, sealed)
    VALUES ('${sha256:backup-of-first}', 'str_first', 'BACKUP', '${sealed:stream key BACKUP of str_first:backup-of-first}');

UPDATE live_streams SET failover_after_ms = 700, failback_after_ms = 20000 WHERE id = 'str_first';
