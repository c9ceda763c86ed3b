INSERT INTO score_links (id, stream_id, name, secret_hash, expires_at_ms, created_at_ms, last_used_at_ms)
    VALUES ('scl_first', 'str_first', 'Scorer''s phone', 'ab12', 1772700000000, 1772600000000, 1772600500000);
