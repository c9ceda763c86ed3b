package touchline.moderation;

import java.util.Set;

/**
 * Port: what becomes of a session's analysed frames. Called by the session's reporting thread, a
 * platform thread, one call at a time; it may block, and then the newest frames are not analysed
 * (counted), while the gate, ingest and other sessions go on. What it throws is logged.
 */
public interface ModerationSink {
    /** A frame was analysed; in the order of media time. */
    void analysed(FrameReport report);

    /**
     * Which asked types no model serves: told when a run starts with some, and when that changes
     * while it runs; an empty set says that all are served again.
     */
    default void unserved(Set<AlertType> types) {}
}
