package touchline.packager.delivery;

/** What handlers of a viewer's connection or stream tell each other, as user events. */
enum ConnectionEvent {
    /** Finish the requests at hand, take no other. */
    CLOSING,
    /** An answer has been under way for a while: see whether it may go on. */
    STILL_WRITING
}
