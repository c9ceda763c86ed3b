-- What the bundled scoreboard page shows; "state" is JSON. A stream without a row shows the default.
CREATE TABLE scoreboards (
    stream_id VARCHAR(64) NOT NULL PRIMARY KEY,
    state VARCHAR NOT NULL,
    CONSTRAINT scoreboards_stream FOREIGN KEY (stream_id) REFERENCES live_streams (id) ON DELETE CASCADE
);
