INSERT INTO audit_runs (stream_id, session_id, started_at_ms, ended_at_ms, end_reason, unserved, blind)
    VALUES ('str_first', 'ses_running', 1772600800000, NULL, NULL, ',', TRUE);
