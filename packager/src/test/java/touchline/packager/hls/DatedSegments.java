package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The segments of a media playlist by their dates. Shaka Player 5.2 places segments by these: it
 * takes jumps of more than a second out of its timeline, and it finds a segment of the playlist
 * before only where dates and durations agree to the millisecond. Where they do not, it loses its
 * list of segments at the next long jump (createSegments_ and getReferenceForMediaSequence_ of its
 * HlsParser).
 */
record DatedSegments(List<Listed> all) {
    /** Shaka keeps shorter jumps. */
    static final long LONG_JUMP_US = 1_000_000;

    /** A segment as a player reads it. */
    record Listed(long dateUs, long durationUs, boolean behindDiscontinuity) {}

    static DatedSegments of(String playlist) {
        List<Listed> found = new ArrayList<>();
        boolean discontinuity = false;
        long dateUs = 0;
        for (String line : playlist.lines().toList()) {
            String value = line.substring(line.indexOf(':') + 1);
            if (line.equals("#EXT-X-DISCONTINUITY")) {
                discontinuity = true;
            } else if (line.startsWith("#EXT-X-PROGRAM-DATE-TIME:")) {
                dateUs = Instant.parse(value).toEpochMilli() * 1_000;
            } else if (line.startsWith("#EXTINF:")) {
                long us = Math.round(Double.parseDouble(value.replace(",", "")) * 1_000_000);
                found.add(new Listed(dateUs, us, discontinuity));
                discontinuity = false;
            }
        }
        return new DatedSegments(found);
    }

    int discontinuities() {
        return (int) all.stream().filter(Listed::behindDiscontinuity).count();
    }

    Listed last() {
        return all.getLast();
    }

    /** Whichever segment a playlist lists first. */
    void assertAgree() {
        for (int first = 0; first < all.size(); first++) {
            assertAgree(first);
        }
    }

    /** As Shaka places the segments, from the one on that a playlist lists first. */
    private void assertAgree(int first) {
        long zeroUs = all.get(first).dateUs();
        long endUs = 0;
        long atUs = 0;
        for (int i = first; i < all.size(); i++) {
            Listed segment = all.get(i);
            long jumpUs = segment.dateUs() - zeroUs - endUs;
            if (i > first && segment.behindDiscontinuity() && Math.abs(jumpUs) > LONG_JUMP_US) {
                zeroUs += jumpUs;
            }
            long startUs = segment.dateUs() - zeroUs;
            long offUs = startUs - atUs;
            assertTrue(
                    Math.abs(offUs) < 1_000,
                    "segment " + i + " is placed off by us " + offUs + ", from " + first + " on");
            endUs = startUs + segment.durationUs();
            atUs += segment.durationUs();
        }
    }
}
