-- A session that a planned stop of the server has left open: the next start continues it before this
-- time. "resume" is the JSON text of what it needs besides the stored window. Both are empty while the
-- session runs.
ALTER TABLE sessions ADD COLUMN resume_until_ms BIGINT;
ALTER TABLE sessions ADD COLUMN resume VARCHAR;
