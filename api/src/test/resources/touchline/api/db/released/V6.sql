INSERT INTO audit_runs (stream_id, session_id, started_at_ms, ended_at_ms, end_reason, unserved)
    VALUES ('str_first', 'ses_ended', 1772600770000, 1772600791000, 'session_ended', ',nude,');

INSERT INTO moderation_records (task_id, event_id, account_id, stream_id, session_id, findings,
    alert_types, frame_name, frame_bytes, captured_at_ms, created_at_ms, review_at_ms,
    review_decision, review_note)
    VALUES (1, 'evt_3', 'default', 'str_first', 'ses_ended',
    '[{"model":"weapon","model_version":"demo-weapon","confidence":0.93,"risk_level":"reject","bounding_box":[0.1,0.2,0.3,0.4]}]',
    ',weapon,', 'abcdefgh12345678', 1234, 1772600775000, 1772600775100, 1772600780000, 'reject', 'seen');

INSERT INTO sampled_frames (task_id, chunk, session_id, first_at_ms, frames, scores)
    VALUES (1, 0, 'ses_ended', 1772600775000, 1, 'AAAAAAPAAAA/bhR7AAAA');
