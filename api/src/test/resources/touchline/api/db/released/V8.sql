INSERT INTO transcoding_storages (id, type, region, bucket, prefix, endpoint, path_style, sealed,
    notify, created_at_ms, deleted_at_ms)
    VALUES ('sto_1', 's3', 'us-east-1', 'clips', 'vod', 'https://s3.example.com', TRUE,
    '${sealed:secrets of storage sto_1:{"access_key":"ak","secret_key":"sk"}}',
    'https://example.com/done', 1772600767089, NULL);

INSERT INTO transcoding_requests (id, storage_id, input, notify, notice, created_at_ms)
    VALUES ('req_1', 'sto_1', 'https://example.com/in.mp4', 'https://example.com/done', 'delivered', 1772600767089);

INSERT INTO transcoding_tasks (id, request_id, storage_id, input, format, heights, video_bps,
    audio_bps, file_name, output, state, progress, attempts, duration_us, notes, error_code,
    error_message, started_at_ms, finished_at_ms, created_at_ms)
    VALUES ('tsk_1', 'req_1', 'sto_1', 'https://example.com/in.mp4', 'hls', '720,480', 2000000, NULL,
    'in', 'https://s3.example.com/clips/vod/in.m3u8', 'succeeded', 1.0, 1, 3000000, 'one note', NULL,
    NULL, 1772600768000, 1772600778000, 1772600767089);

INSERT INTO transcoding_notices (request_id, number, at_ms, duration_ms, http_status, error)
    VALUES ('req_1', 1, 1772600778100, 20, 200, '');
