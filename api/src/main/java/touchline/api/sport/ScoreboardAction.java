package touchline.api.sport;

import java.util.Optional;
import touchline.api.sport.Scoreboard.Side;

/** What an operator does during a match. Immutable. */
public sealed interface ScoreboardAction {
    /**
     * A score.
     *
     * @param points negative for a correction
     * @param scorer may be empty
     */
    record Score(Side team, int points, String scorer) implements ScoreboardAction {}

    /**
     * Starts, stops or sets the clock.
     *
     * @param elapsedMs empty: its present value
     */
    record Clock(Optional<Boolean> running, Optional<Long> elapsedMs) implements ScoreboardAction {}

    /**
     * Begins a period, with a stopped clock.
     *
     * @param number one that the sport has
     */
    record BeginPeriod(int number) implements ScoreboardAction {}

    /**
     * Changes a counter.
     *
     * @param counter one that the sport has
     */
    record Count(Side team, String counter, int by) implements ScoreboardAction {}

    /**
     * Begins a penalty.
     *
     * @param id of the new penalty
     * @param player may be empty
     */
    record Penalize(String id, Side team, long lengthMs, String player)
            implements ScoreboardAction {}

    /** Ends a penalty early; nothing changes if it has ended. */
    record EndPenalty(String id) implements ScoreboardAction {}

    /** Sets which side serves. */
    record Serve(Side team) implements ScoreboardAction {}

    /** Ends the set by hand: the side that leads has won it. */
    record EndSet() implements ScoreboardAction {}
}
