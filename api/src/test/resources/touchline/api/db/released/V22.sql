INSERT INTO viewer_minutes (stream_id, at_minute, viewers, played_ms, stalled_ms, startup_ms, bitrate_kbps)
    VALUES ('str_first', 29543346, 12, 700000, 7000, 420, 2600);
INSERT INTO viewer_minutes (stream_id, at_minute, viewers, played_ms, stalled_ms, startup_ms, bitrate_kbps)
    VALUES ('', 29543346, 12, 700000, 7000, NULL, NULL);
