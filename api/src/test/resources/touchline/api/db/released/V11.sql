-- Left by a planned stop, a long time ago.
INSERT INTO sessions (id, stream_id, started_at_ms, seen_at_ms, ended_at_ms, end_reason, report,
    resume_until_ms, resume)
    VALUES ('ses_suspended', 'str_second', 1772600800000, 1772600810000, NULL, NULL,
    '{"codecs":[],"audio":"none","width":0,"height":0,"frame_rate":0.0,"video_bitrate":0,"audio_bitrate":0,"warnings":[]}',
    1772600870000, '{"disconnected_at_ms":1772600810000,"reconnect_window_ms":60000}');
