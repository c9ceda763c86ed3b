package touchline.moderation;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts of a session, which those of the room take part in. Any thread. */
final class SampleCounts {
    private final Map<Kind, LongAdder> adders = new EnumMap<>(Kind.class);
    private final @Nullable SampleCounts whole;

    /** What is counted; see {@link ModerationCounters}. */
    enum Kind {
        SAMPLED,
        ANALYSED,
        DROPPED,
        FAILED,
        UNDECODABLE
    }

    /**
     * @param whole counts along; null for the room's own
     */
    SampleCounts(@Nullable SampleCounts whole) {
        this.whole = whole;
        for (Kind kind : Kind.values()) {
            adders.put(kind, new LongAdder());
        }
    }

    void add(Kind kind) {
        adder(kind).increment();
        if (whole != null) {
            whole.add(kind);
        }
    }

    ModerationCounters snapshot() {
        return new ModerationCounters(
                of(Kind.SAMPLED),
                of(Kind.ANALYSED),
                of(Kind.DROPPED),
                of(Kind.FAILED),
                of(Kind.UNDECODABLE));
    }

    private long of(Kind kind) {
        return adder(kind).sum();
    }

    private LongAdder adder(Kind kind) {
        return Objects.requireNonNull(adders.get(kind));
    }
}
