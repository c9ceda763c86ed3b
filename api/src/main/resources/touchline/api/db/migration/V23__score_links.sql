-- Addresses with which phones run the bundled scoreboard of one live stream.
CREATE TABLE score_links (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    stream_id VARCHAR(64) NOT NULL,
    name VARCHAR NOT NULL,
    secret_hash VARCHAR(64) NOT NULL,
    expires_at_ms BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    last_used_at_ms BIGINT,
    CONSTRAINT score_links_newest UNIQUE (seq),
    CONSTRAINT score_links_stream FOREIGN KEY (stream_id) REFERENCES live_streams (id) ON DELETE CASCADE
);

CREATE INDEX score_links_of_stream ON score_links (stream_id, seq);

-- The last changes of a bundled scoreboard, to undo them: its content before and after, as JSON, and
-- the marker that the change has added to a session.
CREATE TABLE scoreboard_changes (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    stream_id VARCHAR(64) NOT NULL,
    before_state VARCHAR NOT NULL,
    after_state VARCHAR NOT NULL,
    session_id VARCHAR(64),
    marker_id VARCHAR(64),
    CONSTRAINT scoreboard_changes_newest UNIQUE (seq),
    CONSTRAINT scoreboard_changes_stream FOREIGN KEY (stream_id) REFERENCES live_streams (id) ON DELETE CASCADE
);

CREATE INDEX scoreboard_changes_of_stream ON scoreboard_changes (stream_id, seq);

-- Images that a bundled scoreboard shows, which are not deleted as long as it does.
CREATE TABLE scoreboard_images (
    stream_id VARCHAR(64) NOT NULL,
    image_id VARCHAR(64) NOT NULL,
    CONSTRAINT scoreboard_images_key PRIMARY KEY (stream_id, image_id),
    CONSTRAINT scoreboard_images_stream FOREIGN KEY (stream_id) REFERENCES live_streams (id) ON DELETE CASCADE,
    CONSTRAINT scoreboard_images_image FOREIGN KEY (image_id) REFERENCES images (id)
);

CREATE INDEX scoreboard_images_of_image ON scoreboard_images (image_id);
