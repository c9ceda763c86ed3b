UPDATE access_tokens SET last_used_at_ms = 1772600950000 WHERE id = 'tok1';

UPDATE signing_keys SET last_used_at_ms = 1772600960000 WHERE id = 'key1';
