package touchline.api.http;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import touchline.api.domain.RandomText;
import touchline.api.sport.Scoreboard.Side;
import touchline.api.sport.ScoreboardAction;

/** Reads the body of an action on a bundled scoreboard. Any thread. */
final class ScoreboardActionFields {
    private static final String ACTION = "action";
    private static final String TEAM = "team";
    private static final String AT_MS = "at_ms";
    private static final int MAX_SCORER_BYTES = 128;
    private static final int MAX_PLAYER_BYTES = 64;
    private static final int MAX_ID_BYTES = 64;
    private static final int MAX_POINTS = 99;
    private static final int MAX_PERIODS = 20;
    private static final int MAX_LENGTH_MS = 3_600_000;
    private static final int PENALTY_ID_BITS = 64;

    /** The clocks of phones are not exact. */
    private static final long AHEAD_MS = 60_000;

    private static final long BACK_MS = Duration.ofHours(24).toMillis();

    private ScoreboardActionFields() {}

    /** What the body can name. */
    private enum Name {
        SCORE,
        CLOCK,
        PERIOD,
        COUNT,
        PENALTY,
        END_PENALTY,
        SERVE,
        END_SET,
        UNDO
    }

    /** An action, or a change to be undone. */
    sealed interface Given {
        record Act(ScoreboardAction action) implements Given {}

        record Undo(String changeId) implements Given {}
    }

    /**
     * @throws ApiException 40002 or 40003
     */
    static Given read(JsonFields body) {
        body.require(ACTION);
        Optional<Name> name =
                body.constant(
                        ACTION,
                        text ->
                                Arrays.stream(Name.values())
                                        .filter(each -> JsonFields.spelled(each).equals(text))
                                        .findFirst(),
                        Name.values(),
                        JsonFields::spelled);
        body.problems().throwIfAny();
        Optional<Given> given =
                switch (name.orElseThrow()) {
                    case UNDO -> id(body, "change_id").map(Given.Undo::new);
                    case SCORE -> score(body).map(Given.Act::new);
                    case CLOCK -> Optional.of(new Given.Act(clock(body)));
                    case PERIOD ->
                            integer(body, "number", 1, MAX_PERIODS)
                                    .map(number -> act(new ScoreboardAction.BeginPeriod(number)));
                    case COUNT -> count(body).map(Given.Act::new);
                    case PENALTY -> penalty(body).map(Given.Act::new);
                    case END_PENALTY ->
                            id(body, "penalty_id")
                                    .map(id -> act(new ScoreboardAction.EndPenalty(id)));
                    case SERVE -> team(body).map(side -> act(new ScoreboardAction.Serve(side)));
                    case END_SET -> Optional.of(act(new ScoreboardAction.EndSet()));
                };
        body.problems().throwIfAny();
        return given.orElseThrow();
    }

    private static Given act(ScoreboardAction action) {
        return new Given.Act(action);
    }

    /** When the action happened: now, unless it waited at the client. */
    static long atMs(JsonFields body, long nowMs) {
        return body.number(AT_MS, (double) (nowMs - BACK_MS), (double) (nowMs + AHEAD_MS)).stream()
                .mapToLong(at -> Math.min(nowMs, (long) at))
                .findFirst()
                .orElse(nowMs);
    }

    private static Optional<Side> team(JsonFields body) {
        body.require(TEAM);
        return ScoreboardFields.side(body, TEAM);
    }

    private static Optional<Integer> integer(JsonFields body, String name, int min, int max) {
        body.require(name);
        return body.whole(name, min, max);
    }

    private static Optional<String> id(JsonFields body, String name) {
        body.require(name);
        return body.text(name, MAX_ID_BYTES);
    }

    private static Optional<ScoreboardAction> score(JsonFields body) {
        Optional<Side> team = team(body);
        int points = body.integer("points", -MAX_POINTS, MAX_POINTS).orElse(1);
        String scorer = body.text("scorer", MAX_SCORER_BYTES).orElse("");
        return team.map(side -> new ScoreboardAction.Score(side, points, scorer));
    }

    private static ScoreboardAction clock(JsonFields body) {
        return new ScoreboardAction.Clock(
                body.flag("running"), ScoreboardFields.clockMs(body, "elapsed_ms"));
    }

    private static Optional<ScoreboardAction> count(JsonFields body) {
        Optional<Side> team = team(body);
        Optional<String> counter = id(body, "counter");
        int by = body.integer("by", -MAX_POINTS, MAX_POINTS).orElse(1);
        return team.flatMap(
                side -> counter.map(name -> new ScoreboardAction.Count(side, name, by)));
    }

    private static Optional<ScoreboardAction> penalty(JsonFields body) {
        Optional<Side> team = team(body);
        Optional<Integer> length = integer(body, "length_ms", 1, MAX_LENGTH_MS);
        String player = body.text("player", MAX_PLAYER_BYTES).orElse("");
        String id =
                body.text("penalty_id", MAX_ID_BYTES)
                        .orElseGet(() -> "pen_" + RandomText.ofBits(PENALTY_ID_BITS));
        return team.flatMap(
                side ->
                        length.map(
                                ms -> new ScoreboardAction.Penalize(id, side, (long) ms, player)));
    }
}
