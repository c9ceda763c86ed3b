package touchline.packager.hls;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Numbers of segments between the newest one that is known of a server that has ended, and the
 * first one here. Those that it published since lie there; the others never existed. Immutable.
 *
 * <p>A live window lists the last of them as a gap while it begins with its first segment, because
 * Shaka Player (5.2) requests for ever what no playlist replaces: parts of the segment that grew
 * when the server ended; without parts the newest segment, if it has not loaded that. Shaka goes by
 * dates. Why the gap is one, and how long: decision 0100.
 *
 * @param newest segment that is known
 * @param end number behind the last: that of the first segment here
 */
record LeftOutNumbers(StoredWindow.Known newest, long end) {
    static final LeftOutNumbers NONE =
            new LeftOutNumbers(new StoredWindow.Known(-1, 0, Instant.EPOCH, 0, 0), 0);

    /** With parts, hls.js (1.7) stands for long where its media ends within a gap. */
    private static final long SHORT_US = 10_000;

    /**
     * With parts the gap begins so long before the newest segment's end, so that the growing one
     * begins behind it, whatever dates are rounded to.
     */
    private static final long EARLIER_US = 100_000;

    private static final long US_PER_SECOND = 1_000_000;

    /** A segment without media. */
    record Gap(long mediaSequence, Instant startsAt, long durationUs) {
        /** Appends its lines. */
        void append(StringBuilder out) {
            out.append(PlaylistSegment.GAP);
            out.append(PlaylistSegment.date(startsAt));
            out.append(PlaylistSegment.end(mediaSequence, /* startUs= */ 0, durationUs));
        }
    }

    /**
     * What is listed before a segment: a gap in place of the growing segment, and without parts in
     * place of the newest known one.
     *
     * @param next the first segment that is listed
     */
    Optional<Gap> before(MediaSegment next, MediaPlaylist.Head head) {
        if (next.mediaSequence() != end || end <= newest.mediaSequence() + 1) {
            return Optional.empty();
        }
        if (head.listsParts()) {
            Instant grownAt = newest.startsAt().plus(newest.durationUs(), ChronoUnit.MICROS);
            return Optional.of(
                    new Gap(end - 1, grownAt.minus(EARLIER_US, ChronoUnit.MICROS), SHORT_US));
        }
        long durationUs = Math.min(next.startUs() - newest.startUs(), longestUs(head));
        return durationUs < SHORT_US
                ? Optional.empty()
                : Optional.of(new Gap(end - 1, newest.startsAt(), durationUs));
    }

    /**
     * Less than the target duration, and no sum of whole parts. Shaka takes a segment for the one
     * that it has where number and duration are the same.
     */
    private static long longestUs(MediaPlaylist.Head head) {
        return head.targetDurationS() * US_PER_SECOND - head.partTargetUs() / 3;
    }
}
