package touchline.api.host;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/** How fast a disk fills: its used space, a sample a minute, over the last day. One thread. */
final class DiskGrowth {
    static final Duration BETWEEN = Duration.ofMinutes(1);

    /** A shorter time says little: one recording begins, or one is deleted. */
    static final Duration LEAST = Duration.ofMinutes(10);

    private static final Duration LONGEST = Duration.ofDays(1);

    private record Sample(Instant at, long usedBytes) {}

    private final Deque<Sample> samples = new ArrayDeque<>();

    /** Takes a sample, unless the last one is younger than a minute. */
    void add(Instant at, long usedBytes) {
        Sample last = samples.peekLast();
        if (last != null && at.isBefore(last.at().plus(BETWEEN))) {
            return;
        }
        samples.addLast(new Sample(at, usedBytes));
        while (samples.size() > 1 && samples.getFirst().at().isBefore(at.minus(LONGEST))) {
            samples.removeFirst();
        }
    }

    /** Bytes a day; empty where the disk does not grow, or was not watched long enough. */
    OptionalLong perDay() {
        Sample first = samples.peekFirst();
        Sample last = samples.peekLast();
        if (first == null || last == null) {
            return OptionalLong.empty();
        }
        Duration time = Duration.between(first.at(), last.at());
        long grown = last.usedBytes() - first.usedBytes();
        if (time.compareTo(LEAST) < 0 || grown <= 0) {
            return OptionalLong.empty();
        }
        double days = (double) time.toMillis() / Duration.ofDays(1).toMillis();
        return OptionalLong.of(Math.max(1, Math.round(grown / days)));
    }
}
