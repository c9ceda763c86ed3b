package touchline.api.sport;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.api.sport.SportRules.Direction;
import touchline.api.sport.SportRules.Sets;

/**
 * The content of a stream's bundled scoreboard page, in parts that change apart from each other.
 * Immutable, any thread.
 *
 * @param revision grows by one with each change
 */
public record Scoreboard(
        Sport sport, Look look, Score score, Play play, Extras extras, long revision) {
    /** The scoreboard of a stream before its first change. */
    public static final Scoreboard DEFAULT =
            of(
                    Sport.FOOTBALL,
                    new Look(
                            true,
                            new Team("Home", "HOM", "#1f7ae0", Optional.empty()),
                            new Team("Away", "AWY", "#e0402f", Optional.empty()),
                            Optional.empty()),
                    0);

    /** The highest plain score. */
    public static final int MAX_SCORE = 999;

    /** Points or games of a set, at most. */
    public static final int MAX_SET_POINTS = 99;

    /** Penalties at the same time, of both sides. */
    public static final int MAX_PENALTIES = 12;

    private static final List<String> CALLED = List.of("0", "15", "30", "40");

    /** The two sides, by their wire names. */
    public enum Side {
        HOME,
        AWAY;

        public Side other() {
            return this == HOME ? AWAY : HOME;
        }
    }

    /**
     * What does not depend on the match.
     *
     * @param visible false: an empty page
     * @param sponsorImageId shown beside the score
     */
    public record Look(boolean visible, Team home, Team away, Optional<String> sponsorImageId) {}

    /**
     * One side.
     *
     * @param shortName shown where the name is too wide
     * @param color {@code #rrggbb}
     * @param logoImageId an image of this server
     */
    public record Team(String name, String shortName, String color, Optional<String> logoImageId) {}

    /**
     * The score.
     *
     * @param home the score; in sports with sets, the sets won
     * @param points of the game that is played, in sports with games
     * @param sets points or games; the last one is being played, unless the match is over; empty in
     *     sports without sets
     * @param setsToWin 0 in sports without sets
     * @param serving empty: not known
     * @param goal the last score with a banner
     */
    public record Score(
            int home,
            int away,
            Pair points,
            List<Pair> sets,
            int setsToWin,
            Optional<Side> serving,
            Optional<Goal> goal) {
        public Score {
            sets = List.copyOf(sets);
        }

        public int of(Side side) {
            return side == Side.HOME ? home : away;
        }
    }

    /** A count of both sides. */
    public record Pair(int home, int away) {
        public static final Pair ZERO = new Pair(0, 0);

        public int of(Side side) {
            return side == Side.HOME ? home : away;
        }

        /** One side's count, changed by so many; never negative. */
        public Pair plus(Side side, int by, int max) {
            int changed = Math.clamp(of(side) + (long) by, 0, max);
            return side == Side.HOME ? new Pair(changed, away) : new Pair(home, changed);
        }
    }

    /**
     * Clock and period.
     *
     * @param number of the period, from 1; 0: not known, or the sport has none
     * @param period e.g. {@code 1st half}; may be empty
     */
    public record Play(MatchClock clock, int number, String period) {}

    /**
     * The match clock.
     *
     * @param elapsedMs its value at {@code atMs}
     * @param atMs Unix milliseconds
     * @param playedMs how long the clock has run in all, at {@code atMs}; setting the clock does
     *     not change it
     * @param periodMs length of the period, from which a clock counts down
     */
    public record MatchClock(
            boolean running,
            long elapsedMs,
            long atMs,
            long playedMs,
            Direction direction,
            long periodMs) {
        /** Stopped, at the start of a period. */
        public static MatchClock stopped(Direction direction, long elapsedMs, long periodMs) {
            return new MatchClock(false, elapsedMs, 0, 0, direction, periodMs);
        }

        /** Time since the start; one that counts down stays at the end of the period. */
        public long elapsedMs(long nowMs) {
            long elapsed = running ? elapsedMs + Math.max(0, nowMs - atMs) : elapsedMs;
            return direction == Direction.DOWN
                    ? Math.max(elapsedMs, Math.min(elapsed, periodMs))
                    : elapsed;
        }

        public long playedMs(long nowMs) {
            return playedMs + elapsedMs(nowMs) - elapsedMs;
        }

        /** What the page shows. */
        public long shownMs(long nowMs) {
            return direction == Direction.DOWN
                    ? Math.max(0, periodMs - elapsedMs(nowMs))
                    : elapsedMs(nowMs);
        }

        /** The same clock, started or stopped. A time before the last change counts as that. */
        public MatchClock changed(boolean run, Optional<Long> toElapsedMs, long nowMs) {
            long at = Math.max(nowMs, atMs);
            return new MatchClock(
                    run,
                    toElapsedMs.orElseGet(() -> elapsedMs(at)),
                    at,
                    playedMs(at),
                    direction,
                    periodMs);
        }

        public MatchClock with(Direction newDirection, long newPeriodMs) {
            return new MatchClock(running, elapsedMs, atMs, playedMs, newDirection, newPeriodMs);
        }
    }

    /**
     * Counters and penalties.
     *
     * @param home values by the counter's name; an absent one is 0
     */
    public record Extras(
            Map<String, Integer> home, Map<String, Integer> away, List<Penalty> penalties) {
        public static final Extras NONE = new Extras(Map.of(), Map.of(), List.of());

        public Extras {
            home = Map.copyOf(home);
            away = Map.copyOf(away);
            penalties = List.copyOf(penalties);
        }

        public Map<String, Integer> of(Side side) {
            return side == Side.HOME ? home : away;
        }

        /** The same with other counters of one side. */
        public Extras with(Side side, Map<String, Integer> counters) {
            return side == Side.HOME
                    ? new Extras(counters, away, penalties)
                    : new Extras(home, counters, penalties);
        }

        public Extras withPenalties(List<Penalty> others) {
            return new Extras(home, away, others);
        }
    }

    /**
     * A penalty that runs with the clock.
     *
     * @param player as the page shows it; may be empty
     * @param endsPlayedMs the clock's {@link MatchClock#playedMs} at its end
     */
    public record Penalty(String id, Side team, String player, long lengthMs, long endsPlayedMs) {}

    /**
     * A goal.
     *
     * @param scorer as the banner shows it; may be empty
     * @param atMs Unix milliseconds
     */
    public record Goal(Side team, String scorer, long atMs) {}

    /** A sport's scoreboard before the match. */
    public static Scoreboard of(Sport sport, Look look, long revision) {
        SportRules rules = sport.rules();
        SportRules.Period first =
                rules.periods().stream().findFirst().orElse(new SportRules.Period("", 0, 0));
        return new Scoreboard(
                sport,
                look,
                new Score(
                        0,
                        0,
                        Pair.ZERO,
                        rules.sets().isPresent() ? List.of(Pair.ZERO) : List.of(),
                        rules.sets().map(Sets::toWin).orElse(0),
                        Optional.empty(),
                        Optional.empty()),
                new Play(
                        MatchClock.stopped(rules.direction(), first.startsMs(), first.lengthMs()),
                        0,
                        ""),
                Extras.NONE,
                revision);
    }

    public Team team(Side side) {
        return side == Side.HOME ? look.home() : look.away();
    }

    public Scoreboard with(Look other) {
        return new Scoreboard(sport, other, score, play, extras, revision);
    }

    public Scoreboard with(Score other) {
        return new Scoreboard(sport, look, other, play, extras, revision);
    }

    public Scoreboard with(Play other) {
        return new Scoreboard(sport, look, score, other, extras, revision);
    }

    public Scoreboard with(Extras other) {
        return new Scoreboard(sport, look, score, play, other, revision);
    }

    public Scoreboard withRevision(long other) {
        return new Scoreboard(sport, look, score, play, extras, other);
    }

    /** Points of the current game as they are called; empty in sports without games. */
    public String pointsText(Side side) {
        if (!sport.rules().sets().map(Sets::games).orElse(false)) {
            return "";
        }
        int own = score.points().of(side);
        if (SetScoring.isTieBreak(this)) {
            return String.valueOf(own);
        }
        int others = score.points().of(side.other());
        if (own >= CALLED.size()) {
            return own > others ? "AD" : CALLED.getLast();
        }
        return CALLED.get(own);
    }

    /** Whether everything but the revision is equal. */
    public boolean showsAs(Scoreboard other) {
        return withRevision(other.revision).equals(other);
    }
}
