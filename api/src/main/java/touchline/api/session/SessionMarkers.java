package touchline.api.session;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import touchline.api.db.MarkerRepository;
import touchline.api.db.MarkerRepository.Owner;
import touchline.api.db.ScoreboardChangeRepository.Mark;
import touchline.api.domain.Marker;
import touchline.api.sport.Scoreboard;
import touchline.api.sport.Scoreboard.Goal;
import touchline.api.sport.Scoreboard.Pair;
import touchline.api.sport.Scoreboard.Score;
import touchline.api.sport.Scoreboard.Side;
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
     * Adds a marker where the score differs and the stream is active. A change of the sport is no
     * change of the score. A session with the most markers gets none. Called in the transaction of
     * the change.
     *
     * @param atMs when the score changed, Unix milliseconds
     */
    public Optional<Mark> scoreChanged(
            StreamId stream, Scoreboard before, Scoreboard after, long atMs) {
        if (before.sport() != after.sport() || same(before.score(), after.score())) {
            return Optional.empty();
        }
        return live.active(stream)
                .flatMap(session -> mark(session.session(), label(before, after), atMs));
    }

    private static boolean same(Score before, Score after) {
        return before.home() == after.home()
                && before.away() == after.away()
                && before.points().equals(after.points())
                && before.sets().equals(after.sets());
    }

    private Optional<Mark> mark(SessionId session, String label, long atMs) {
        OptionalLong nowUs = live.positionUs(session);
        if (nowUs.isEmpty()) {
            return Optional.empty();
        }
        long agoUs = Math.max(0, clock.millis() - atMs) * 1_000;
        Marker marker =
                Marker.create(
                        label,
                        Marker.SCORE,
                        Math.max(0, nowUs.getAsLong() - agoUs),
                        clock.instant());
        return markers.create(Owner.of(session), marker)
                ? Optional.of(new Mark(session, marker.id()))
                : Optional.empty();
    }

    /**
     * Such as {@code Home 2:1 Away, Scorer}; with sets {@code Home 1:0 Away (25:20, 3:2)}, with
     * games {@code Home 1:0 Away (6:4, 2:1, 40:15)}.
     */
    private static String label(Scoreboard before, Scoreboard after) {
        Score score = after.score();
        String label =
                "%s %d:%d %s"
                        .formatted(
                                after.look().home().name(),
                                score.home(),
                                score.away(),
                                after.look().away().name());
        List<String> details = new ArrayList<>();
        score.sets().forEach(set -> details.add(set.home() + ":" + set.away()));
        if (!score.points().equals(Pair.ZERO)) {
            details.add(after.pointsText(Side.HOME) + ":" + after.pointsText(Side.AWAY));
        }
        if (!details.isEmpty()) {
            return label + " (" + String.join(", ", details) + ")";
        }
        String scorer =
                score.goal()
                        .filter(_ -> !score.goal().equals(before.score().goal()))
                        .map(Goal::scorer)
                        .orElse("");
        return scorer.isEmpty() ? label : label + ", " + scorer;
    }
}
