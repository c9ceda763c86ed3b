-- Times of the database by which nodes judge each other, in Unix milliseconds. "confirmed_at_ms": the
-- newest heartbeat whose answer the node had when it sent the stored one. "unbroken_since_ms": none has
-- failed since, and the lease was always good; empty where a node of an earlier version has joined.
ALTER TABLE nodes ADD COLUMN confirmed_at_ms BIGINT DEFAULT 0 NOT NULL;

ALTER TABLE nodes ADD COLUMN unbroken_since_ms BIGINT;

UPDATE nodes SET confirmed_at_ms = lease_until_ms;

-- The node whose disk has the window of a session that a stop has left open.
ALTER TABLE sessions ADD COLUMN node_id VARCHAR(63);
