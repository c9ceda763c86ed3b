package touchline.api.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import touchline.media.SessionId;
import touchline.media.hub.InterruptedSession;

/**
 * A session that a planned stop of the server has left open. Immutable.
 *
 * @param session as it was stored
 * @param interruption its encoder's side, with the rest of the window at the stop
 * @param until when its reconnect window ends
 * @param settings what stays constant within a session
 * @param recording the asset that the next start continues
 */
public record SuspendedSession(
        Session session,
        InterruptedSession interruption,
        Instant until,
        Settings settings,
        Optional<AssetId> recording) {
    /**
     * Settings of a stream apply to its next session, so this one keeps its own.
     *
     * @param composited as in its window
     * @param nextInit number of the next init segment
     * @param playlistVersion of the newest playlist
     */
    public record Settings(
            LatencyMode latencyMode,
            boolean recorded,
            boolean composited,
            int nextInit,
            long playlistVersion) {}

    public static Set<SessionId> ids(List<SuspendedSession> sessions) {
        return sessions.stream().map(each -> each.session.id()).collect(Collectors.toSet());
    }

    /** The assets that the next start continues. */
    public static Set<AssetId> recordings(List<SuspendedSession> sessions) {
        return sessions.stream()
                .flatMap(each -> each.recording.stream())
                .collect(Collectors.toSet());
    }

    /** The encoder's side at a later time. */
    public InterruptedSession at(Instant now) {
        Duration left = Duration.between(now, until);
        return interruption.leaving(left.isPositive() ? left : Duration.ofMillis(1));
    }
}
