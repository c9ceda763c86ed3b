-- Whether the audio and video of a live stream's sessions are watched for faults.
ALTER TABLE live_streams ADD COLUMN signal_watch BOOLEAN DEFAULT FALSE NOT NULL;
