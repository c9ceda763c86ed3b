package touchline.api.session;

import java.time.InstantSource;
import java.util.OptionalLong;
import touchline.api.db.MarkerRepository;
import touchline.api.db.MarkerRepository.Owner;
import touchline.api.domain.Marker;
import touchline.api.domain.Scoreboard;
import touchline.api.domain.Scoreboard.Goal;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Marks changes of the score in the running session of their stream. Any thread. */
public final class SessionMarkers {
    private final MarkerRepository markers;
    private final LiveControl live;
    private final InstantSource clock;

    public SessionMarkers(MarkerRepository markers, LiveControl live, InstantSource clock) {
        this.markers = markers;
        this.live = live;
        this.clock = clock;
    }

    /**
     * Adds a marker where the score differs and the stream is active. A session with the most
     * markers gets none. Called in the transaction of the change.
     */
    public void scoreChanged(StreamId stream, Scoreboard before, Scoreboard after) {
        if (before.home().score() == after.home().score()
                && before.away().score() == after.away().score()) {
            return;
        }
        live.active(stream).ifPresent(session -> mark(session.session(), before, after));
    }

    private void mark(SessionId session, Scoreboard before, Scoreboard after) {
        OptionalLong timeUs = live.positionUs(session);
        if (timeUs.isPresent()) {
            boolean _ =
                    markers.create(
                            Owner.of(session),
                            Marker.create(
                                    label(before, after),
                                    Marker.SCORE,
                                    timeUs.getAsLong(),
                                    clock.instant()));
        }
    }

    /** Such as {@code Home 2:1 Away, Scorer}. */
    private static String label(Scoreboard before, Scoreboard after) {
        String score =
                "%s %d:%d %s"
                        .formatted(
                                after.home().name(),
                                after.home().score(),
                                after.away().score(),
                                after.away().name());
        String scorer =
                after.goal()
                        .filter(goal -> !after.goal().equals(before.goal()))
                        .map(Goal::scorer)
                        .orElse("");
        return scorer.isEmpty() ? score : score + ", " + scorer;
    }
}
