-- Stretches in which a session was moderated. Streams and sessions are named, not referred to:
-- evidence outlives them. "task_id" is what clients are shown; "unserved" names the asked types that
-- no model serves, in a list like ",nude,weapon,".
CREATE TABLE audit_runs (
    task_id BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL PRIMARY KEY,
    stream_id VARCHAR(64) NOT NULL,
    session_id VARCHAR(64) NOT NULL,
    started_at_ms BIGINT NOT NULL,
    ended_at_ms BIGINT,
    end_reason VARCHAR(32),
    unserved VARCHAR(255) DEFAULT ',' NOT NULL
);

CREATE INDEX audit_runs_of_session ON audit_runs (session_id, task_id);

CREATE INDEX audit_runs_running ON audit_runs (ended_at_ms);

-- Frames that a model found something in. "findings" is a JSON array, "alert_types" such a
-- list. "frame_name" is null when there is no picture (any more).
CREATE TABLE moderation_records (
    id BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL PRIMARY KEY,
    task_id BIGINT NOT NULL,
    event_id VARCHAR(64) NOT NULL,
    account_id VARCHAR(64) NOT NULL,
    stream_id VARCHAR(64) NOT NULL,
    session_id VARCHAR(64) NOT NULL,
    findings VARCHAR NOT NULL,
    alert_types VARCHAR(255) NOT NULL,
    frame_name VARCHAR(64),
    frame_bytes BIGINT NOT NULL,
    captured_at_ms BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    review_at_ms BIGINT,
    review_decision VARCHAR(16),
    review_note VARCHAR,
    CONSTRAINT moderation_records_one_per_event UNIQUE (event_id)
);

CREATE INDEX moderation_records_of_session ON moderation_records (session_id, id);

CREATE INDEX moderation_records_frames ON moderation_records (frame_name);

-- What the models said of all sampled frames, passed ones too: up to 64 frames a row, each 20
-- characters of base64 (see SampledFrames.java).
CREATE TABLE sampled_frames (
    task_id BIGINT NOT NULL,
    chunk INTEGER NOT NULL,
    session_id VARCHAR(64) NOT NULL,
    first_at_ms BIGINT NOT NULL,
    frames INTEGER NOT NULL,
    scores VARCHAR(2048) NOT NULL,
    CONSTRAINT sampled_frames_of_run PRIMARY KEY (task_id, chunk)
);

CREATE INDEX sampled_frames_of_session ON sampled_frames (session_id, task_id, chunk);

CREATE INDEX sampled_frames_age ON sampled_frames (first_at_ms);
