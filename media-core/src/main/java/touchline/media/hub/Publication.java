package touchline.media.hub;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.Track;
import touchline.media.codec.DecodingRefusedException;

/**
 * Writing end of a session; a session has one for each {@link PublishSource}. Only the selected one
 * writes: see {@link SourceSelection}. Only the publisher's event loop calls its methods. {@link
 * PublishRequest#onCut} notifies the publisher when the server cuts it.
 */
public final class Publication implements AutoCloseable {
    /** A publisher without media for this long may be replaced by another one. */
    static final Duration SILENCE = Duration.ofSeconds(5);

    /** Media ahead of real time above which a publisher is no live encoder. */
    private static final long AHEAD_US = 5_000_000;

    /** Fill level that pauses the publisher; the rest takes what arrives until it stops. */
    private static final double FULL = 0.5;

    private final LiveStream live;
    private final SourceSelection sources;
    private final PublishRequest request;
    private final TimestampNormalizer normalizer;
    private final LongSupplier nanoTime;
    private final AtomicBoolean over = new AtomicBoolean();

    // Event loop only.
    private boolean sending;

    /** Clock at the first unit. */
    private long firstNs;

    // Event loop writes, another publisher's thread and the timer read.
    private volatile long lastMediaNs;

    // Written under the session's lock, read by the event loop.
    private volatile boolean selected;

    Publication(
            LiveStream live,
            SourceSelection sources,
            PublishRequest request,
            SourceSelection.Dependencies shared) {
        this.live = live;
        this.sources = sources;
        this.request = request;
        this.nanoTime = shared.hub().nanoTime();
        this.lastMediaNs = nanoTime.getAsLong();
        this.normalizer =
                new TimestampNormalizer(
                        shared.hub().clock(),
                        shared.monitor(),
                        () -> sources.claim(this),
                        item -> sources.write(this, item));
    }

    /** The session whose media this writes. */
    public SessionId session() {
        return live.session();
    }

    /**
     * Declares the tracks of all units that follow. Called again when a track changes, which starts
     * a discontinuity. With video the change takes effect at the next key frame. The same tracks
     * again change nothing.
     *
     * @param tracks at least one, at most one of each kind
     */
    public void begin(List<Track> tracks) {
        normalizer.begin(tracks);
    }

    /**
     * Accepts a unit with the publisher's timestamps, in decode order per track. Drops units before
     * the first key frame, while another writer is selected, and after the publication was cut.
     */
    public void write(AccessUnit unit) {
        if (over.get()) {
            return;
        }
        lastMediaNs = nanoTime.getAsLong();
        if (!selected) {
            notSelected();
        }
        normalizer.write(unit);
        if (!sending && normalizer.hasSent()) {
            sending = true;
            firstNs = lastMediaNs;
        }
    }

    /** What was written before another writer was selected is not continued. */
    private void notSelected() {
        normalizer.suspend();
    }

    /** What the publisher sends is too large to be read: a warning of the session. */
    public void refused(DecodingRefusedException cause) {
        if (!over.get()) {
            live.refused(cause);
        }
    }

    /** Wakes the readers. Call it once per read from the network. */
    public void flush() {
        live.source().flush();
    }

    /** Media time sent, less the time that has passed since the first unit. */
    public long aheadUs() {
        return sending
                ? normalizer.sentUs()
                        - TimeUnit.NANOSECONDS.toMicros(nanoTime.getAsLong() - firstNs)
                : 0;
    }

    /**
     * Whether this publisher sends faster than real time (a file push) and a reader falls behind.
     * The caller then stops reading from it and asks again soon. A reader never slows a live
     * encoder.
     */
    public boolean isTooFast() {
        boolean waits =
                aheadUs() > AHEAD_US
                        && (live.source().fullness() > FULL || live.program().fullness() > FULL);
        if (waits) {
            // A paused publisher is not silent.
            lastMediaNs = nanoTime.getAsLong();
            if (selected) {
                sources.flows();
            }
        }
        return waits;
    }

    /** The publisher has disconnected. Its session waits for the length of the reconnect window. */
    @Override
    public void close() {
        if (over.compareAndSet(false, true)) {
            live.closed(this);
        }
    }

    String publisher() {
        return request.publisher();
    }

    PublishSource source() {
        return request.source();
    }

    /** Whether this is the selected writer of its session; called under the session's lock. */
    void select(boolean now) {
        selected = now;
    }

    boolean isSilentFor(Duration time) {
        return silentNs() >= time.toNanos();
    }

    long silentNs() {
        return nanoTime.getAsLong() - lastMediaNs;
    }

    /** Notifies the publisher, once, unless it has disconnected itself. */
    void cut(EndReason reason) {
        if (over.compareAndSet(false, true)) {
            request.onCut().accept(reason);
        }
    }
}
