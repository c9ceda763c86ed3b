package touchline.api.session;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts the encoders' further tracks of all sessions. Any thread. */
public final class TrackCounters {
    private final AtomicInteger video = new AtomicInteger();
    private final AtomicInteger audio = new AtomicInteger();
    private final LongAdder dropped = new LongAdder();

    /** Renditions that are further video tracks. */
    public int video() {
        return video.get();
    }

    /** Renditions that are further audio tracks. */
    public int audio() {
        return audio.get();
    }

    /** Such renditions that ended before their session and their track. */
    public long dropped() {
        return dropped.sum();
    }

    void started(boolean isVideo) {
        (isVideo ? video : audio).incrementAndGet();
    }

    void ended(boolean isVideo) {
        (isVideo ? video : audio).decrementAndGet();
    }

    void countDrop() {
        dropped.increment();
    }
}
