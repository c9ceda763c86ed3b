package touchline.api.sport;

import java.util.List;
import java.util.Optional;

/**
 * What a sport's scoreboard has. Immutable.
 *
 * @param name for people
 * @param direction of the clock; see {@link Direction}
 * @param tenthsBelowMs a clock that counts down shows tenths of a second below this time; 0: never
 * @param scoreSteps what one score adds, in the order of the buttons
 * @param periods in order; empty: the period is free text, or follows the sets
 * @param overtime repeats behind the last of {@code periods}; empty: there is none
 * @param sets how sets are won; empty: the score is a plain count
 * @param counters of each side, such as fouls
 * @param penaltiesMs lengths of penalties that run with the clock; empty: none
 * @param serving whether one side serves
 * @param banner the word of the banner at a score; empty: no banner
 */
public record SportRules(
        String name,
        Direction direction,
        long tenthsBelowMs,
        List<Integer> scoreSteps,
        List<Period> periods,
        Optional<Period> overtime,
        Optional<Sets> sets,
        List<Counter> counters,
        List<Long> penaltiesMs,
        boolean serving,
        String banner) {
    /** Periods that a match has at most, with overtime. */
    public static final int MAX_PERIODS = 20;

    public SportRules {
        scoreSteps = List.copyOf(scoreSteps);
        periods = List.copyOf(periods);
        counters = List.copyOf(counters);
        penaltiesMs = List.copyOf(penaltiesMs);
    }

    /** Directions of a clock, by their wire names. */
    public enum Direction {
        UP,
        /** From the length of the period to 0. */
        DOWN,
        /** The page shows no clock. */
        NONE
    }

    /**
     * A period.
     *
     * @param startsMs what the clock shows at its start, if it counts up
     */
    public record Period(String name, long startsMs, long lengthMs) {}

    /**
     * Sets. A set is won with the target and a lead of two.
     *
     * @param target points or games of a set
     * @param decidingTarget of the last possible set
     * @param toWin sets that win the match, unless the scoreboard says otherwise
     * @param games whether the target counts games, as in tennis: four points with a lead of two
     *     win a game, and at target : target a tie-break decides the set
     */
    public record Sets(int target, int decidingTarget, int toWin, boolean games) {
        /** Sets that win a match, at most. */
        public static final int MAX_TO_WIN = 4;
    }

    /**
     * A count of each side.
     *
     * @param name on the wire
     * @param label for people
     * @param max its highest value
     * @param perPeriod whether a new period or set takes it back to 0
     * @param bonusFrom from this value on the other side has a bonus; 0: never
     */
    public record Counter(String name, String label, int max, boolean perPeriod, int bonusFrom) {}

    /** A counter by its wire name. */
    public Optional<Counter> counter(String counterName) {
        return counters.stream().filter(each -> each.name().equals(counterName)).findFirst();
    }

    /**
     * A period by its number, from 1.
     *
     * @return empty if this sport has no such period
     */
    public Optional<Period> period(int number) {
        if (number < 1 || number > MAX_PERIODS) {
            return Optional.empty();
        }
        if (number <= periods.size()) {
            return Optional.of(periods.get(number - 1));
        }
        int further = number - periods.size();
        return overtime.map(
                each ->
                        further == 1
                                ? each
                                : new Period(
                                        further + ". " + each.name(),
                                        each.startsMs(),
                                        each.lengthMs()));
    }
}
