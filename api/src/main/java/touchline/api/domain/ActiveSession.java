package touchline.api.domain;

import java.time.Instant;
import java.util.Optional;
import touchline.media.SessionId;
import touchline.media.hub.LiveStream;
import touchline.media.hub.Standby;

/**
 * The running session of a stream. Immutable.
 *
 * @param disconnectedAt when its encoder disconnected; empty while one sends
 * @param standby present while the standby writes its programme
 */
public record ActiveSession(
        SessionId id, Optional<Instant> disconnectedAt, Optional<Standby.Status> standby) {
    /** Without a standby that writes. */
    public ActiveSession(SessionId id, Optional<Instant> disconnectedAt) {
        this(id, disconnectedAt, Optional.empty());
    }

    /** As it is now. */
    public static ActiveSession of(LiveStream live) {
        return new ActiveSession(live.session(), live.disconnectedAt(), live.standby().status());
    }

    /** A session whose encoder sends. */
    public static ActiveSession connected(SessionId id) {
        return new ActiveSession(id, Optional.empty());
    }
}
