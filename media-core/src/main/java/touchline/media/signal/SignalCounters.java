package touchline.media.signal;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** What the watches of all sessions have done. Any thread. */
public final class SignalCounters {
    /** Kinds of media. */
    public enum Media {
        AUDIO,
        VIDEO
    }

    private final AtomicLong watched = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final ByConstant<SignalFault> begun = new ByConstant<>(SignalFault.values());
    private final ByConstant<SignalFault> active = new ByConstant<>(SignalFault.values());
    private final ByConstant<Media> nanos = new ByConstant<>(Media.values());
    private final ByConstant<Media> undecodable = new ByConstant<>(Media.values());

    /** A counter for each constant; the map never changes. */
    private static final class ByConstant<E extends Enum<E>> {
        private final Map<E, AtomicLong> counters;

        ByConstant(E[] all) {
            counters =
                    Arrays.stream(all)
                            .collect(Collectors.toUnmodifiableMap(it -> it, _ -> new AtomicLong()));
        }

        private AtomicLong of(E constant) {
            return Objects.requireNonNull(counters.get(constant));
        }

        long get(E constant) {
            return of(constant).get();
        }

        void add(E constant, long more) {
            of(constant).addAndGet(more);
        }
    }

    /** Sessions that are watched now. */
    public long watched() {
        return watched.get();
    }

    /** Units dropped because the watch fell behind. */
    public long dropped() {
        return dropped.get();
    }

    /** Unexpected exceptions; the log has them. */
    public long errors() {
        return errors.get();
    }

    /** Occurrences of a fault so far. */
    public long begun(SignalFault fault) {
        return begun.get(fault);
    }

    /** Sessions that have this fault now. */
    public long active(SignalFault fault) {
        return active.get(fault);
    }

    /** Time spent on decoding and measuring, in nanoseconds. */
    public long nanos(Media media) {
        return nanos.get(media);
    }

    /** Units that could not be decoded. */
    public long undecodable(Media media) {
        return undecodable.get(media);
    }

    void opened() {
        watched.incrementAndGet();
    }

    void closed() {
        watched.decrementAndGet();
    }

    void dropped(long units) {
        dropped.addAndGet(units);
    }

    void error() {
        errors.incrementAndGet();
    }

    void began(SignalFault fault) {
        begun.add(fault, 1);
        active.add(fault, 1);
    }

    void ended(SignalFault fault) {
        active.add(fault, -1);
    }

    void spent(Media media, long ns) {
        nanos.add(media, ns);
    }

    void undecodable(Media media, long units) {
        undecodable.add(media, units);
    }
}
