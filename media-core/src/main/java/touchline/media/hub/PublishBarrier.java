package touchline.media.hub;

/**
 * Port between packager and moderation: the packager asks before it makes a part public, moderation
 * answers where {@code gate} is set. One per session; asked by the packager's thread only.
 */
@FunctionalInterface
public interface PublishBarrier {
    /** Lets everything pass at once. */
    PublishBarrier OPEN = _ -> Verdict.PASS;

    /** What becomes of the media asked about. */
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
