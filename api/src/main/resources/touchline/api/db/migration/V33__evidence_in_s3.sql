-- CRC-32C of an evidence frame's file; null where the record has no frame, or is of before.
ALTER TABLE moderation_records ADD COLUMN frame_checksum BIGINT;

-- When the frame was in S3; null where it is not, and 0 where there is no frame to upload.
ALTER TABLE moderation_records ADD COLUMN frame_uploaded_at_ms BIGINT;

UPDATE moderation_records SET frame_uploaded_at_ms = 0 WHERE frame_name IS NULL;

CREATE INDEX moderation_records_to_upload ON moderation_records (frame_uploaded_at_ms, id);

-- Deleted evidence frames whose objects may still be in S3, and the node that deletes them.
CREATE TABLE deleted_frames (
    frame_name    VARCHAR(64) PRIMARY KEY,
    home          VARCHAR(63),
    deleted_at_ms BIGINT NOT NULL
);
