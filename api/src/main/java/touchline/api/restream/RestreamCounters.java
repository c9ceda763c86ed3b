package touchline.api.restream;

import java.util.concurrent.atomic.LongAdder;

/** Counters of all restreams since the start. Any thread. */
public final class RestreamCounters {
    private final LongAdder sentBytes = new LongAdder();
    private final LongAdder droppedFrames = new LongAdder();
    private final LongAdder reconnects = new LongAdder();
    private final LongAdder failures = new LongAdder();

    /** Bytes of media that targets have taken. */
    public long sentBytes() {
        return sentBytes.sum();
    }

    /** Frames and audio that were not sent because a target was too slow. */
    public long droppedFrames() {
        return droppedFrames.sum();
    }

    /** Connections after the first of a session. */
    public long reconnects() {
        return reconnects.sum();
    }

    /** Connections that failed, or were not made. */
    public long failures() {
        return failures.sum();
    }

    void sent(long bytes) {
        sentBytes.add(bytes);
    }

    void dropped(long frames) {
        droppedFrames.add(frames);
    }

    void reconnected() {
        reconnects.increment();
    }

    void failed() {
        failures.increment();
    }
}
