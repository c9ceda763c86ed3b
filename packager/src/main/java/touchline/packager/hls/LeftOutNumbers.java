package touchline.packager.hls;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Numbers of segments between the newest one that is known of a server that has ended, and the
 * first one here. Those that it published since lie there; the others never existed. Immutable.
 *
 * <p>A live window lists the last of them as a gap while it begins with its first segment, because
 * Shaka Player (5.2) requests for ever what no playlist replaces: parts of the segment that grew
 * when the server ended; without parts the newest segment, if it has not loaded that. One gap only:
 * hls.js (1.7) may request a second one for ever, or wait before it.
 *
 * @param newest segment that is known
 * @param end number behind the last: that of the first segment here
 */
record LeftOutNumbers(StoredWindow.Known newest, long end) {
    static final LeftOutNumbers NONE =
            new LeftOutNumbers(new StoredWindow.Known(-1, 0, Instant.EPOCH, 0, 0), 0);

    /**
     * The gap begins so long before the newest segment's end: the media of a segment ends a little
     * before the segment, and hls.js finds a place before a playlist less well than one in it.
     */
    private static final long EARLIER_US = 100_000;

    private static final long US_PER_SECOND = 1_000_000;
    private static final long MIN_US = 1_000;

    /** A segment without media. */
    record Gap(long mediaSequence, Instant startsAt, long durationUs) {
        static final Gap NONE = new Gap(0, Instant.EPOCH, 0);

        boolean isNone() {
            return durationUs == 0;
        }

        /** Appends its lines. */
        void append(StringBuilder out) {
            out.append(PlaylistSegment.GAP);
            out.append(PlaylistSegment.date(startsAt));
            out.append(PlaylistSegment.end(mediaSequence, durationUs));
        }
    }

    /**
     * What is listed before a segment: a gap in place of the growing segment, and without parts in
     * place of the newest known one.
     *
     * @param next the first segment that is listed
     */
    Gap before(MediaSegment next, MediaPlaylist.Head head) {
        long laterUs = head.listsParts() ? newest.durationUs() - EARLIER_US : 0;
        long durationUs = Math.min(next.startUs() - newest.startUs() - laterUs, longestUs(head));
        boolean isListed =
                next.mediaSequence() == end
                        && end > newest.mediaSequence() + 1
                        && durationUs >= MIN_US;
        return isListed
                ? new Gap(end - 1, newest.startsAt().plus(laterUs, ChronoUnit.MICROS), durationUs)
                : Gap.NONE;
    }

    /**
     * Less than the target duration, and no sum of whole parts. Shaka takes a segment for the one
     * that it has where number and duration are the same.
     */
    private static long longestUs(MediaPlaylist.Head head) {
        return head.targetDurationS() * US_PER_SECOND - head.partTargetUs() / 3;
    }
}
