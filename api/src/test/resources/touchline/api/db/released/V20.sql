INSERT INTO restreams (id, stream_id, name, url, sealed, enabled, created_at_ms)
    VALUES ('rst_first', 'str_first', 'Club''s channel', 'rtmps://live.example.com/app',
    '${sealed:stream key of restream rst_first:key-of-target}', TRUE, 1772600410000);
