INSERT INTO signing_keys (id, public_key, created_at_ms)
    VALUES ('key1', '${rsa}', 1772600767089);
