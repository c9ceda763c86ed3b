INSERT INTO assets (id, stream_id, session_id, title, user_metadata, mp4_support, status, live,
    duration_us, size_bytes, errors, created_at_ms, finished_at_ms, from_start)
    VALUES ('ast_behind_gap', 'str_first', 'ses_ended', '', '', 'none', 'ready', FALSE, 3000000,
    700000, '[]', 1772600780000, 1772600791000, FALSE);
