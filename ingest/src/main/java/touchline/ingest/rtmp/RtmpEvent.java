package touchline.ingest.rtmp;

/** User events between the handlers of a connection. */
enum RtmpEvent {
    /** The chunk stream follows. */
    HANDSHAKE_DONE,
    /** The server stops. */
    SHUTDOWN
}
