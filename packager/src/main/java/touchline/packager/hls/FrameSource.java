package touchline.packager.hls;

import java.io.IOException;
import java.util.Optional;
import touchline.media.SessionId;

/**
 * Locates the frames of a session for decoding. All methods but {@link #mediaUs} and {@link #media}
 * return at once; any thread. Bodies carry references that the caller releases.
 */
public interface FrameSource {
    /** Identifies the media: the content of a session's segments never changes. */
    SessionId session();

    /**
     * Media time of a time since the first frame (without video, first audio). Blocks if it must be
     * read.
     */
    long mediaUs(long timeUs) throws IOException;

    /**
     * The segment decoded at a time, or the last one before it; empty if that is no longer kept.
     *
     * @param mediaUs decode time, in media microseconds
     */
    Optional<Span> spanAt(long mediaUs);

    /** The newest segment, which may be growing. */
    Optional<Span> newest();

    Optional<MediaBody> initSegment(int number);

    /**
     * The bytes of a segment so far, also while it grows: whole pairs of moof and mdat. Blocks if
     * they must be brought back.
     */
    Optional<MediaBody> media(long mediaSequence) throws IOException;

    /**
     * One segment.
     *
     * @param initNumber what it is decoded with
     * @param startUs decode time of its first unit, in media microseconds
     * @param endUs end of its last unit so far
     * @param parts so far; rises while it grows; 1 if parts are unknown
     */
    record Span(long mediaSequence, int initNumber, long startUs, long endUs, int parts) {}
}
