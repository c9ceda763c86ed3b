-- A clip of two ranges.
INSERT INTO assets (id, stream_id, session_id, from_start, source_asset_id, clip_start_us, clip_end_us, title,
    user_metadata, mp4_support, status, live, duration_us, size_bytes, progress, errors, created_at_ms,
    finished_at_ms)
    VALUES ('ast_reel', 'str_first', NULL, TRUE, 'ast_whole', 1000000, 3000000, '', '', 'capped-1080p', 'ready',
    FALSE, 5000000, 1000, NULL, '[]', 1772601000000, 1772601001000);
INSERT INTO clip_ranges (asset_id, place, source_asset_id, start_us, end_us)
    VALUES ('ast_reel', 0, 'ast_whole', 1000000, 3000000);
INSERT INTO clip_ranges (asset_id, place, source_asset_id, start_us, end_us)
    VALUES ('ast_reel', 1, 'ast_gone', 7000000, 10000000);
