-- The session's frames cannot be decoded for longer than an interval.
ALTER TABLE audit_runs ADD COLUMN blind BOOLEAN DEFAULT FALSE NOT NULL;
