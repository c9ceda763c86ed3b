package touchline.api.session;

import java.util.Optional;
import java.util.Set;
import touchline.api.domain.SessionReport;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;

/**
 * What the control API asks of running sessions. Calls follow the committed change; they return
 * when the effect is there: the next playback request sees it. Any thread.
 */
public interface LiveControl {
    /** The main session that has started and not ended. */
    Optional<LiveStream> active(StreamId stream);

    /** The streams whose main session has started and not ended. */
    Set<StreamId> activeStreams();

    /** What is measured of a running session, as a client is shown it; empty once it has ended. */
    Optional<SessionReport> report(SessionId session);

    /** How many main sessions run. */
    int activeCount();

    /**
     * Cuts the encoders and ends the sessions. After COMPLETED and PUBLISHER_GONE media playlists
     * end with EXT-X-ENDLIST and linger; after DISABLED and DELETED everything answers 404 at once.
     */
    void end(StreamId stream, EndReason reason);

    /**
     * The push key has changed: the old one's encoder is cut, the session waits for the new one.
     */
    void streamKeyReset(StreamId stream);

    /** Playback ids were added or deleted. */
    void playbackIdsChanged(StreamId stream);
}
