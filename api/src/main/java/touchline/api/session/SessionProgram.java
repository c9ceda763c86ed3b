package touchline.api.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import org.jspecify.annotations.Nullable;

import touchline.api.domain.StreamDefinition;
import touchline.api.domain.WatermarkSettings;
import touchline.media.Interruption;
import touchline.media.hub.FrameTap;
import touchline.media.hub.LiveStream;
import touchline.media.hub.Subscription;
import touchline.overlay.Compositor;
import touchline.overlay.CompositorListener;
import touchline.overlay.CompositorSettings;
import touchline.overlay.OverlayLayer;
import touchline.overlay.page.Backoff;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What viewers see of one session: the source as it is, or with a scoreboard. A compositor that has
 * been started stays until the session ends, with or without a scoreboard: going back would be one
 * more discontinuity. Any thread.
 */
final class SessionProgram implements AutoCloseable {
    /** Payload that may wait for the packager: some seconds of 20 Mbit/s. */
    private static final long PACKAGER_QUEUE_BYTES = 16L << 20;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** A compositor that ran this long is restarted after the first pause. */
    private static final Duration HEALTHY = Duration.ofMinutes(1);

    private final LiveStream live;
    private final OverlayDependencies dependencies;
    private final OverlayReports reports;
    private final CompositorAdmission permits;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();

    // Reading ends that exist before the first item flows.
    @GuardedBy("lock")
    private Subscription packager;

    @GuardedBy("lock")
    private @Nullable Subscription early;

    @GuardedBy("lock")
    private @Nullable Compositor compositor;

    @GuardedBy("lock")
    private final SessionScoreboard scoreboard;

    @GuardedBy("lock")
    private @Nullable WatermarkSettings shown;

    @GuardedBy("lock")
    private FrameTap tap = FrameTap.NONE;

    @GuardedBy("lock")
    private Consumer<Boolean> onComposited = _ -> {};

    @GuardedBy("lock")
    private long keyFrameUs;

    @GuardedBy("lock")
    private final Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, HEALTHY);

    @GuardedBy("lock")
    private Instant startedAt = Instant.EPOCH;

    @GuardedBy("lock")
    private boolean opened;

    @GuardedBy("lock")
    private boolean stale;

    @GuardedBy("lock")
    private boolean composited;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * For a session of which nothing has flowed yet; does not block.
     *
     * @param pushes the scoreboard push beside it, where one sends
     */
    SessionProgram(
            LiveStream live,
            OverlayDependencies dependencies,
            Supplier<Optional<LiveStream>> pushes) {
        this.live = live;
        this.dependencies = dependencies;
        this.reports = new OverlayReports(live, dependencies);
        this.permits = new CompositorAdmission(live, dependencies, reports);
        this.scoreboard = new SessionScoreboard(live, dependencies, reports, pushes);
        this.packager = live.program().subscribe("packager", PACKAGER_QUEUE_BYTES);
        this.early = live.source().subscribe("compositor", Compositor.QUEUE_BYTES);
    }

    /**
     * The stream's settings are known: starts the compositor where they want one.
     *
     * @param segmentUs distance of key frames that segments are cut by
     */
    void open(StreamDefinition stream, long segmentUs) {
        lock.lock();
        try {
            keyFrameUs = segmentUs;
            opened = true;
            Subscription source = early;
            early = null;
            if (source != null && !begin(stream.watermark(), source)) {
                source.close();
            }
            if (stale) {
                show(stored());
            }
        } finally {
            lock.unlock();
        }
    }

    /** The packager's reading end, from the first media on; closed with this. */
    Subscription media() {
        lock.lock();
        try {
            return packager;
        } finally {
            lock.unlock();
        }
    }

    /** Whether all of the program is what a compositor makes. */
    boolean composited() {
        lock.lock();
        try {
            return composited;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Shows frames as viewers see them to whoever looks at them.
     *
     * @param watcher called where a compositor works
     * @param listener told whether one does, now and when that changes
     */
    void watch(FrameTap watcher, Consumer<Boolean> listener) {
        lock.lock();
        try {
            tap = watcher;
            onComposited = listener;
            Compositor running = compositor;
            if (running != null) {
                running.addTap(watcher);
            }
            listener.accept(running != null);
        } finally {
            lock.unlock();
        }
    }

    /** The compositor that works now. */
    Optional<Compositor> compositor() {
        lock.lock();
        try {
            return Optional.ofNullable(compositor).filter(Compositor::isRunning);
        } finally {
            lock.unlock();
        }
    }

    /** The stored scoreboard may have changed: follows it, whatever was known before. */
    void follow() {
        lock.lock();
        try {
            stale = true;
            if (opened && !closed) {
                show(stored());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Read under the lock, so that the last change is the one that stays. */
    @GuardedBy("lock")
    private Optional<WatermarkSettings> stored() {
        return dependencies.streams().find(live.stream()).flatMap(StreamDefinition::watermark);
    }

    @GuardedBy("lock")
    private boolean begin(Optional<WatermarkSettings> wanted, Subscription source) {
        Optional<CompositorSettings> settings =
                closed
                        ? Optional.empty()
                        : wanted.flatMap(watermark -> permits.take(watermark, keyFrameUs));
        if (settings.isEmpty()) {
            return false;
        }
        // What has come so far has been seen by nobody: it comes once more, from the compositor.
        live.programSwitch().takeOver();
        live.programSwitch().offer(Interruption.PUBLISHER_GONE);
        packager.close();
        packager = live.program().subscribe("packager", PACKAGER_QUEUE_BYTES);
        composited = true;
        started(Compositor.start(source, settings.get(), collaborators(wanted.orElseThrow())));
        show(wanted);
        return true;
    }

    @GuardedBy("lock")
    private void show(Optional<WatermarkSettings> wanted) {
        if (wanted.isEmpty()) {
            shown = null;
            layers(List.of());
            scoreboard.clear();
            return;
        }
        WatermarkSettings now = wanted.get();
        if (shown == null && compositor == null && !join(now)) {
            return;
        }
        shown = now;
        scoreboard.show(OverlaySpecs.of(now)).ifPresent(this::layers);
    }

    /** A scoreboard push has begun to send. */
    void pushStarted(LiveStream push) {
        lock.lock();
        try {
            if (!closed) {
                scoreboard.pushStarted(push);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The encoder of the scoreboard push is gone, or is back. */
    void pushPresent(boolean present) {
        lock.lock();
        try {
            if (!closed) {
                scoreboard.pushPresent(present);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Puts a compositor into the running session. */
    @GuardedBy("lock")
    private boolean join(WatermarkSettings wanted) {
        Optional<CompositorSettings> settings = permits.take(wanted, keyFrameUs);
        settings.ifPresent(
                each ->
                        started(
                                Compositor.join(
                                        live.source()
                                                .subscribe("compositor", Compositor.QUEUE_BYTES),
                                        each,
                                        collaborators(wanted))));
        return settings.isPresent();
    }

    @GuardedBy("lock")
    private Compositor.Dependencies collaborators(WatermarkSettings wanted) {
        return new Compositor.Dependencies(
                live.programSwitch(),
                scoreboard.newAudio(wanted),
                dependencies.counters(),
                new Troubles(),
                System::nanoTime);
    }

    @GuardedBy("lock")
    private void started(Compositor fresh) {
        compositor = fresh;
        startedAt = dependencies.clock().instant();
        fresh.addTap(tap);
        onComposited.accept(true);
    }

    @GuardedBy("lock")
    private void layers(List<OverlayLayer> layers) {
        Compositor running = compositor;
        if (running != null) {
            running.layers(layers);
        }
    }

    /** Ends what is still there; after the session's end. Idempotent. */
    @Override
    public void close() {
        closing.countDown();
        Compositor running;
        lock.lock();
        try {
            closed = true;
            running = compositor;
            compositor = null;
            scoreboard.clear();
            packager.close();
            Subscription unused = early;
            early = null;
            if (unused != null) {
                unused.close();
            }
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.close();
        }
    }

    /** On the compositor's threads, which must not wait for the database. */
    private final class Troubles implements CompositorListener {
        @Override
        public void overloaded(String message) {
            Thread.ofVirtual()
                    .name("overlay-event-" + live.session())
                    .start(() -> reports.overloaded(message));
        }

        @Override
        public void failed(RuntimeException cause) {
            Thread.ofVirtual()
                    .name("overlay-restart-" + live.session())
                    .start(() -> restart(cause));
        }

        @Override
        public void ended() {
            permits.release();
        }
    }

    /** The pause before a compositor is started again, as if the running one failed now. */
    long nextPauseNs() {
        lock.lock();
        try {
            Duration ran = Duration.between(startedAt, dependencies.clock().instant());
            return pauses.nextNs(ran.toNanos());
        } finally {
            lock.unlock();
        }
    }

    /** The source is passed on meanwhile; each try waits longer than the one before. */
    private void restart(RuntimeException cause) {
        long pauseNs;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            compositor = null;
            shown = null;
            scoreboard.clear();
            onComposited.accept(false);
            pauseNs = nextPauseNs();
        } finally {
            lock.unlock();
        }
        reports.failed("the compositor failed: " + cause.getMessage());
        try {
            if (!closing.await(pauseNs, TimeUnit.NANOSECONDS)) {
                follow();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
