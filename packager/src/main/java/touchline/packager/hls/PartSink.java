package touchline.packager.hls;

import java.util.List;
import touchline.media.Timeline;
import touchline.packager.isobmff.Fragment;

/**
 * Port: receives every finished part, in order. Called by the packager's thread; the part's bytes
 * are borrowed for the call (retain to keep). A failing sink is dropped from the session with a
 * warning; other sinks continue.
 */
public interface PartSink {
    /**
     * A new init segment for the parts that follow; a discontinuity, except for the first.
     *
     * @param number 0 for the session's first
     */
    void initSegment(int number, Timeline timeline, MediaBlock bytes);

    /** A finished part of the segment {@code mediaSequence}. */
    void part(FinishedPart part);

    /**
     * The units of the part before, as the feed had them: for readers of media that has passed the
     * barrier.
     *
     * @param timeline of the feed
     * @param runs one for each track, in decode order
     */
    default void units(Timeline timeline, List<Fragment.Run> runs) {}

    /** The segment is complete: nothing more is added to it. */
    void sealed(SealedSegment segment);

    /** The session has ended. */
    void end();

    /** Fill level of its queue, 0 to 1; at 1 it gives up. Any thread. */
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
     * @param initNumber number of its init segment
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
