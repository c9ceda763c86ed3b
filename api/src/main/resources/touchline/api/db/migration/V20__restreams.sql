-- Targets at other servers that a live stream is sent on to. "sealed" is the stream key of the target.
CREATE TABLE restreams (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    stream_id VARCHAR(64) NOT NULL,
    name VARCHAR NOT NULL,
    url VARCHAR(4096) NOT NULL,
    sealed VARCHAR(8192) NOT NULL,
    enabled BOOLEAN NOT NULL,
    created_at_ms BIGINT NOT NULL,
    CONSTRAINT restreams_newest UNIQUE (seq),
    CONSTRAINT restreams_stream FOREIGN KEY (stream_id) REFERENCES live_streams (id) ON DELETE CASCADE
);

CREATE INDEX restreams_of_stream ON restreams (stream_id, seq);
