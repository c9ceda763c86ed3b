-- The renditions that a live stream asks for: "auto" or a list of {height, video_bitrate,
-- frame_rate}; 0 stands for a default.
ALTER TABLE live_streams ADD COLUMN renditions VARCHAR(4096) DEFAULT '[]' NOT NULL;
