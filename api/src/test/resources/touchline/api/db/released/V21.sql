UPDATE live_streams SET signal_watch = TRUE WHERE id = 'str_first';
