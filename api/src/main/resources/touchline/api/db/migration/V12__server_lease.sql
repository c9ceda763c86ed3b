-- The server that works with this database: one row. Times are the database's, in Unix milliseconds.
-- "incarnation" grows with each server that takes the lease, "beats" with each renewal by it. The lease
-- is free when "lease_until_ms" is 0. "name" is for people; "process" identifies the process on its
-- host, and is empty where that is unknown.
CREATE TABLE server_lease (
    id INTEGER NOT NULL PRIMARY KEY,
    incarnation BIGINT NOT NULL,
    beats BIGINT NOT NULL,
    lease_until_ms BIGINT NOT NULL,
    since_ms BIGINT NOT NULL,
    name VARCHAR NOT NULL,
    process VARCHAR NOT NULL,
    CONSTRAINT server_lease_one_row CHECK (id = 1)
);

INSERT INTO server_lease (id, incarnation, beats, lease_until_ms, since_ms, name, process)
    VALUES (1, 0, 0, 0, 0, '', '');
