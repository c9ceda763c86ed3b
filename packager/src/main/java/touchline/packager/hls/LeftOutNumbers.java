package touchline.packager.hls;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Numbers of segments between the newest one that is known of a server that has ended, and the
 * first one here. Those that it published since lie there; the others never existed. Immutable.
 *
 * <p>A live window lists them as gaps while it begins with its first segment, from the start of the
 * newest known one on. So a player learns that this one, which it may not have loaded, and the one
 * that grew when the server ended are over. Shaka Player (5.2) requests the next of the two for
 * ever where no playlist replaces it.
 *
 * @param first number of the first
 * @param end number behind the last: that of the first segment here
 * @param startUs media time at which they start
 * @param startsAt date of the same
 */
record LeftOutNumbers(long first, long end, long startUs, Instant startsAt) {
    static final LeftOutNumbers NONE = new LeftOutNumbers(0, 0, 0, Instant.EPOCH);

    /** Outage mode takes a number a second: after a long one they would be most of the playlist. */
    private static final long MAX_LISTED = 120;

    private static final long US_PER_SECOND = 1_000_000;
    private static final long MIN_US = 1_000;

    /**
     * Those that are listed before a segment.
     *
     * @param next the first segment that is listed
     */
    LeftOutNumbers before(MediaSegment next) {
        long count = end - first;
        boolean isListed =
                next.mediaSequence() == end
                        && count > 0
                        && count <= MAX_LISTED
                        && next.startUs() - startUs >= count * MIN_US;
        return isListed ? this : NONE;
    }

    boolean isEmpty() {
        return first == end;
    }

    /**
     * Appends their lines.
     *
     * @param nextUs media time of the segment behind them
     */
    void append(StringBuilder out, long nextUs, MediaPlaylist.Head head) {
        long eachUs = Math.min((nextUs - startUs) / (end - first), longestUs(head));
        for (long number = first; number < end; number++) {
            Instant date = startsAt.plus((number - first) * eachUs, ChronoUnit.MICROS);
            out.append(PlaylistSegment.GAP);
            out.append(PlaylistSegment.date(date));
            out.append(PlaylistSegment.end(number, eachUs));
        }
    }

    /**
     * Less than the target duration, and no sum of whole parts. Shaka takes a segment for the one
     * that it has where number and duration are the same.
     */
    private static long longestUs(MediaPlaylist.Head head) {
        return head.targetDurationS() * US_PER_SECOND - head.partTargetUs() / 3;
    }
}
