-- A server that was killed.
UPDATE server_lease SET incarnation = 3, beats = 9, lease_until_ms = 1772600870000,
    since_ms = 1772600767089, name = 'pid 4 on old-host', process = 'old-host 4' WHERE id = 1;
