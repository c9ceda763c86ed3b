package touchline.benchmarks.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** When new media was listed for one viewer. Any thread. */
final class Arrivals {
    /**
     * @param atNs {@link System#nanoTime}
     * @param mediaNs duration of all that was new
     */
    private record Arrival(long atNs, long mediaNs) {
        /** When its media began, as seen by the viewer. */
        long beganNs() {
            return atNs - mediaNs;
        }
    }

    /**
     * The longest time without media.
     *
     * @param lengthNs from the end of what was listed before to the begin of what came next
     * @param beforeNs the part of it before the fault: media that was sent, but not listed
     */
    record Gap(long lengthNs, long beforeNs, long endNs) {}

    @GuardedBy("this")
    private final List<Arrival> all = new ArrayList<>();

    synchronized void add(long atNs, double mediaSeconds) {
        all.add(new Arrival(atNs, Math.round(mediaSeconds * 1e9)));
    }

    /** The newest; empty before the first. */
    synchronized Optional<Long> lastNs() {
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast().atNs());
    }

    /**
     * The longest gap that ends behind a fault.
     *
     * @return empty if nothing has arrived since
     */
    synchronized Optional<Gap> longestGap(long faultNs) {
        Optional<Gap> longest = Optional.empty();
        for (int i = 1; i < all.size(); i++) {
            Arrival before = all.get(i - 1);
            Arrival next = all.get(i);
            long lengthNs = next.beganNs() - before.atNs();
            if (next.atNs() - faultNs > 0
                    && (longest.isEmpty() || lengthNs > longest.get().lengthNs())) {
                longest =
                        Optional.of(
                                new Gap(
                                        lengthNs,
                                        Math.max(0, faultNs - before.atNs()),
                                        next.atNs()));
            }
        }
        return longest;
    }
}
