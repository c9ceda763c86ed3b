package touchline.packager.hls;

import java.util.List;

/**
 * How EXT-X-DISCONTINUITY-SEQUENCE counts: each init segment but the session's first stands behind
 * a discontinuity. Immutable, any thread.
 *
 * @param skippedInits init numbers that no discontinuity used: left out at a takeover
 * @param earlier init segments of earlier servers, in order; numbers between them may be missing
 * @param newestEarlier sequence of the last one of these
 */
record DiscontinuityNumbers(int skippedInits, List<Integer> earlier, int newestEarlier) {
    /** Each init number is that of its discontinuity. */
    static final DiscontinuityNumbers ALL = of(0);

    DiscontinuityNumbers {
        earlier = List.copyOf(earlier);
    }

    /** Of a session that was begun here, or whose earlier segments are not listed. */
    static DiscontinuityNumbers of(int skippedInits) {
        return new DiscontinuityNumbers(skippedInits, List.of(), 0);
    }

    /** What EXT-X-DISCONTINUITY-SEQUENCE says if a segment of this init is the first. */
    int sequence(int init) {
        int place = earlier.indexOf(init);
        return place < 0
                ? init - skippedInits
                : Math.max(0, newestEarlier - (earlier.size() - 1 - place));
    }
}
