package touchline.api.audit;

import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * The control API's access to the moderation of running sessions. Called after the commit. A call
 * returns when the change has taken effect. Any thread.
 */
public interface ModerationControl {
    /** Applies a stream's stored or deleted audit settings, from the next sampled frame on. */
    void auditChanged(StreamId stream);

    /** Ends the moderation of one session; no effect if it is not moderated (any more). */
    void stop(SessionId session);
}
