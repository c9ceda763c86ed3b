-- When the first object of an asset was about to be written to S3, and when all its files were there.
ALTER TABLE assets ADD COLUMN upload_begun_at_ms BIGINT;
ALTER TABLE assets ADD COLUMN uploaded_at_ms BIGINT;

CREATE INDEX assets_to_upload ON assets (uploaded_at_ms, seq);

-- Deleted assets whose objects are still in S3.
CREATE TABLE deleted_objects (
    id            VARCHAR(64) PRIMARY KEY,
    home          VARCHAR(63),
    deleted_at_ms BIGINT NOT NULL
);
