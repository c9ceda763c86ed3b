package touchline.media.rendition;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counters of all renditions of a server, by the height that was asked for. Any thread. */
public final class RenditionCounters {
    /** Stages whose time is measured. */
    public enum Stage {
        DECODE,
        SCALE,
        ENCODE
    }

    /** Counters of one height. */
    public static final class ByHeight {
        private final int height;
        private final AtomicInteger running = new AtomicInteger();
        private final LongAdder dropped = new LongAdder();
        private final LongAdder frames = new LongAdder();
        private final LongAdder queueDrops = new LongAdder();

        private ByHeight(int height) {
            this.height = height;
        }

        public int height() {
            return height;
        }

        /** Renditions that are encoded now. */
        public int running() {
            return running.get();
        }

        /** Times that a rendition was dropped because of load. */
        public long dropped() {
            return dropped.sum();
        }

        /** Encoded frames. */
        public long frames() {
            return frames.sum();
        }

        /** Frames that found the encoder's queue full. */
        public long queueDrops() {
            return queueDrops.sum();
        }

        void started() {
            running.incrementAndGet();
        }

        void ended() {
            running.decrementAndGet();
        }

        void countDrop() {
            dropped.increment();
        }

        void countFrame() {
            frames.increment();
        }

        void countQueueDrop() {
            queueDrops.increment();
        }
    }

    private final ConcurrentHashMap<Integer, ByHeight> heights = new ConcurrentHashMap<>();
    private final Map<Stage, LongAdder> nanos = new EnumMap<>(Stage.class);
    private final LongAdder brokenUnits = new LongAdder();
    private final AtomicReference<Consumer<ByHeight>> onHeight = new AtomicReference<>(_ -> {});

    public RenditionCounters() {
        for (Stage stage : Stage.values()) {
            nanos.put(stage, new LongAdder());
        }
    }

    /** Called once with the counters of each height, when its first rendition starts. */
    public void onHeight(Consumer<ByHeight> listener) {
        onHeight.set(listener);
    }

    /** The counters of a height. */
    public ByHeight of(int height) {
        ByHeight known = heights.get(height);
        if (known != null) {
            return known;
        }
        ByHeight fresh = new ByHeight(height);
        ByHeight before = heights.putIfAbsent(height, fresh);
        if (before != null) {
            return before;
        }
        onHeight.get().accept(fresh);
        return fresh;
    }

    /** Renditions that are encoded now, of all heights. */
    public int running() {
        return heights.values().stream().mapToInt(ByHeight::running).sum();
    }

    /** Coded frames that could not be decoded; the frame before is encoded again. */
    public long brokenUnits() {
        return brokenUnits.sum();
    }

    /** Wall time of a stage. */
    public long nanos(Stage stage) {
        return adder(stage).sum();
    }

    void countBrokenUnit() {
        brokenUnits.increment();
    }

    /** Adds the time since {@code sinceNs}. */
    void spent(Stage stage, long sinceNs) {
        adder(stage).add(System.nanoTime() - sinceNs);
    }

    private LongAdder adder(Stage stage) {
        return Objects.requireNonNull(nanos.get(stage));
    }
}
