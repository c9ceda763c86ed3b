package touchline.media.alignment;

import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.hub.SourceAlignment.Lag;

/**
 * The measured lags of two publishers. One measurement without confidence, as of a moment of
 * silence, leaves the lag before it in force; the second does not. Not thread-safe.
 */
final class LagHistory {
    private static final int KEPT = 24;

    /** Clocks are compared over at least this time. */
    private static final double MIN_DRIFT_SECONDS = 20;

    /** From this confidence on one measurement suffices; below it, a second one must agree. */
    private static final double CERTAIN = 0.8;

    /** Two measurements of one lag differ by no more. */
    private static final double SAME_SECONDS = 0.02;

    /** Below what is reliable. */
    private static final double DOUBTFUL = Lag.ENOUGH - 0.01;

    /** Two lags that differ by more are not of the same pair of clocks. */
    private static final double MAX_STEP_SECONDS = 0.05;

    private record Entry(double atSeconds, double lagSeconds) {}

    private final ArrayDeque<Entry> confident = new ArrayDeque<>();
    private @Nullable Lag newest;
    private int misses;

    /** The last measurement, reliable or not. */
    private double lastSeconds = Double.NaN;

    /**
     * @param atSeconds time of the primary's publisher
     */
    void add(double atSeconds, double lagSeconds, double measured) {
        boolean agrees = Math.abs(lagSeconds - lastSeconds) <= SAME_SECONDS;
        double confidence = measured >= CERTAIN || agrees ? measured : Math.min(measured, DOUBTFUL);
        lastSeconds = lagSeconds;
        boolean reliable = confidence >= Lag.ENOUGH;
        if (!reliable && newest != null && newest.isReliable() && misses++ == 0) {
            return;
        }
        if (reliable) {
            misses = 0;
            Entry last = confident.peekLast();
            if (last != null && Math.abs(last.lagSeconds() - lagSeconds) > MAX_STEP_SECONDS) {
                confident.clear();
            }
            confident.add(new Entry(atSeconds, lagSeconds));
            if (confident.size() > KEPT) {
                confident.removeFirst();
            }
        } else {
            confident.clear();
        }
        newest = new Lag(Math.round(lagSeconds * 1e6), confidence, driftPpm());
    }

    private double driftPpm() {
        if (confident.size() < 2) {
            return 0;
        }
        double seconds = confident.getLast().atSeconds() - confident.getFirst().atSeconds();
        return seconds < MIN_DRIFT_SECONDS ? 0 : slope() * 1e6;
    }

    /** Of the straight line with the least squares. */
    private double slope() {
        double meanAt = confident.stream().mapToDouble(Entry::atSeconds).average().orElse(0);
        double meanLag = confident.stream().mapToDouble(Entry::lagSeconds).average().orElse(0);
        double products = 0;
        double squares = 0;
        for (Entry each : confident) {
            double at = each.atSeconds() - meanAt;
            products += at * (each.lagSeconds() - meanLag);
            squares += at * at;
        }
        return products / squares;
    }

    void clear() {
        confident.clear();
        newest = null;
        misses = 0;
        lastSeconds = Double.NaN;
    }

    Optional<Lag> newest() {
        return Optional.ofNullable(newest);
    }
}
