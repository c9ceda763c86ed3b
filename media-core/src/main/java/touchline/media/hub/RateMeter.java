package touchline.media.hub;

import java.util.Arrays;

/**
 * Units and bytes of a track over the last seconds of media time, in one-second buckets. Guarded by
 * its owner.
 */
final class RateMeter {
    private static final int SECONDS = 5;
    private static final long SECOND_US = 1_000_000;

    private final long[] bytes = new long[SECONDS + 1];
    private final int[] units = new int[SECONDS + 1];
    private boolean running;
    private long firstSecond;
    private long second;

    void add(long dtsUs, long payloadBytes) {
        long now = Math.floorDiv(dtsUs, SECOND_US);
        if (!running || now < firstSecond || now - second > SECONDS) {
            clear(now);
        }
        while (second < now) {
            second++;
            bytes[slot(second)] = 0;
            units[slot(second)] = 0;
        }
        bytes[slot(now)] += payloadBytes;
        units[slot(now)]++;
    }

    /** Mean over the complete seconds; over the current second if there is no other. */
    long bitsPerSecond() {
        long total = 0;
        for (long s = from(); s <= to(); s++) {
            total += bytes[slot(s)];
        }
        return running ? total * 8 / (to() - from() + 1) : 0;
    }

    /** The same for units; 0 before the first complete second. */
    double unitsPerSecond() {
        if (!running || second == firstSecond) {
            return 0;
        }
        int total = 0;
        for (long s = from(); s <= to(); s++) {
            total += units[slot(s)];
        }
        return (double) total / (to() - from() + 1);
    }

    private long from() {
        return Math.max(firstSecond, second - SECONDS);
    }

    private long to() {
        return Math.max(firstSecond, second - 1);
    }

    private void clear(long now) {
        running = true;
        firstSecond = now;
        second = now;
        Arrays.fill(bytes, 0);
        Arrays.fill(units, 0);
    }

    private static int slot(long second) {
        return (int) Math.floorMod(second, (long) SECONDS + 1);
    }
}
