package touchline.media.hub;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
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
    private final SourceSelection.Dependencies shared;
    private final FurtherMedia further;
    private final LongSupplier nanoTime;
    private final AtomicBoolean over = new AtomicBoolean();

    // Event loop only.
    private final HeldMedia held = new HeldMedia();
    private TimestampNormalizer normalizer;
    private @Nullable Splice splice;
    private boolean runsUp;
    private boolean sending;

    /** Clock at the first unit. */
    private long firstNs;

    // Event loop writes, another publisher's thread and the timer read.
    private volatile long lastMediaNs;

    // Written under the session's lock, read by the event loop.
    private volatile boolean selected;

    // Event loop writes.
    private volatile List<Track> tracks = List.of();

    /** Null while the session never had a backup. Written under the session's lock. */
    private volatile @Nullable Failover failover;

    Publication(
            LiveStream live,
            SourceSelection sources,
            PublishRequest request,
            SourceSelection.Dependencies shared) {
        this.live = live;
        this.sources = sources;
        this.request = request;
        this.shared = shared;
        this.nanoTime = shared.hub().nanoTime();
        this.lastMediaNs = nanoTime.getAsLong();
        this.normalizer = newNormalizer();
        this.further = new FurtherMedia(() -> normalizer, live.furtherTracks());
    }

    private TimestampNormalizer newNormalizer() {
        return new TimestampNormalizer(
                shared.hub().clock(), shared.monitor(), () -> sources.claim(this), this::toSession);
    }

    private void toSession(FeedItem item) {
        sources.write(this, item, runsUp, normalizer.offsetUs());
        if (!runsUp) {
            further.observe(item);
        }
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
        this.tracks = List.copyOf(tracks);
        normalizer.begin(tracks);
        held.begin(tracks);
        Failover both = failover;
        if (both != null) {
            both.begin(this, tracks);
        }
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
        boolean writes = selected;
        Failover both = failover;
        if (both != null) {
            both.arrived(this, unit);
            if (!writes) {
                hold(unit, both);
                return;
            }
            held.addShown(unit);
        } else if (!writes) {
            // What was written before another writer was selected is not continued.
            normalizer.suspend();
        }
        normalize(unit);
        further.settle();
        if (!sending && normalizer.hasSent()) {
            sending = true;
            firstNs = lastMediaNs;
        }
    }

    private void hold(AccessUnit unit, Failover both) {
        splice = null;
        sending = false;
        held.add(unit);
        Optional<Splice> with = both.takeOver(this, held);
        if (with.isPresent()) {
            try {
                enter(with.get());
            } finally {
                both.wrote(this);
            }
        }
    }

    /** Continues the programme with what is held. */
    private void enter(Splice with) {
        normalizer = newNormalizer();
        splice = with;
        with.boundary()
                .ifPresent(
                        frames -> {
                            List<Track> encoded = new ArrayList<>(tracks);
                            encoded.removeIf(Track::isVideo);
                            encoded.addFirst(frames.track());
                            normalizer.begin(encoded);
                            frames.units().forEach(this::normalize);
                        });
        normalizer.begin(tracks);
        with.units().forEach(this::normalize);
        held.keepNewestGop();
        sending = normalizer.hasSent();
        // What was held comes at once: that is no publisher ahead of real time.
        firstNs = nanoTime.getAsLong() - TimeUnit.MICROSECONDS.toNanos(normalizer.sentUs());
    }

    private void normalize(AccessUnit unit) {
        Splice with = splice;
        if (with == null) {
            normalizer.write(unit);
            return;
        }
        Optional<AccessUnit> placed = with.place(unit);
        if (!unit.track().isVideo()) {
            placed.ifPresent(audio -> normalizer.shiftAudio(with.audioShiftUs()));
        }
        runsUp = with.isRunningUp();
        normalizer.exact(runsUp);
        placed.ifPresent(normalizer::write);
        runsUp = false;
        normalizer.exact(false);
        if (with.isDone()) {
            splice = null;
        }
    }

    /** The session has, or had, a backup. Called under the session's lock. */
    void failsOver(Failover both) {
        failover = both;
    }

    /** What it sends; empty before. */
    List<Track> tracks() {
        return tracks;
    }

    /** Accepts a unit of a further track, likewise. It neither starts nor prolongs a session. */
    public void writeFurther(TrackNumber number, AccessUnit unit) {
        if (!over.get()) {
            further.write(number, unit);
        }
    }

    /** A further track is not taken, for this reason: a warning of the session. */
    public void refusedFurther(TrackNumber number, String reason) {
        if (!over.get()) {
            live.furtherTracks().refused(number, reason);
        }
    }

    /** What the publisher's metadata says about its tracks. */
    public void describe(Map<TrackNumber, TrackLabel> labels) {
        if (!over.get()) {
            live.furtherTracks().describe(labels);
        }
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
        live.furtherTracks().flush();
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
