-- Ranges of a clip that has several, in their order. The clip's row has the first one. Sources are named,
-- not referred to: they may be deleted.
CREATE TABLE clip_ranges (
    asset_id VARCHAR(64) NOT NULL,
    place INTEGER NOT NULL,
    source_asset_id VARCHAR(64) NOT NULL,
    start_us BIGINT NOT NULL,
    end_us BIGINT NOT NULL,
    CONSTRAINT clip_ranges_in_order PRIMARY KEY (asset_id, place),
    CONSTRAINT clip_ranges_asset FOREIGN KEY (asset_id) REFERENCES assets (id) ON DELETE CASCADE
);

CREATE INDEX clip_ranges_of_source ON clip_ranges (source_asset_id);
