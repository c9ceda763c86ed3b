-- Of a session, and of a clip.
INSERT INTO markers (id, owner_id, label, kind, time_us, created_at_ms)
    VALUES ('mrk_goal', 'ses_ended', 'Goal ''1:0''', 'score', 12000000, 1772600782000);
INSERT INTO markers (id, owner_id, label, kind, time_us, created_at_ms)
    VALUES ('mrk_start', 'ses_ended', 'Kick-off', 'text', 0, 1772600770000);
INSERT INTO markers (id, owner_id, label, kind, time_us, created_at_ms)
    VALUES ('mrk_clip', 'ast_clip', 'Goal', 'text', 500000, 1772600901000);
