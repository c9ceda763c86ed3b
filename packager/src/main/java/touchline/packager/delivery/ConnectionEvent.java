package touchline.packager.delivery;

/** User events between the handlers of a viewer's connection or stream. */
enum ConnectionEvent {
    /** Finish the requests at hand, take no other. */
    CLOSING,
    /** An answer has been in progress for a while: check whether it may continue. */
    STILL_WRITING
}
