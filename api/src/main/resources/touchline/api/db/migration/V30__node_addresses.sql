-- Where the other nodes of a cluster reach a node: its port for nodes and its playback server as
-- 'http://host:port', its RTMP server as 'host:port'. Empty before that
-- port is open.
ALTER TABLE nodes ADD COLUMN control_url VARCHAR DEFAULT '' NOT NULL;

ALTER TABLE nodes ADD COLUMN playback_url VARCHAR DEFAULT '' NOT NULL;

ALTER TABLE nodes ADD COLUMN rtmp_address VARCHAR DEFAULT '' NOT NULL;
