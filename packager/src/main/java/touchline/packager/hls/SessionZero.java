package touchline.packager.hls;

import java.util.OptionalLong;

/**
 * The media time from which positions of a session count: those of its recording. It is the
 * presentation time of the session's first frame. Where another server has begun the recording,
 * media time has a gap that the recording does not have: then it lies so much later. Not
 * thread-safe.
 */
final class SessionZero {
    private OptionalLong us = OptionalLong.empty();

    /** Presentation time of the first frame that this server publishes. */
    private OptionalLong firstUs = OptionalLong.empty();

    /** Its position. */
    private OptionalLong positionUs = OptionalLong.empty();

    /** Empty before the first frame. */
    OptionalLong us() {
        return us;
    }

    /**
     * A new init segment.
     *
     * @param firstPtsUs presentation time of the first frame behind it
     */
    void begin(long firstPtsUs) {
        us = us.isPresent() ? us : OptionalLong.of(firstPtsUs);
        firstUs = firstUs.isPresent() ? firstUs : OptionalLong.of(firstPtsUs);
        place();
    }

    /** The session was begun before: by this server, or another one. */
    void resume(OptionalLong beforeUs) {
        us = beforeUs;
    }

    /** See {@link SessionBeginning#endsAt}. */
    void startsAt(long position) {
        positionUs = OptionalLong.of(position);
        place();
    }

    private void place() {
        if (firstUs.isPresent() && positionUs.isPresent()) {
            us = OptionalLong.of(firstUs.getAsLong() - positionUs.getAsLong());
        }
    }

    void clear() {
        us = OptionalLong.empty();
    }
}
