package touchline.ingest.rtmp;

/** What handlers of a connection tell each other through the pipeline. */
enum RtmpEvent {
    /** What follows is the chunk stream. */
    HANDSHAKE_DONE,
    /** The server stops. */
    SHUTDOWN
}
