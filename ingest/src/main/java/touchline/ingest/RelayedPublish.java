package touchline.ingest;

/** Port: one publisher that is to be relayed, and where it goes when its owner is not there. */
@FunctionalInterface
public interface RelayedPublish {
    /** Why a relay did not begin, or ended, although its encoder is still connected. */
    enum Ended {
        /** The node says that it does not own the stream. */
        NOT_OWNER,
        /** Nothing listens at its address: the process is over. */
        CONNECTION_REFUSED,
        /** No connection or no answer in time, or the node is stopping. */
        TIMED_OUT,
        /** The owner had accepted, and is lost or stops now. */
        LOST
    }

    /**
     * Decides again, key and stream included. The encoder is held meanwhile. Called on a virtual
     * thread, so it may block, for at most about 8 s.
     */
    PublishDecision next(Ended ended);
}
