-- Moments of a session or of a clip, named by people or by a change of the score. "owner_id" is the
-- session, which may be deleted with its stream while its recording stays, or the clip. "time_us" counts
-- from the first frame shown.
CREATE TABLE markers (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    owner_id VARCHAR(64) NOT NULL,
    label VARCHAR NOT NULL,
    kind VARCHAR(64) NOT NULL,
    time_us BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL
);

CREATE INDEX markers_of_owner ON markers (owner_id, time_us, seq);

-- The recording of a session, for its markers.
CREATE INDEX assets_of_session ON assets (session_id);
