package touchline.api.domain;

import java.time.Duration;

/**
 * How far the clock of a node is from the time of the database, which all nodes share. Immutable.
 *
 * @param ahead of the database; negative where it is behind
 * @param error at most, in either direction: what the round trip of the measurement allows
 */
public record ClockDifference(Duration ahead, Duration error) {
    /** From here on a clock is wrong: hosts with chrony differ by a few milliseconds. */
    public static final Duration WRONG = Duration.ofMillis(500);

    /** Certainly, whatever the error. */
    public boolean isWrong() {
        return ahead.abs().minus(error).compareTo(WRONG) >= 0;
    }

    /** Certainly not wrong; after a long round trip a clock is neither. */
    public boolean isRight() {
        return ahead.abs().plus(error).compareTo(WRONG) < 0;
    }
}
