-- Whether a recording begins with its session: one that began behind a gap (a full disk) is shown under
-- its own name, not its session's.
ALTER TABLE assets ADD COLUMN from_start BOOLEAN DEFAULT TRUE NOT NULL;
