package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import touchline.packager.conformance.ConformanceChecker;
import touchline.packager.conformance.HlsPlaylist;

/**
 * The segments of a media playlist by their dates. Shaka Player 5.2 places segments by these: it
 * takes jumps of more than a second out of its timeline, and it finds a segment of the playlist
 * before only where dates and durations agree to the millisecond. Where they do not, it loses its
 * list of segments at the next long jump (createSegments_ and getReferenceForMediaSequence_ of its
 * HlsParser).
 */
record DatedSegments(List<HlsPlaylist.Segment> all) {
    /** Shaka keeps shorter jumps. */
    static final long LONG_JUMP_US = 1_000_000;

    static DatedSegments of(String playlist) {
        return new DatedSegments(
                new ConformanceChecker().whole(playlist).orElseThrow().sealedSegments());
    }

    int discontinuities() {
        return (int) all.stream().filter(HlsPlaylist.Segment::discontinuity).count();
    }

    /** Date at which the last one ends. */
    long endUs() {
        return dateUs(all.getLast()) + all.getLast().durationUs();
    }

    private static long dateUs(HlsPlaylist.Segment segment) {
        return segment.date().orElseThrow().toEpochMilli() * 1_000;
    }

    /** Whichever segment a playlist lists first. */
    void assertAgree() {
        for (int first = 0; first < all.size(); first++) {
            assertAgree(first);
        }
    }

    /** As Shaka places the segments, from the one on that a playlist lists first. */
    private void assertAgree(int first) {
        long zeroUs = dateUs(all.get(first));
        long endUs = 0;
        long atUs = 0;
        for (int i = first; i < all.size(); i++) {
            HlsPlaylist.Segment segment = all.get(i);
            long jumpUs = dateUs(segment) - zeroUs - endUs;
            if (i > first && segment.discontinuity() && Math.abs(jumpUs) > LONG_JUMP_US) {
                zeroUs += jumpUs;
            }
            long startUs = dateUs(segment) - zeroUs;
            long offUs = startUs - atUs;
            assertTrue(
                    Math.abs(offUs) < 1_000,
                    "segment " + i + " is placed off by us " + offUs + ", from " + first + " on");
            endUs = startUs + segment.durationUs();
            atUs += segment.durationUs();
        }
    }
}
