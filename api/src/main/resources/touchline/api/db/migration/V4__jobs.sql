-- Durable jobs. The table and its columns are those of the library db-scheduler, which is why times
-- are timestamps here: "task_name" is the kind, "task_instance" the job, "picked" means it runs.
CREATE TABLE jobs (
    task_name VARCHAR(100) NOT NULL,
    task_instance VARCHAR(100) NOT NULL,
    task_data BYTEA,
    execution_time TIMESTAMP WITH TIME ZONE NOT NULL,
    picked BOOLEAN NOT NULL,
    picked_by VARCHAR(50),
    last_success TIMESTAMP WITH TIME ZONE,
    last_failure TIMESTAMP WITH TIME ZONE,
    consecutive_failures INTEGER,
    last_heartbeat TIMESTAMP WITH TIME ZONE,
    version BIGINT NOT NULL,
    PRIMARY KEY (task_name, task_instance)
);

CREATE INDEX jobs_due ON jobs (task_name, execution_time);

CREATE INDEX jobs_heartbeat ON jobs (last_heartbeat);

-- Whether a clip is being cut from an asset.
CREATE INDEX assets_of_source ON assets (source_asset_id);
