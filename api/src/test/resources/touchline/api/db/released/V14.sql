INSERT INTO webhook_endpoints (id, url, description, events, stream_ids, sealed, created_at_ms,
    query_sealed)
    VALUES ('we_second', 'https://example.com/second', '', '["asset.ready"]', NULL,
    '${sealed:webhook secret of we_second:whsec_second}', 1772600767089,
    '${sealed:webhook secret of we_second query:token=abc}');
