package touchline.packager.hls;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Numbers of segments between the newest one that is known of a server that has ended, and the
 * first one here. Those that it published since lie there; the others never existed. Immutable.
 *
 * <p>A live window lists gaps in their place while it begins with its first segment, because Shaka
 * Player (5.2) requests for ever what no playlist replaces: parts of the segment that grew when the
 * server ended; without parts the newest segment, if it has not loaded that.
 *
 * @param newest segment that is known
 * @param end number behind the last: that of the first segment here
 */
record LeftOutNumbers(StoredWindow.Known newest, long end) {
    static final LeftOutNumbers NONE =
            new LeftOutNumbers(new StoredWindow.Known(-1, 0, Instant.EPOCH, 0, 0), 0);

    /** Outage mode takes a number a second: after a long one they would be most of the playlist. */
    private static final long MOST_LISTED = 120;

    /**
     * Gaps begin so long before the newest segment's end. hls.js (1.7) has a place before a
     * playlist, but within a quarter of a second, requests the second gap for ever; the media of a
     * segment ends a little before the segment.
     */
    private static final long EARLIER_US = 100_000;

    private static final long US_PER_SECOND = 1_000_000;
    private static final long MIN_US = 1_000;

    /**
     * Gaps of a playlist, in order.
     *
     * @param first number of the first
     * @param end number behind the last
     * @param startsAt date of the first
     * @param eachUs duration of each
     */
    record Gaps(long first, long end, Instant startsAt, long eachUs) {
        static final Gaps NONE = new Gaps(0, 0, Instant.EPOCH, 0);

        boolean isEmpty() {
            return first == end;
        }

        /** Appends their lines. */
        void append(StringBuilder out) {
            for (long number = first; number < end; number++) {
                Instant date = startsAt.plus((number - first) * eachUs, ChronoUnit.MICROS);
                out.append(PlaylistSegment.GAP);
                out.append(PlaylistSegment.date(date));
                out.append(PlaylistSegment.end(number, eachUs));
            }
        }
    }

    /**
     * What is listed before a segment. With parts, each number. Without, only the last one, in the
     * place of the newest known segment: hls.js that has not loaded that passes one gap, not two.
     *
     * @param next the first segment that is listed
     */
    Gaps before(MediaSegment next, MediaPlaylist.Head head) {
        long all = end - newest.mediaSequence() - 1;
        if (next.mediaSequence() != end || all == 0) {
            return Gaps.NONE;
        }
        long laterUs = head.listsParts() ? newest.durationUs() - EARLIER_US : 0;
        long count = head.listsParts() ? all : 1;
        long fromUs = newest.startUs() + laterUs;
        long eachUs = Math.min((next.startUs() - fromUs) / count, longestUs(head));
        if (count > MOST_LISTED || eachUs < MIN_US) {
            return Gaps.NONE;
        }
        Instant fromAt = newest.startsAt().plus(laterUs, ChronoUnit.MICROS);
        return new Gaps(end - count, end, fromAt, eachUs);
    }

    /**
     * Less than the target duration, and no sum of whole parts. Shaka takes a segment for the one
     * that it has where number and duration are the same.
     */
    private static long longestUs(MediaPlaylist.Head head) {
        return head.targetDurationS() * US_PER_SECOND - head.partTargetUs() / 3;
    }
}
