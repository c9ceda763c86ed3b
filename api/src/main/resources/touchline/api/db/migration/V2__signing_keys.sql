-- The public halves of the RSA keys that sign playback tokens; the private ones are not kept.
-- "public_key" is base64 of a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7).

CREATE TABLE signing_keys (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    public_key VARCHAR(1024) NOT NULL,
    created_at_ms BIGINT NOT NULL,
    CONSTRAINT signing_keys_newest UNIQUE (seq)
);
