-- A recording, one that was growing when the server was killed, a clip, and one that is gone.
INSERT INTO assets (id, stream_id, session_id, source_asset_id, clip_start_us, clip_end_us, title,
    user_metadata, mp4_support, status, live, duration_us, size_bytes, progress, errors,
    created_at_ms, finished_at_ms)
    VALUES ('ast_whole', 'str_first', 'ses_ended', NULL, NULL, NULL, 'Cup final', '{"match": 7}',
    'capped-1080p', 'ready', FALSE, 20000000, 5000000, NULL, '[]', 1772600770000, 1772600791000);
INSERT INTO assets (id, stream_id, session_id, source_asset_id, clip_start_us, clip_end_us, title,
    user_metadata, mp4_support, status, live, duration_us, size_bytes, progress, errors,
    created_at_ms, finished_at_ms)
    VALUES ('ast_growing', 'str_first', 'ses_running', NULL, NULL, NULL, '', '', 'none', 'preparing',
    TRUE, 0, 0, NULL, '[]', 1772600800000, NULL);
INSERT INTO assets (id, stream_id, session_id, source_asset_id, clip_start_us, clip_end_us, title,
    user_metadata, mp4_support, status, live, duration_us, size_bytes, progress, errors,
    created_at_ms, finished_at_ms)
    VALUES ('ast_clip', 'str_first', NULL, 'ast_whole', 1000000, 3000000, 'Goal', '', 'none',
    'errored', FALSE, 0, 0, 0.5, '[{"type":"source_missing","message":"the source is gone"}]',
    1772600900000, 1772600901000);

INSERT INTO asset_playback_ids (id, asset_id, policy, place) VALUES ('pb_whole', 'ast_whole', 'public', 0);
INSERT INTO asset_playback_ids (id, asset_id, policy, place) VALUES ('pb_whole_signed', 'ast_whole', 'signed', 1);

INSERT INTO deleted_assets (id) VALUES ('ast_gone');
