package touchline.api.audit;

import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * What the control API asks of the moderation of running sessions. Calls follow the committed
 * change; they return when the effect is there. Any thread.
 */
public interface ModerationControl {
    /**
     * A stream's audit settings were stored or deleted: what runs of it follows from its next
     * sampled frame on.
     */
    void auditChanged(StreamId stream);

    /** Ends the moderation of one session; without effect where it is not moderated (any more). */
    void stop(SessionId session);
}
