-- Recordings and clips. Streams, sessions and sources are named, not referred to: an asset outlives
-- them. "live" is true while it is recorded; "finished_at_ms" is set when nothing will be added.
-- "clip_start_us" and "clip_end_us" stand where "source_asset_id" does. "errors" is a JSON array.
CREATE TABLE assets (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    stream_id VARCHAR(64) NOT NULL,
    session_id VARCHAR(64),
    source_asset_id VARCHAR(64),
    clip_start_us BIGINT,
    clip_end_us BIGINT,
    title VARCHAR NOT NULL,
    user_metadata VARCHAR NOT NULL,
    mp4_support VARCHAR(16) NOT NULL,
    status VARCHAR(16) NOT NULL,
    live BOOLEAN NOT NULL,
    duration_us BIGINT NOT NULL,
    size_bytes BIGINT NOT NULL,
    progress DOUBLE PRECISION,
    errors VARCHAR NOT NULL,
    created_at_ms BIGINT NOT NULL,
    finished_at_ms BIGINT,
    CONSTRAINT assets_newest UNIQUE (seq)
);

CREATE INDEX assets_of_stream ON assets (stream_id, seq);

CREATE INDEX assets_finished ON assets (finished_at_ms);

CREATE TABLE asset_playback_ids (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    asset_id VARCHAR(64) NOT NULL,
    policy VARCHAR(16) NOT NULL,
    place INTEGER NOT NULL,
    CONSTRAINT asset_playback_ids_in_order UNIQUE (asset_id, place),
    CONSTRAINT asset_playback_ids_asset FOREIGN KEY (asset_id) REFERENCES assets (id) ON DELETE CASCADE
);

-- Assets whose row is gone and whose files may still be there: written with the deletion, removed
-- when the files are.
CREATE TABLE deleted_assets (
    id VARCHAR(64) NOT NULL PRIMARY KEY
);
