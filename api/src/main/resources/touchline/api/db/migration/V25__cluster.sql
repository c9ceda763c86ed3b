-- Several servers, the nodes, on one database. Without "cluster.enabled" these tables stay empty and
-- the new columns are not read. All times are the database's, in Unix milliseconds.

-- One row for each node that ever joined. "incarnation" grows with each start of the node, "beats" with
-- each heartbeat. A node that has stopped, or was declared dead, is 'gone' and accepts that: its next
-- heartbeat changes no row. "key_check" and "secret_check" are fingerprints of the master key and of the
-- secret of token admin, which are the same on all nodes. "config_hash" is of what viewers see.
CREATE TABLE nodes (
    id VARCHAR(63) NOT NULL PRIMARY KEY,
    incarnation BIGINT NOT NULL,
    beats BIGINT NOT NULL,
    state VARCHAR(10) NOT NULL,
    lease_until_ms BIGINT NOT NULL,
    since_ms BIGINT NOT NULL,
    name VARCHAR NOT NULL,
    process VARCHAR NOT NULL,
    roles VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    config_hash VARCHAR NOT NULL,
    key_check VARCHAR NOT NULL,
    secret_check VARCHAR NOT NULL,
    host_load DOUBLE PRECISION NOT NULL,
    streams INTEGER NOT NULL,
    CONSTRAINT nodes_state CHECK (state IN ('up', 'draining', 'gone'))
);

-- The node that works with a stream: one row for each stream that ever ran in a cluster. "epoch" grows
-- with each change of the owner, and never goes back: a write of a session that names an older epoch is
-- rejected. The row stays when the stream ends ('free'). "floor", "init_floor" and "resume" are for
-- sessions that go on at another node: the last media sequence number and initialization segment that
-- the owner may use, and what it takes to continue. "wanted_by" is a node that has the encoder at its door.
CREATE TABLE stream_owners (
    stream_id VARCHAR(64) NOT NULL PRIMARY KEY REFERENCES live_streams (id) ON DELETE CASCADE,
    epoch BIGINT NOT NULL,
    node_id VARCHAR(63),
    incarnation BIGINT NOT NULL,
    session_id VARCHAR(64),
    phase VARCHAR(12) NOT NULL,
    resumable_until_ms BIGINT,
    floor BIGINT,
    init_floor INTEGER,
    resume VARCHAR,
    wanted_by VARCHAR(63),
    changed_at_ms BIGINT NOT NULL,
    CONSTRAINT stream_owners_phase CHECK (phase IN ('waiting', 'publishing', 'interrupted', 'free'))
);

CREATE INDEX stream_owners_of_node ON stream_owners (node_id);

-- The node that sends the deliveries of a webhook endpoint.
CREATE TABLE endpoint_owners (
    endpoint_id VARCHAR(64) NOT NULL PRIMARY KEY REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    epoch BIGINT NOT NULL,
    node_id VARCHAR(63) NOT NULL,
    incarnation BIGINT NOT NULL
);

-- What nodes read again: "subject" names a row of its kind. Rows are kept for ten minutes. The order of
-- "id" is not that of the commits, so readers look back.
CREATE TABLE cluster_changes (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at_ms BIGINT NOT NULL,
    node_id VARCHAR(63) NOT NULL,
    kind VARCHAR(20) NOT NULL,
    subject VARCHAR NOT NULL
);

CREATE INDEX cluster_changes_at ON cluster_changes (at_ms);

-- The epoch under which a session was begun, and the node whose disk has the files.
ALTER TABLE sessions ADD COLUMN epoch BIGINT;

ALTER TABLE assets ADD COLUMN epoch BIGINT;

ALTER TABLE assets ADD COLUMN home VARCHAR(63);

ALTER TABLE deleted_assets ADD COLUMN home VARCHAR(63);

ALTER TABLE moderation_records ADD COLUMN home VARCHAR(63);
