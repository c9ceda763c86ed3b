package touchline.overlay;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counters shared by all compositors of a server. Any thread. */
public final class CompositorCounters {
    /** Stages whose time is measured. */
    public enum Stage {
        DECODE,
        COPY,
        BLEND,
        ENCODE
    }

    private final Map<Stage, LongAdder> nanos = new EnumMap<>(Stage.class);
    private final AtomicLong running = new AtomicLong();
    private final LongAdder frames = new LongAdder();
    private final LongAdder blended = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder brokenUnits = new LongAdder();
    private final LongAdder failures = new LongAdder();

    public CompositorCounters() {
        for (Stage stage : Stage.values()) {
            nanos.put(stage, new LongAdder());
        }
    }

    /** Running compositors. */
    public long running() {
        return running.get();
    }

    /** Encoded frames. */
    public long frames() {
        return frames.sum();
    }

    /** Frames with at least one visible layer. */
    public long blended() {
        return blended.sum();
    }

    /** Frames dropped because of overload. */
    public long dropped() {
        return dropped.sum();
    }

    /** Coded frames that could not be decoded. */
    public long brokenUnits() {
        return brokenUnits.sum();
    }

    /** Compositors that failed. */
    public long failures() {
        return failures.sum();
    }

    /** Wall time of a stage. */
    public long nanos(Stage stage) {
        return adder(stage).sum();
    }

    void started() {
        running.incrementAndGet();
    }

    void ended() {
        running.decrementAndGet();
    }

    void encodedFrame() {
        frames.increment();
    }

    void blendedFrame() {
        blended.increment();
    }

    void droppedFrame() {
        dropped.increment();
    }

    void brokenUnit() {
        brokenUnits.increment();
    }

    void failed() {
        failures.increment();
    }

    /** Adds the time since {@code sinceNs} and returns the current time. */
    long spent(Stage stage, long sinceNs) {
        long now = System.nanoTime();
        adder(stage).add(now - sinceNs);
        return now;
    }

    private LongAdder adder(Stage stage) {
        return Objects.requireNonNull(nanos.get(stage));
    }
}
