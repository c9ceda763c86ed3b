package touchline.api.session;

import touchline.packager.hls.SegmentNumbers;

/**
 * The numbers of a stream that this server owns, of one session. {@link #first} and {@link
 * #firstInit} are those of a {@link Resumption} where the session is resumed.
 */
public interface ReservedNumbers extends SegmentNumbers {
    /** Number of the session's first segment. */
    long first();

    /** Number of its first init segment: 0 for a new session. */
    int firstInit();

    /**
     * Returns the unused numbers. Called when the session ends here, also when a stop of the server
     * leaves it open. Blocks.
     *
     * @param next above all that were published
     */
    void settle(long next);
}
