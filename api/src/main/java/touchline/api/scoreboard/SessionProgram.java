package touchline.api.scoreboard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.WatermarkSettings;
import touchline.media.Interruption;
import touchline.media.concurrent.LogContext;
import touchline.media.ffmpeg.VideoFrameTap;
import touchline.media.hub.FrameTap;
import touchline.media.hub.LiveStream;
import touchline.media.hub.Subscription;
import touchline.overlay.Compositor;
import touchline.overlay.CompositorSettings;
import touchline.overlay.OverlayLayer;
import touchline.overlay.page.Backoff;

/**
 * The media of one session for viewers: the source, or the source with a scoreboard. A compositor
 * stays until the session ends, even without a scoreboard, because its removal costs a
 * discontinuity. A browser that does not answer delays neither the packager nor the end of the
 * session: the source is forwarded, and the compositor joins later. Any thread.
 */
public final class SessionProgram implements AutoCloseable {
    /** Payload bytes that may wait for the packager: some seconds of 20 Mbit/s. */
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

    // Set before the start; read by any thread.
    private volatile VideoFrameTap sharing = VideoFrameTap.NONE;

    // Subscriptions that exist before the first item.
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
     * Creates the program of a session before its first item; does not block.
     *
     * @param pushes the stream's scoreboard push, if one sends
     */
    public SessionProgram(
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
     * Starts the compositor if the stream has a scoreboard. Waits for the renderer for a short time
     * only.
     *
     * @param segmentUs distance of key frames at which segments are cut
     */
    public void open(StreamDefinition stream, long segmentUs) throws InterruptedException {
        Optional<WatermarkSettings> wanted = stream.watermark();
        boolean html = wanted.filter(WatermarkSettings.Html.class::isInstance).isPresent();
        CompositorAdmission.Pages pages =
                html ? permits.askBriefly() : CompositorAdmission.Pages.UNKNOWN;
        boolean again;
        lock.lock();
        try {
            keyFrameUs = segmentUs;
            opened = true;
            Subscription source = early;
            early = null;
            if (source != null && !begin(wanted, source, pages)) {
                source.close();
            }
            again = stale || (html && !pages.asked());
        } finally {
            lock.unlock();
        }
        if (again) {
            Thread.ofVirtual()
                    .name("overlay-join-" + live.session())
                    .start(LogContext.session(live.stream(), live.session(), this::follow));
        }
    }

    /** The packager's subscription, from the first media on; closed with this. */
    public Subscription media() {
        lock.lock();
        try {
            return packager;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a compositor has produced the program from the first frame on. */
    public boolean composited() {
        lock.lock();
        try {
            return composited;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Offers the frames of the compositor.
     *
     * @param watcher receives the frames while a compositor runs
     * @param listener receives whether one runs: now and on each change
     */
    public void watch(FrameTap watcher, Consumer<Boolean> listener) {
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

    /** Shares the frames of the compositors with further encoders; before {@link #open}. */
    public void share(VideoFrameTap receiver) {
        sharing = receiver;
    }

    /** The running compositor. */
    Optional<Compositor> compositor() {
        lock.lock();
        try {
            return Optional.ofNullable(compositor).filter(Compositor::isRunning);
        } finally {
            lock.unlock();
        }
    }

    /** Applies the stored scoreboard. Blocks as long as the renderer where a compositor starts. */
    void follow() {
        boolean mayJoin;
        lock.lock();
        try {
            stale = !opened;
            if (stale) {
                return;
            }
            mayJoin = compositor == null;
        } finally {
            lock.unlock();
        }
        // Without the lock: a later change causes its own call.
        boolean html = stored().filter(WatermarkSettings.Html.class::isInstance).isPresent();
        CompositorAdmission.Pages pages =
                mayJoin && html ? permits.askForPages() : CompositorAdmission.Pages.UNKNOWN;
        lock.lock();
        try {
            if (!closed) {
                show(stored(), pages);
            }
        } finally {
            lock.unlock();
        }
    }

    /** For {@link #show}, read under the lock: the last change wins. */
    private Optional<WatermarkSettings> stored() {
        return dependencies.streams().find(live.stream()).flatMap(StreamDefinition::watermark);
    }

    @GuardedBy("lock")
    private boolean begin(
            Optional<WatermarkSettings> wanted,
            Subscription source,
            CompositorAdmission.Pages pages) {
        Optional<CompositorSettings> settings =
                closed
                        ? Optional.empty()
                        : wanted.flatMap(watermark -> permits.take(watermark, keyFrameUs, pages));
        if (settings.isEmpty()) {
            return false;
        }
        // No viewer has received media so far, so the compositor sends it again.
        live.programSwitch().takeOver();
        live.programSwitch().offer(Interruption.PUBLISHER_GONE);
        packager.close();
        packager = live.program().subscribe("packager", PACKAGER_QUEUE_BYTES);
        composited = true;
        started(Compositor.start(source, settings.get(), collaborators(wanted.orElseThrow())));
        show(wanted, pages);
        return true;
    }

    @GuardedBy("lock")
    private void show(Optional<WatermarkSettings> wanted, CompositorAdmission.Pages pages) {
        if (wanted.isEmpty()) {
            shown = null;
            layers(List.of());
            scoreboard.clear();
            return;
        }
        WatermarkSettings now = wanted.get();
        if (shown == null && compositor == null && !join(now, pages)) {
            return;
        }
        shown = now;
        scoreboard.show(OverlaySpecs.of(now)).ifPresent(this::layers);
    }

    /** A scoreboard push has started. */
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

    /** The encoder of the scoreboard push has disconnected or reconnected. */
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

    /** Adds a compositor to the running session. */
    @GuardedBy("lock")
    private boolean join(WatermarkSettings wanted, CompositorAdmission.Pages pages) {
        Optional<CompositorSettings> settings = permits.take(wanted, keyFrameUs, pages);
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
                new CompositorEvents(live, reports, permits, this::restart),
                dependencies.timing().nanoTime());
    }

    @GuardedBy("lock")
    private void started(Compositor fresh) {
        compositor = fresh;
        startedAt = dependencies.clock().instant();
        fresh.addTap(tap);
        fresh.share(sharing);
        onComposited.accept(true);
    }

    @GuardedBy("lock")
    private void layers(List<OverlayLayer> layers) {
        Compositor running = compositor;
        if (running != null) {
            running.layers(layers);
        }
    }

    /** Closes compositor, scoreboard and subscriptions; after the session's end. Idempotent. */
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

    /** Forwards the source meanwhile. Each pause is longer than the one before. */
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
