-- Of a kind that no server knows, so that it stays; it was running when the server was killed.
INSERT INTO jobs (task_name, task_instance, task_data, execution_time, picked, picked_by,
    last_success, last_failure, consecutive_failures, last_heartbeat, version)
    VALUES ('kind-of-tests', 'job1', NULL, TIMESTAMP WITH TIME ZONE '2026-03-04 05:06:07.089+00:00', TRUE,
    'touchline', NULL, TIMESTAMP WITH TIME ZONE '2026-03-04 05:05:07+01:00', 2,
    TIMESTAMP WITH TIME ZONE '2026-03-04 05:06:08+00:00', 3);
