package touchline.moderation;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counters of a session or of the whole service. Any thread. */
final class SampleCounts {
    private final Map<Kind, LongAdder> adders = new EnumMap<>(Kind.class);
    private final @Nullable SampleCounts total;

    /** What is counted; see {@link ModerationCounters}. */
    enum Kind {
        SAMPLED,
        ANALYSED,
        DROPPED,
        FAILED,
        UNDECODABLE,
        ERROR
    }

    /**
     * @param total the service's counters, which count the same events; null for these themselves
     */
    SampleCounts(@Nullable SampleCounts total) {
        this.total = total;
        for (Kind kind : Kind.values()) {
            adders.put(kind, new LongAdder());
        }
    }

    void add(Kind kind) {
        adder(kind).increment();
        if (total != null) {
            total.add(kind);
        }
    }

    ModerationCounters snapshot() {
        return new ModerationCounters(
                of(Kind.SAMPLED),
                of(Kind.ANALYSED),
                of(Kind.DROPPED),
                of(Kind.FAILED),
                of(Kind.UNDECODABLE),
                of(Kind.ERROR));
    }

    private long of(Kind kind) {
        return adder(kind).sum();
    }

    private LongAdder adder(Kind kind) {
        return Objects.requireNonNull(adders.get(kind));
    }
}
