-- What viewers of a live stream get while no encoder sends. Images of slates are re-encoded by the
-- server, so their bytes are its own; a live stream that names one keeps it from being deleted.
CREATE TABLE images (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    width INT NOT NULL,
    height INT NOT NULL,
    jpeg BYTEA NOT NULL,
    created_at_ms BIGINT NOT NULL
);

ALTER TABLE live_streams ADD COLUMN standby_mode VARCHAR(16) DEFAULT 'none' NOT NULL;
ALTER TABLE live_streams ADD COLUMN standby_after_ms INT DEFAULT 1500 NOT NULL;
ALTER TABLE live_streams ADD COLUMN standby_image VARCHAR(64) REFERENCES images (id);

CREATE INDEX live_streams_of_image ON live_streams (standby_image);
