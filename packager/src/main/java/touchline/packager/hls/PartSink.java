package touchline.packager.hls;

import touchline.media.Timeline;

/**
 * Port: who wants every finished part, in order. Called by the packager's thread; the part's bytes
 * are borrowed for the call (retain to keep). A sink that fails is dropped from the session, with a
 * warning, and nothing else is disturbed.
 */
public interface PartSink {
    /**
     * A new init segment: what follows is decoded with it, behind a discontinuity but for the
     * first.
     *
     * @param number 0 for the session's first
     */
    void initSegment(int number, Timeline timeline, MediaBlock bytes);

    /** A finished part of the segment {@code mediaSequence}. */
    void part(FinishedPart part);

    /** The segment is complete: nothing more is added to it. */
    void sealed(SealedSegment segment);

    /** The session has ended. */
    void end();

    /** How near it is to giving up because it cannot keep pace, 0 to 1. Any thread. */
    default double fullness() {
        return 0;
    }

    /**
     * One moof and mdat.
     *
     * @param mediaSequence number of its segment
     * @param index 0 for the segment's first part
     * @param startUs decode time of its first access unit, in media microseconds
     * @param durationUs exact, of the leading track
     * @param independent starts with a key frame
     * @param bytes moof and mdat
     */
    record FinishedPart(
            long mediaSequence,
            int index,
            long startUs,
            long durationUs,
            boolean independent,
            MediaBlock bytes) {}

    /**
     * @param mediaSequence its number
     * @param initNumber the init segment it is decoded with
     * @param startUs as of its first part
     * @param durationUs sum of its parts
     * @param parts how many
     * @param sizeBytes of all its parts
     */
    record SealedSegment(
            long mediaSequence,
            int initNumber,
            long startUs,
            long durationUs,
            int parts,
            long sizeBytes) {}
}
