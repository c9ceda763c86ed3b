package touchline.api.domain;

import java.time.Instant;
import java.util.Optional;
import touchline.media.SessionId;
import touchline.media.hub.LiveStream;

/**
 * The running session of a stream. Immutable.
 *
 * @param disconnectedAt when its encoder disconnected; empty while one sends
 */
public record ActiveSession(SessionId id, Optional<Instant> disconnectedAt) {
    /** As it is now. */
    public static ActiveSession of(LiveStream live) {
        return new ActiveSession(live.session(), live.disconnectedAt());
    }

    /** A session whose encoder sends. */
    public static ActiveSession connected(SessionId id) {
        return new ActiveSession(id, Optional.empty());
    }
}
