package touchline.packager.hls;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Numbers of segments between the newest one that is known of a server that has ended, and the
 * first one here. Those that it published since lie there; the others never existed. Immutable.
 *
 * <p>A live window lists the last few of them as gaps while it begins with its first segment. They
 * begin before the newest known segment. So a player learns that this one, which it may not have
 * loaded, and the one that grew when the server ended are over: Shaka Player (5.2) requests the
 * next of the two for ever where no playlist replaces it.
 *
 * @param first number of the first
 * @param end number behind the last: that of the first segment here
 * @param startUs media time at which the newest known segment starts
 * @param startsAt date of the same
 */
record LeftOutNumbers(long first, long end, long startUs, Instant startsAt) {
    static final LeftOutNumbers NONE = new LeftOutNumbers(0, 0, 0, Instant.EPOCH);

    /**
     * hls.js (1.7) that has loaded all before the gaps passes two in a row, and requests the third
     * for ever.
     */
    private static final long MOST_LISTED = 2;

    /**
     * From the start of the gaps to that of the newest known segment. hls.js that has loaded all
     * before this segment finds its place among the gaps: its media may end a little earlier.
     */
    private static final long EARLIER_US = 500_000;

    private static final long US_PER_SECOND = 1_000_000;
    private static final long MIN_US = 1_000;

    /**
     * Those that are listed before a segment.
     *
     * @param next the first segment that is listed
     */
    LeftOutNumbers before(MediaSegment next, MediaPlaylist.Head head) {
        boolean areListed =
                next.mediaSequence() == end && end > first && next.startUs() - startUs >= MIN_US;
        if (!areListed) {
            return NONE;
        }
        long longestUs = longestUs(head);
        long wantedUs = next.startUs() - startUs + Math.clamp(startUs, 0, EARLIER_US);
        long count = Math.min(Math.min(end - first, MOST_LISTED), wantedUs / longestUs + 1);
        long fromUs = next.startUs() - Math.min(count * longestUs, wantedUs);
        return new LeftOutNumbers(
                end - count, end, fromUs, startsAt.plus(fromUs - startUs, ChronoUnit.MICROS));
    }

    boolean isEmpty() {
        return first == end;
    }

    /**
     * Appends their lines.
     *
     * @param nextUs media time of the segment behind them
     */
    void append(StringBuilder out, long nextUs) {
        long eachUs = (nextUs - startUs) / (end - first);
        for (long number = first; number < end; number++) {
            Instant date = startsAt.plus((number - first) * eachUs, ChronoUnit.MICROS);
            out.append(PlaylistSegment.GAP);
            out.append(PlaylistSegment.date(date));
            out.append(PlaylistSegment.end(number, eachUs));
        }
    }

    /**
     * Rounded, the target duration (RFC 8216, 4.3.3.1), and no sum of whole parts. Shaka takes a
     * segment for the one that it has where number and duration are the same.
     */
    private static long longestUs(MediaPlaylist.Head head) {
        long moreUs = Math.min(head.partTargetUs() / 3, 2 * US_PER_SECOND / 5);
        return head.targetDurationS() * US_PER_SECOND + moreUs;
    }
}
