package touchline.media.hub;

import java.time.InstantSource;
import java.util.OptionalDouble;

/**
 * Compares the speed of media time with that of the clock over a minute. Each window of ten seconds
 * counts with the unit that came earliest, so network jitter does not matter. A burst, or a step of
 * the clock, changes one window only and is no drift. One thread.
 */
final class ClockCheck {
    /** Units between are skipped: the clock is read a few times a second. */
    private static final long LOOK_US = 200_000;

    private static final long WINDOW_MS = 10_000;
    private static final int WINDOWS = 7;
    private static final double MIN_OFF = 0.01;

    /** Each window may differ from the mean by this share of it. */
    private static final double STEADY = 0.5;

    private final InstantSource clock;
    private long lookedUs;
    private long windowStartMs;
    private double earliestMs;

    /** Media time ahead of the clock, and the time of that, of the last windows. */
    private final double[] leadsMs = new double[WINDOWS];

    private final long[] endsMs = new long[WINDOWS];
    private int windows;

    ClockCheck(InstantSource clock) {
        this.clock = clock;
    }

    /** A timeline begins. */
    void reset(long mediaUs) {
        windows = 0;
        lookedUs = mediaUs;
        windowStartMs = clock.millis();
        earliestMs = Double.NEGATIVE_INFINITY;
    }

    /**
     * Takes a unit on its arrival.
     *
     * @return speed of media time minus 1, such as 0.02, where it is steadily off
     */
    OptionalDouble add(long mediaUs) {
        if (mediaUs - lookedUs < LOOK_US) {
            return OptionalDouble.empty();
        }
        lookedUs = mediaUs;
        long nowMs = clock.millis();
        earliestMs = Math.max(earliestMs, mediaUs / 1e3 - nowMs);
        if (nowMs - windowStartMs < WINDOW_MS) {
            return OptionalDouble.empty();
        }
        if (windows == WINDOWS) {
            System.arraycopy(leadsMs, 1, leadsMs, 0, WINDOWS - 1);
            System.arraycopy(endsMs, 1, endsMs, 0, WINDOWS - 1);
            windows--;
        }
        leadsMs[windows] = earliestMs;
        endsMs[windows] = nowMs;
        windows++;
        windowStartMs = nowMs;
        earliestMs = Double.NEGATIVE_INFINITY;
        return windows == WINDOWS ? judged() : OptionalDouble.empty();
    }

    private OptionalDouble judged() {
        double off = speed(0, WINDOWS - 1);
        if (Math.abs(off) < MIN_OFF) {
            return OptionalDouble.empty();
        }
        for (int i = 1; i < WINDOWS; i++) {
            if (Math.abs(speed(i - 1, i) - off) > Math.abs(off) * STEADY) {
                return OptionalDouble.empty();
            }
        }
        return OptionalDouble.of(off);
    }

    private double speed(int from, int to) {
        return (leadsMs[to] - leadsMs[from]) / (endsMs[to] - endsMs[from]);
    }
}
