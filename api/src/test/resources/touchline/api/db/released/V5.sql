INSERT INTO webhook_endpoints (id, url, description, events, stream_ids, sealed, previous_sealed,
    previous_until_ms, disabled_reason, disabled_at_ms, failing_since_ms, created_at_ms)
    VALUES ('we_first', '${url-with-query}', 'scores', '["*"]', '["str_first"]',
    '${sealed:webhook secret of we_first:whsec_new}', '${sealed:webhook secret of we_first:whsec_old}',
    4102444800000, 'failing', 1772600799000, 1772600700000, 1772600767089);

UPDATE event_streams SET last_seq = 1 WHERE stream_id = '';
INSERT INTO event_streams (stream_id, last_seq)
    SELECT id, 2 FROM live_streams WHERE id NOT IN (SELECT stream_id FROM event_streams);
UPDATE event_streams SET last_seq = 2 WHERE stream_id = 'str_first';

INSERT INTO events (id, type, stream_id, seq, created_at_ms, body)
    VALUES ('evt_1', 'live_stream.created', 'str_first', 1, 1772600767089,
    '{"type":"live_stream.created","id":"evt_1","data":{"seq":1}}');
INSERT INTO events (id, type, stream_id, seq, created_at_ms, body)
    VALUES ('evt_2', 'live_stream.active', 'str_first', 2, 1772600770000,
    '{"type":"live_stream.active","id":"evt_2","data":{"seq":2}}');

INSERT INTO deliveries (id, place, endpoint_id, stream_id, status, tries, attempts, due_at_ms,
    created_at_ms, finished_at_ms)
    VALUES ('del_1', 1, 'we_first', 'str_first', 'failed', 10, 10, 1772600767089, 1772600767089, 1772600799000);

INSERT INTO delivery_attempts (delivery_id, number, at_ms, duration_ms, http_status, error,
    request_head, response_head, response_body)
    VALUES ('del_1', 1, 1772600767100, 12, 500, NULL, '${request-head}', 'HTTP/1.1 500 Oops', 'no');
