package touchline.moderation;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import touchline.media.codec.DecodingRefusedException;

/**
 * Port: receives the reports of a session. Called by the session's reporting thread, a platform
 * thread, one call at a time. A call may block: then new frames are dropped and counted; the gate,
 * ingest and other sessions are not affected. An exception is counted, logged and shown in the
 * health report; the next report is delivered.
 */
public interface ModerationSink {
    /** Receives an analysed frame, in the order of media time. */
    void analysed(FrameReport report);

    /**
     * Receives the requested types that no model serves: at the start if there are any, and after
     * each change. An empty set means that all are served again.
     */
    default void unserved(Set<AlertType> types) {}

    /**
     * Receives the state of decoding.
     *
     * @param blind true: no frame could be decoded for an interval; false: frames are decoded again
     * @param at wall clock of the frame by its timeline
     * @param refusal why the server refuses to decode; empty if frames are broken
     */
    default void blind(boolean blind, Instant at, Optional<DecodingRefusedException> refusal) {}

    /** The server refuses to decode the session's video. Called on the sampler's thread. */
    default void refused(DecodingRefusedException cause) {}
}
