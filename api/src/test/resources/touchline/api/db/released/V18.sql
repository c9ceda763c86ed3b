-- The bytes are no JPEG: a start reads none.
INSERT INTO images (id, width, height, jpeg, created_at_ms)
    VALUES ('img_slate', 1280, 720, CAST('bytes of a slate' AS BYTEA), 1772600400000);

UPDATE live_streams SET standby_mode = 'slate', standby_after_ms = 2500, standby_image = 'img_slate'
    WHERE id = 'str_first';
