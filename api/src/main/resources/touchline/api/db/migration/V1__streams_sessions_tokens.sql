-- One file for H2 and PostgreSQL: standard types only. Instants are Unix milliseconds, enumerations
-- and JSON are text. "seq" orders lists: newest first, and stable.

CREATE TABLE live_streams (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    account_id VARCHAR(64) NOT NULL,
    title VARCHAR NOT NULL,
    user_metadata VARCHAR NOT NULL,
    latency_mode VARCHAR(16) NOT NULL,
    recorded BOOLEAN NOT NULL,
    reconnect_window_s INTEGER NOT NULL,
    mp4_support VARCHAR(16) NOT NULL,
    disabled BOOLEAN NOT NULL,
    audit VARCHAR,
    watermark VARCHAR,
    next_media_sequence BIGINT DEFAULT 0 NOT NULL,
    created_at_ms BIGINT NOT NULL,
    CONSTRAINT live_streams_newest UNIQUE (seq)
);

-- Push keys of both roles: found by hash, shown again from the sealed text.
CREATE TABLE stream_keys (
    key_hash VARCHAR(64) NOT NULL PRIMARY KEY,
    stream_id VARCHAR(64) NOT NULL,
    push_role VARCHAR(16) NOT NULL,
    sealed VARCHAR(1024) NOT NULL,
    CONSTRAINT stream_keys_one_per_role UNIQUE (stream_id, push_role),
    CONSTRAINT stream_keys_stream FOREIGN KEY (stream_id) REFERENCES live_streams (id) ON DELETE CASCADE
);

CREATE TABLE playback_ids (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    stream_id VARCHAR(64) NOT NULL,
    policy VARCHAR(16) NOT NULL,
    place INTEGER NOT NULL,
    CONSTRAINT playback_ids_in_order UNIQUE (stream_id, place),
    CONSTRAINT playback_ids_stream FOREIGN KEY (stream_id) REFERENCES live_streams (id) ON DELETE CASCADE
);

-- "report" is the JSON text of what the encoder sends; "seen_at_ms" its time: after a crash the
-- best guess of the end.
CREATE TABLE sessions (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    stream_id VARCHAR(64) NOT NULL,
    started_at_ms BIGINT NOT NULL,
    seen_at_ms BIGINT NOT NULL,
    ended_at_ms BIGINT,
    end_reason VARCHAR(32),
    report VARCHAR NOT NULL,
    CONSTRAINT sessions_stream FOREIGN KEY (stream_id) REFERENCES live_streams (id) ON DELETE CASCADE
);

CREATE INDEX sessions_of_stream ON sessions (stream_id, seq);

CREATE TABLE access_tokens (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    name VARCHAR NOT NULL,
    scopes VARCHAR(1024) NOT NULL,
    expires_at_ms BIGINT,
    secret_hash VARCHAR(64) NOT NULL,
    created_at_ms BIGINT NOT NULL,
    CONSTRAINT access_tokens_newest UNIQUE (seq)
);

-- "request_hash" covers token, method, path and key. Without "status" the first call still runs;
-- "claim" is its own name for the row, so that a call that was given up cannot finish another's.
CREATE TABLE idempotent_requests (
    request_hash VARCHAR(64) NOT NULL PRIMARY KEY,
    body_hash VARCHAR(64) NOT NULL,
    claim VARCHAR(64) NOT NULL,
    claimed_at_ms BIGINT NOT NULL,
    status INTEGER,
    reply VARCHAR,
    expires_at_ms BIGINT NOT NULL
);

CREATE INDEX idempotent_requests_expiry ON idempotent_requests (expires_at_ms);
