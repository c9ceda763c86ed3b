-- When the credential was last accepted, in Unix milliseconds; null: not since this migration.
-- Written once a minute at most.
ALTER TABLE access_tokens ADD COLUMN last_used_at_ms BIGINT;
ALTER TABLE signing_keys ADD COLUMN last_used_at_ms BIGINT;
