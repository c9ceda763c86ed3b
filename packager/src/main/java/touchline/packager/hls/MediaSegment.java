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
     * @param tailUs its last frame is shown this much longer; 0 unless nothing follows it
     */
    record Part(long durationUs, boolean independent, int sizeBytes, long tailUs) {
        Part(long durationUs, boolean independent, int sizeBytes) {
            this(durationUs, independent, sizeBytes, /* tailUs= */ 0);
        }
    }

    MediaSegment with(Part part) {
        List<Part> more = new ArrayList<>(parts);
        more.add(part);
        return new MediaSegment(mediaSequence, initNumber, startUs, programDateTime, more, false);
    }

    /**
     * @param tailUs of its last part
     */
    MediaSegment seal(long tailUs) {
        List<Part> all = parts;
        if (tailUs > 0) {
            Part last = parts.getLast();
            all = new ArrayList<>(parts.subList(0, parts.size() - 1));
            all.add(new Part(last.durationUs(), last.independent(), last.sizeBytes(), tailUs));
        }
        return new MediaSegment(mediaSequence, initNumber, startUs, programDateTime, all, true);
    }

    long durationUs() {
        long sum = 0;
        for (Part part : parts) {
            sum += part.durationUs() + part.tailUs();
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
