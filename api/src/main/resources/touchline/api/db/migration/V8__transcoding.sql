-- Outputs of transcoding: where they go, what was asked for, and who was told.

-- "sealed" holds the keys and the notification's secret, encrypted; NULL: there are none. With
-- "deleted_at_ms" it is only kept for notifications that are still to be signed.
CREATE TABLE transcoding_storages (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    type VARCHAR(16) NOT NULL,
    region VARCHAR(128) NOT NULL,
    bucket VARCHAR(256) NOT NULL,
    prefix VARCHAR(1024) NOT NULL,
    endpoint VARCHAR(4096),
    path_style BOOLEAN,
    sealed VARCHAR,
    notify VARCHAR(4096) NOT NULL,
    created_at_ms BIGINT NOT NULL,
    deleted_at_ms BIGINT,
    CONSTRAINT transcoding_storages_newest UNIQUE (seq)
);

-- "notice": waiting for its tasks, pending, delivered, failed.
CREATE TABLE transcoding_requests (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    storage_id VARCHAR(64) NOT NULL,
    input VARCHAR(4096) NOT NULL,
    notify VARCHAR(4096) NOT NULL,
    notice VARCHAR(16) NOT NULL,
    created_at_ms BIGINT NOT NULL
);

CREATE INDEX transcoding_requests_storage ON transcoding_requests (storage_id, notice);

-- "heights" stand with commas between, "notes" one a line.
CREATE TABLE transcoding_tasks (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    request_id VARCHAR(64) NOT NULL,
    storage_id VARCHAR(64) NOT NULL,
    input VARCHAR(4096) NOT NULL,
    format VARCHAR(16) NOT NULL,
    heights VARCHAR(256) NOT NULL,
    video_bps INTEGER,
    audio_bps INTEGER,
    file_name VARCHAR(256) NOT NULL,
    output VARCHAR(4096) NOT NULL,
    state VARCHAR(16) NOT NULL,
    progress DOUBLE PRECISION NOT NULL,
    attempts INTEGER NOT NULL,
    duration_us BIGINT,
    notes VARCHAR NOT NULL,
    error_code INTEGER,
    error_message VARCHAR(1024),
    started_at_ms BIGINT,
    finished_at_ms BIGINT,
    created_at_ms BIGINT NOT NULL,
    CONSTRAINT transcoding_tasks_newest UNIQUE (seq),
    CONSTRAINT transcoding_tasks_request FOREIGN KEY (request_id) REFERENCES transcoding_requests (id) ON DELETE CASCADE
);

CREATE INDEX transcoding_tasks_of_request ON transcoding_tasks (request_id, seq);

CREATE INDEX transcoding_tasks_state ON transcoding_tasks (state, storage_id);

-- How each notification was sent, and what came back.
CREATE TABLE transcoding_notices (
    request_id VARCHAR(64) NOT NULL,
    number INTEGER NOT NULL,
    at_ms BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    http_status INTEGER NOT NULL,
    error VARCHAR(1024) NOT NULL,
    CONSTRAINT transcoding_notices_key PRIMARY KEY (request_id, number),
    CONSTRAINT transcoding_notices_request FOREIGN KEY (request_id) REFERENCES transcoding_requests (id) ON DELETE CASCADE
);
