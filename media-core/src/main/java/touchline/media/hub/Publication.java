package touchline.media.hub;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Track;

/**
 * Writing end of a session: exactly one at a time. Its methods are called by the publisher's event
 * loop only; being cut reaches the publisher through {@link PublishRequest#onCut}.
 */
public final class Publication implements AutoCloseable {
    /** A publisher silent for this long may be replaced by another one. */
    static final Duration SILENCE = Duration.ofSeconds(5);

    /** What an encoder may have sent before its time: no live one is that far ahead. */
    private static final long AHEAD_US = 5_000_000;

    /** Half of what may wait is left for what comes before the publisher stands still. */
    private static final double FULL = 0.5;

    private final LiveStream live;
    private final PublishRequest request;
    private final TimestampNormalizer normalizer;
    private final LongSupplier nanoTime;
    private final AtomicBoolean over = new AtomicBoolean();

    // Event loop only.
    private boolean announced;

    /** Media time and clock of the first unit, and media time of the newest. */
    private long firstUs = Long.MIN_VALUE;

    private long firstNs;
    private long newestUs;

    // Event loop writes, another publisher's thread and the timer read.
    private volatile long lastMediaNs;

    Publication(
            LiveStream live,
            PublishRequest request,
            IngestMonitor monitor,
            LiveStreams.Dependencies dependencies) {
        this.live = live;
        this.request = request;
        this.nanoTime = dependencies.nanoTime();
        this.lastMediaNs = nanoTime.getAsLong();
        this.normalizer = new TimestampNormalizer(dependencies.clock(), monitor, this::emit);
    }

    /**
     * Declares the tracks of all units that follow; called again when one of them changes, which
     * puts what follows behind a discontinuity. The change takes effect with the next key frame
     * where there is video; the same tracks again change nothing.
     *
     * @param tracks at least one, at most one of each kind
     */
    public void begin(List<Track> tracks) {
        normalizer.begin(tracks);
    }

    /**
     * Takes a unit with the publisher's own times, in decode order per track. Units before the
     * first key frame, or after the publication has been cut, are dropped.
     */
    public void write(AccessUnit unit) {
        if (over.get()) {
            return;
        }
        lastMediaNs = nanoTime.getAsLong();
        normalizer.write(unit);
    }

    /** Wakes the readers: call it once per read from the network. */
    public void flush() {
        live.source().flush();
    }

    /** How much more media was sent than time has passed since the first of it, in microseconds. */
    public long aheadUs() {
        return firstUs == Long.MIN_VALUE
                ? 0
                : newestUs
                        - firstUs
                        - TimeUnit.NANOSECONDS.toMicros(nanoTime.getAsLong() - firstNs);
    }

    /**
     * Whether this publisher sends faster than real time, as who pushes a file may, and somebody
     * who reads falls behind: then it is to wait, and be asked again soon. A live encoder is never
     * slowed by a reader.
     */
    public boolean isTooFast() {
        boolean waits =
                aheadUs() > AHEAD_US
                        && (live.source().fullness() > FULL || live.program().fullness() > FULL);
        if (waits) {
            // It is not silent: nobody listens.
            lastMediaNs = nanoTime.getAsLong();
        }
        return waits;
    }

    /** The publisher has left; its session waits for it as long as the reconnect window allows. */
    @Override
    public void close() {
        if (over.compareAndSet(false, true)) {
            live.closed(this);
        }
    }

    String publisher() {
        return request.publisher();
    }

    boolean isSilentFor(Duration time) {
        return silentNs() >= time.toNanos();
    }

    long silentNs() {
        return nanoTime.getAsLong() - lastMediaNs;
    }

    /** Tells the publisher, once, and not one that has left by itself. */
    void cut(EndReason reason) {
        if (over.compareAndSet(false, true)) {
            request.onCut().accept(reason);
        }
    }

    private void emit(FeedItem item) {
        if (item instanceof AccessUnit unit) {
            if (firstUs == Long.MIN_VALUE) {
                firstUs = unit.dtsUs();
                firstNs = lastMediaNs;
            }
            newestUs = unit.dtsUs();
        }
        if (!announced) {
            announced = true;
            live.started(this);
        }
        live.pass(this, item);
    }
}
