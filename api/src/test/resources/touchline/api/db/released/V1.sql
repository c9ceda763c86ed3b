-- Rows as a server of schema V1 has left them. Sealed texts and digests: see ReleasedRows.
INSERT INTO live_streams (id, account_id, title, user_metadata, latency_mode, recorded,
    reconnect_window_s, mp4_support, disabled, audit, watermark, next_media_sequence, created_at_ms)
    VALUES ('str_first', 'default', 'Cup final ''äöü'' 🏆', '{"match": 7}', 'low', TRUE, 60,
    'capped-1080p', FALSE,
    '{"frame_interval":5,"models":{"weapon":0.7,"nude":0.3},"on_reject":"none","gate":false}',
    '{"type":"html","url":"https://example.com/score","page_load_timeout":10,"overlay_settings":{"width":"25%"}}',
    450, 1772600767089);
INSERT INTO live_streams (id, account_id, title, user_metadata, latency_mode, recorded,
    reconnect_window_s, mp4_support, disabled, audit, watermark, next_media_sequence, created_at_ms)
    VALUES ('str_second', 'default', '', '', 'standard', FALSE, 0, 'none', TRUE, NULL,
    '{"type":"stream","audio_mix_settings":{"mode":"mix","volume_main":0.25,"volume_secondary":1.0}}',
    0, 1772600768000);

INSERT INTO stream_keys (key_hash, stream_id, push_role, sealed)
    VALUES ('${sha256:key-of-first}', 'str_first', 'MAIN', '${sealed:stream key MAIN of str_first:key-of-first}');
INSERT INTO stream_keys (key_hash, stream_id, push_role, sealed)
    VALUES ('${sha256:key-of-second}', 'str_second', 'MAIN', '${sealed:stream key MAIN of str_second:key-of-second}');
INSERT INTO stream_keys (key_hash, stream_id, push_role, sealed)
    VALUES ('${sha256:overlay-of-second}', 'str_second', 'OVERLAY', '${sealed:stream key OVERLAY of str_second:overlay-of-second}');

INSERT INTO playback_ids (id, stream_id, policy, place) VALUES ('pb_open', 'str_first', 'public', 0);
INSERT INTO playback_ids (id, stream_id, policy, place) VALUES ('pb_signed', 'str_first', 'signed', 1);
INSERT INTO playback_ids (id, stream_id, policy, place) VALUES ('pb_other', 'str_second', 'public', 0);

INSERT INTO sessions (id, stream_id, started_at_ms, seen_at_ms, ended_at_ms, end_reason, report)
    VALUES ('ses_ended', 'str_first', 1772600770000, 1772600790000, 1772600791000, 'publisher_gone',
    '{"codecs":["avc1.64001f","mp4a.40.2"],"width":1280,"height":720,"frame_rate":25.0,"video_bitrate":2000000,"audio_bitrate":128000,"warnings":[{"code":"key_frame_interval","message":"long","at_ms":1772600775000}]}');
INSERT INTO sessions (id, stream_id, started_at_ms, seen_at_ms, ended_at_ms, end_reason, report)
    VALUES ('ses_running', 'str_first', 1772600800000, 1772600810000, NULL, NULL,
    '{"codecs":[],"width":0,"height":0,"frame_rate":0.0,"video_bitrate":0,"audio_bitrate":0,"warnings":[]}');

INSERT INTO access_tokens (id, name, scopes, expires_at_ms, secret_hash, created_at_ms)
    VALUES ('tok1', 'ci', 'live:read live:write', NULL, '${sha256:secret-of-token}', 1772600767089);

INSERT INTO idempotent_requests (request_hash, body_hash, claim, claimed_at_ms, status, reply, expires_at_ms)
    VALUES ('${sha256:request}', '${sha256:body}', 'c1', 1772600767089, 200, '{"code":0}', 4102444800000);
