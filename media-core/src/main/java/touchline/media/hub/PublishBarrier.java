package touchline.media.hub;

/**
 * Port between packager and moderation: decides whether a part is published, if {@code gate} is
 * set. One per session; called by the packager's thread only.
 */
@FunctionalInterface
public interface PublishBarrier {
    /** Passes everything at once. */
    PublishBarrier OPEN = (_, _) -> Verdict.PASS;

    /** Whether parts wait for verdicts now. Any thread. */
    default boolean isShut() {
        return false;
    }

    /** Decision on a part. */
    enum Verdict {
        /** Publish it. */
        PASS,
        /** Discard it, and everything after the last part that passed. */
        DISCARD
    }

    /**
     * Waits until the frames of a part are judged. Times are presentation times in media
     * microseconds.
     *
     * @param firstPtsUs of the part's first frame
     * @param lastPtsUs of its last frame
     */
    Verdict await(long firstPtsUs, long lastPtsUs) throws InterruptedException;
}
