package touchline.packager.thumbnail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counters of thumbnails since the start, for the metrics page. Any thread. */
public final class ThumbnailCounters {
    private final LongSupplier keptBytes;
    private final LongAdder decoded = new LongAdder();
    private final LongAdder undecodable = new LongAdder();
    private final LongAdder kept = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder cpuNs = new LongAdder();

    ThumbnailCounters(LongSupplier keptBytes) {
        this.keptBytes = keptBytes;
    }

    /** Frames that were decoded. */
    public long decoded() {
        return decoded.sum();
    }

    /** Key frames that could not be decoded. */
    public long undecodable() {
        return undecodable.sum();
    }

    /** Requests answered from the cache. */
    public long kept() {
        return kept.sum();
    }

    /** Requests refused because too many others were waiting. */
    public long refused() {
        return refused.sum();
    }

    /** Time on the processor. */
    public double cpuSeconds() {
        return cpuNs.sum() / (double) TimeUnit.SECONDS.toNanos(1);
    }

    /** Bytes of frames that are kept. */
    public long keptBytes() {
        return keptBytes.getAsLong();
    }

    void wasDecoded() {
        decoded.increment();
    }

    void wasUndecodable() {
        undecodable.increment();
    }

    void wasKept() {
        kept.increment();
    }

    void wasRefused() {
        refused.increment();
    }

    void spent(long ns) {
        cpuNs.add(ns);
    }
}
