UPDATE live_streams
    SET renditions = '[{"height":720,"video_bitrate":0,"frame_rate":0.0},{"height":360,"video_bitrate":600000,"frame_rate":25.0}]'
    WHERE id = 'str_first';

UPDATE live_streams SET renditions = '"auto"' WHERE id = 'str_second';
