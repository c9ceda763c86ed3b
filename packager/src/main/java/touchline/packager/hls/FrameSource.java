package touchline.packager.hls;

import java.io.IOException;
import java.util.Optional;
import touchline.media.SessionId;

/**
 * Where the frames of a session lie, for whoever wants to decode one of them. All methods but one
 * return at once; any thread. Bodies come with references that the caller gives back.
 */
public interface FrameSource {
    /** Names the media: what one session's segments hold never changes. */
    SessionId session();

    /**
     * Presentation time of the session's first frame (first audio where there are none). Blocks
     * where that must be read.
     */
    long zeroUs() throws IOException;

    /**
     * The segment that is decoded at a time, or the last one before it; empty where that is not
     * kept (any more).
     *
     * @param mediaUs decode time, in media microseconds
     */
    Optional<Span> spanAt(long mediaUs);

    /** The newest segment, which may be growing. */
    Optional<Span> newest();

    Optional<MediaBody> initSegment(int number);

    /** All of a segment that is there, also while it grows: whole pairs of moof and mdat. */
    Optional<MediaBody> media(long mediaSequence);

    /**
     * One segment.
     *
     * @param initNumber what it is decoded with
     * @param startUs decode time of its first unit, in media microseconds
     * @param endUs where its last unit ends so far
     * @param parts so far; rises while it grows, and where nothing is told of parts it is 1
     */
    record Span(long mediaSequence, int initNumber, long startUs, long endUs, int parts) {}
}
