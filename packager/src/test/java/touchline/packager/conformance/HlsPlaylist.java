package touchline.packager.conformance;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A media playlist as it was read. Immutable.
 *
 * @param text as it came
 * @param head what is said of the whole
 * @param skipped segments that EXT-X-SKIP stands for: this is a delta update where there are any
 * @param segments behind the skipped ones, in order; the last one may be growing
 * @param hint URI of the part that is announced
 * @param ended EXT-X-ENDLIST
 * @param reports of other renditions
 */
public record HlsPlaylist(
        String text,
        Head head,
        int skipped,
        List<Segment> segments,
        Optional<String> hint,
        boolean ended,
        List<RenditionReport> reports) {
    public HlsPlaylist {
        segments = List.copyOf(segments);
        reports = List.copyOf(reports);
    }

    /** EXT-X-RENDITION-REPORT. */
    public record RenditionReport(String uri, long lastMsn, int lastPart) {}

    /**
     * @param version EXT-X-VERSION, 1 where there is none
     * @param type EXT-X-PLAYLIST-TYPE, empty where there is none
     * @param partTargetUs PART-TARGET
     */
    public record Head(
            int version,
            int targetDurationS,
            String type,
            boolean independentSegments,
            Optional<ServerControl> control,
            OptionalLong partTargetUs,
            long mediaSequence,
            long discontinuitySequence) {
        static final long US_PER_SECOND = 1_000_000;

        long targetUs() {
            return targetDurationS * US_PER_SECOND;
        }

        /** The same without what may change from one playlist to the next. */
        Head constant() {
            return new Head(
                    version,
                    targetDurationS,
                    type,
                    independentSegments,
                    control,
                    partTargetUs,
                    0,
                    0);
        }
    }

    /** EXT-X-SERVER-CONTROL; durations in microseconds. */
    public record ServerControl(
            boolean canBlockReload,
            OptionalLong skipUntilUs,
            OptionalLong holdBackUs,
            OptionalLong partHoldBackUs) {}

    /**
     * @param uri empty for a growing one
     * @param durationUs EXTINF; 0 for a growing one
     * @param discontinuity EXT-X-DISCONTINUITY stands before it
     * @param gap EXT-X-GAP: it is not loaded
     * @param map URI of its init segment; empty where none is named before it
     */
    public record Segment(
            long mediaSequence,
            String uri,
            long durationUs,
            Optional<Instant> date,
            boolean discontinuity,
            boolean gap,
            String map,
            List<Part> parts) {
        public Segment {
            parts = List.copyOf(parts);
        }

        public boolean sealed() {
            return !uri.isEmpty();
        }

        /** What the playlist lists of it. */
        long listedUs() {
            return sealed() ? durationUs : partsUs();
        }

        long partsUs() {
            return parts.stream().mapToLong(Part::durationUs).sum();
        }

        /** As a delta update's client keeps it: parts of old segments are gone. */
        Segment with(boolean isDiscontinuity, String initUri, List<Part> keptParts) {
            return new Segment(
                    mediaSequence, uri, durationUs, date, isDiscontinuity, gap, initUri, keptParts);
        }

        /** What finds it in the text. */
        String near() {
            if (sealed()) {
                return uri;
            }
            return parts.isEmpty() ? "" : parts.getFirst().uri();
        }
    }

    /** EXT-X-PART. */
    public record Part(String uri, long durationUs, boolean independent) {}

    public boolean isDelta() {
        return skipped > 0;
    }

    /** All parts that are listed, oldest first. */
    public List<Part> parts() {
        List<Part> all = new ArrayList<>();
        segments.forEach(segment -> all.addAll(segment.parts()));
        return all;
    }

    /** The segments that are complete. */
    public List<Segment> sealedSegments() {
        return segments.stream().filter(Segment::sealed).toList();
    }

    /** Number of the segment that grows, or would grow next. */
    public long nextMediaSequence() {
        return head.mediaSequence() + skipped + sealedSegments().size();
    }

    /** How many parts of the growing segment are listed. */
    public int growingParts() {
        return segments.isEmpty() || segments.getLast().sealed()
                ? 0
                : segments.getLast().parts().size();
    }

    /** Discontinuity sequence number of each segment (RFC 8216, 6.2.2). */
    long[] discontinuityNumbers() {
        long[] numbers = new long[segments.size()];
        long number = head.discontinuitySequence();
        for (int i = 0; i < numbers.length; i++) {
            number += segments.get(i).discontinuity() ? 1 : 0;
            numbers[i] = number;
        }
        return numbers;
    }

    long sealedUs() {
        return segments.stream().mapToLong(Segment::durationUs).sum();
    }

    /** How far the end of each segment lies before the end of what is listed. */
    long[] distancesUs() {
        long[] distances = new long[segments.size()];
        long behindUs = 0;
        for (int i = distances.length - 1; i >= 0; i--) {
            distances[i] = behindUs;
            behindUs += segments.get(i).listedUs();
        }
        return distances;
    }
}
