package touchline.packager.hls;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A segment and its parts as listed in playlists. Immutable, any thread.
 *
 * @param mediaSequence its number
 * @param initNumber number of its init segment; a change from the segment before is a discontinuity
 * @param startUs decode time of its first unit, in media microseconds
 * @param programDateTime wall clock at {@code startUs}
 * @param parts so far, in order
 * @param sealed nothing more is added
 */
record MediaSegment(
        long mediaSequence,
        int initNumber,
        long startUs,
        Instant programDateTime,
        List<Part> parts,
        boolean sealed) {
    MediaSegment {
        parts = List.copyOf(parts);
    }

    /**
     * One moof and mdat.
     *
     * @param durationUs of the leading track
     * @param independent starts with a key frame
     * @param sizeBytes of both boxes
     */
    record Part(long durationUs, boolean independent, int sizeBytes) {}

    MediaSegment with(Part part) {
        List<Part> more = new ArrayList<>(parts);
        more.add(part);
        return new MediaSegment(mediaSequence, initNumber, startUs, programDateTime, more, false);
    }

    MediaSegment seal() {
        return new MediaSegment(mediaSequence, initNumber, startUs, programDateTime, parts, true);
    }

    long durationUs() {
        long sum = 0;
        for (Part part : parts) {
            sum += part.durationUs();
        }
        return sum;
    }

    /** Where a part starts in its segment. */
    long offsetBytes(int part) {
        long sum = 0;
        for (Part before : parts.subList(0, part)) {
            sum += before.sizeBytes();
        }
        return sum;
    }

    long endUs() {
        return startUs + durationUs();
    }

    long sizeBytes() {
        long sum = 0;
        for (Part part : parts) {
            sum += part.sizeBytes();
        }
        return sum;
    }
}
