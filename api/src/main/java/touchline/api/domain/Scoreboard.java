package touchline.api.domain;

import java.util.Optional;

/**
 * The content of a stream's bundled scoreboard page. Immutable, any thread.
 *
 * @param visible false: an empty page
 * @param period e.g. {@code 1st half}; may be empty
 * @param goal the last goal; the page shows its banner while it is new
 */
public record Scoreboard(
        boolean visible,
        Team home,
        Team away,
        MatchClock clock,
        String period,
        Optional<Goal> goal) {
    /** The scoreboard of a stream before its first change. */
    public static final Scoreboard DEFAULT =
            new Scoreboard(
                    true,
                    new Team("Home", "HOM", "#1f7ae0", 0),
                    new Team("Away", "AWY", "#e0402f", 0),
                    new MatchClock(false, 0, 0),
                    "",
                    Optional.empty());

    /** The two sides, by their wire names. */
    public enum Side {
        HOME,
        AWAY
    }

    /**
     * One side.
     *
     * @param shortName shown where the name is too wide
     * @param color {@code #rrggbb}
     */
    public record Team(String name, String shortName, String color, int score) {
        public Team withScore(int newScore) {
            return new Team(name, shortName, color, newScore);
        }
    }

    /**
     * The match clock.
     *
     * @param elapsedMs its value at {@code atMs}
     * @param atMs Unix milliseconds
     */
    public record MatchClock(boolean running, long elapsedMs, long atMs) {
        /** Its value at a time. */
        public long shownMs(long nowMs) {
            return running ? Math.max(0, elapsedMs + nowMs - atMs) : elapsedMs;
        }
    }

    /**
     * A goal.
     *
     * @param scorer as the banner shows it; may be empty
     * @param atMs Unix milliseconds
     */
    public record Goal(Side team, String scorer, long atMs) {}

    public Team team(Side side) {
        return side == Side.HOME ? home : away;
    }

    /** One more for this side. */
    public Scoreboard scored(Goal newGoal) {
        Team scoring = team(newGoal.team());
        Team more = scoring.withScore(scoring.score() + 1);
        boolean atHome = newGoal.team() == Side.HOME;
        return new Scoreboard(
                visible,
                atHome ? more : home,
                atHome ? away : more,
                clock,
                period,
                Optional.of(newGoal));
    }
}
