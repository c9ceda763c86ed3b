-- Viewers of a live stream in one minute; stream_id '' is all streams together. "at_minute" counts from
-- 1970-01-01T00:00Z. "viewers" is the most at one time; "played_ms" and "stalled_ms" are sums over the players
-- that report, "startup_ms" and "bitrate_kbps" their medians.
CREATE TABLE viewer_minutes (
    stream_id VARCHAR(64) NOT NULL,
    at_minute BIGINT NOT NULL,
    viewers INTEGER NOT NULL,
    played_ms BIGINT NOT NULL,
    stalled_ms BIGINT NOT NULL,
    startup_ms INTEGER,
    bitrate_kbps INTEGER,
    PRIMARY KEY (stream_id, at_minute)
);

-- For retention.
CREATE INDEX viewer_minutes_by_age ON viewer_minutes (at_minute);
