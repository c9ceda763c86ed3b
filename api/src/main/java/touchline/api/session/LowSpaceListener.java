package touchline.api.session;

import touchline.media.SessionId;
import touchline.media.StreamId;

/** Port: who wants to know that the disk is nearly full. */
@FunctionalInterface
public interface LowSpaceListener {
    /**
     * A session is not stored any more for the want of space. Called by its recorder's thread, once
     * until it is stored again; may block for a moment.
     *
     * @param recorded it was being recorded; otherwise only the live window is shorter
     * @param message how much is free, and how much there should be
     */
    void spaceIsLow(StreamId stream, SessionId session, boolean recorded, String message);
}
