-- What has happened, and to whom it is told. An event, its number and its deliveries are written in
-- the transaction of the change it tells of.

-- "events" and "stream_ids" are JSON arrays; without "stream_ids" the endpoint hears of all.
-- Secrets are sealed; the previous one signs too until "previous_until_ms". With "disabled_reason"
-- nothing is sent. "failing_since_ms": of the first attempt that failed since one succeeded.
CREATE TABLE webhook_endpoints (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    url VARCHAR(4096) NOT NULL,
    description VARCHAR NOT NULL,
    events VARCHAR NOT NULL,
    stream_ids VARCHAR,
    sealed VARCHAR(1024) NOT NULL,
    previous_sealed VARCHAR(1024),
    previous_until_ms BIGINT,
    disabled_reason VARCHAR(32),
    disabled_at_ms BIGINT,
    failing_since_ms BIGINT,
    created_at_ms BIGINT NOT NULL,
    CONSTRAINT webhook_endpoints_newest UNIQUE (seq)
);

-- The last number given to an event of a stream; '' counts those about no stream. Locking the row
-- puts the events of a stream in one order for all. It outlives the stream, whose assets go on.
CREATE TABLE event_streams (
    stream_id VARCHAR(64) NOT NULL PRIMARY KEY,
    last_seq BIGINT NOT NULL
);

INSERT INTO event_streams (stream_id, last_seq) VALUES ('', 0);

INSERT INTO event_streams (stream_id, last_seq)
    SELECT stream_id, 0 FROM (
        SELECT id AS stream_id FROM live_streams UNION SELECT stream_id FROM assets) AS known;

-- "place" orders all events; within a stream it grows as they are committed. "body" is what
-- receivers get.
CREATE TABLE events (
    place BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL PRIMARY KEY,
    id VARCHAR(64) NOT NULL,
    type VARCHAR(64) NOT NULL,
    stream_id VARCHAR(64) NOT NULL,
    seq BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    body VARCHAR NOT NULL,
    CONSTRAINT events_id UNIQUE (id)
);

CREATE INDEX events_of_stream ON events (stream_id, place);

CREATE INDEX events_by_time ON events (created_at_ms);

-- One event for one endpoint. "status": waiting (in the order of its stream), apart (to be sent
-- without regard to others: after its early retries, or again), succeeded, failed. "tries": how
-- often it was sent since it was last given a schedule; "due_at_ms": not before. Endpoints are
-- named, not referred to: deleting one must not make a stream's change fail.
CREATE TABLE deliveries (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    place BIGINT NOT NULL,
    endpoint_id VARCHAR(64) NOT NULL,
    stream_id VARCHAR(64) NOT NULL,
    status VARCHAR(16) NOT NULL,
    tries INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    due_at_ms BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    finished_at_ms BIGINT,
    CONSTRAINT deliveries_once UNIQUE (endpoint_id, place)
);

CREATE INDEX deliveries_in_order ON deliveries (endpoint_id, status, stream_id, place);

CREATE INDEX deliveries_by_time ON deliveries (endpoint_id, status, due_at_ms);

CREATE INDEX deliveries_of_event ON deliveries (place);

CREATE INDEX deliveries_finished ON deliveries (finished_at_ms);

-- What was sent and what came back: heads, and the beginning of the body. "error" where no answer
-- came, or it was not accepted.
CREATE TABLE delivery_attempts (
    delivery_id VARCHAR(64) NOT NULL,
    number INTEGER NOT NULL,
    at_ms BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    http_status INTEGER,
    error VARCHAR(1024),
    request_head VARCHAR NOT NULL,
    response_head VARCHAR,
    response_body VARCHAR,
    CONSTRAINT delivery_attempts_key PRIMARY KEY (delivery_id, number),
    CONSTRAINT delivery_attempts_delivery FOREIGN KEY (delivery_id) REFERENCES deliveries (id) ON DELETE CASCADE
);
