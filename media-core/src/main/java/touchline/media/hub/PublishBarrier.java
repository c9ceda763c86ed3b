package touchline.media.hub;

/**
 * Port between packager and moderation: decides whether a part is published, if {@code gate} is
 * set. One per session; called by the packager's thread only.
 */
@FunctionalInterface
public interface PublishBarrier {
    /** Passes everything at once. */
    PublishBarrier OPEN = _ -> Verdict.PASS;

    /** Decision on a part. */
    enum Verdict {
        /** Publish it. */
        PASS,
        /** Discard it, and everything after the last part that passed. */
        DISCARD
    }

    /**
     * Waits until the frames up to a time are judged.
     *
     * @param lastPtsUs presentation time of the part's last frame, in media microseconds
     */
    Verdict await(long lastPtsUs) throws InterruptedException;
}
