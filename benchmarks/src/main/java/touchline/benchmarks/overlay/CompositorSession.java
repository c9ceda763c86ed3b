package touchline.benchmarks.overlay;

import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.StreamId;
import touchline.media.ffmpeg.GpuUse;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoSettings.Speed;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Publication;
import touchline.media.hub.PublishRequest;
import touchline.media.hub.Role;
import touchline.media.hub.Subscription;
import touchline.overlay.AudioStage;
import touchline.overlay.Compositor;
import touchline.overlay.CompositorCounters;
import touchline.overlay.CompositorListener;
import touchline.overlay.CompositorSettings;
import touchline.overlay.OverlayLayer;

/**
 * A hub and a compositor of this process, set up as in the server. Runs one session of a main
 * stream, with an overlay stream on request.
 */
final class CompositorSession {
    /** A clock that stands still, so that the compositor never drops or downgrades late frames. */
    static final LongSupplier NEVER_LATE = () -> 0;

    private static final StreamId STREAM = new StreamId("bench");
    private static final int BITRATE_BPS = 3_000_000;

    /** The encoder settings of the compositor, for the ffmpeg program. */
    static final String X264 =
            ("-c:v libx264 -preset veryfast -tune zerolatency -profile:v high -threads 1 -b:v %1$d"
                            + " -maxrate %1$d -bufsize %1$d"
                            + " -x264-params scenecut=0:open-gop=0:keyint=60")
                    .formatted(BITRATE_BPS);

    private static final long KEY_FRAME_US = 2_000_000;
    private static final long VIEWER_QUEUE_BYTES = 64L << 20;

    private final LongSupplier clock;
    private final LongSupplier lateness;
    private final Scene scene;
    private final @Nullable Consumer<AccessUnit> viewer;
    private final CompositorCounters counters = new CompositorCounters();
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable LiveStream> overlay = new AtomicReference<>();
    private final AtomicReference<@Nullable Compositor> compositor = new AtomicReference<>();
    private final AtomicReference<@Nullable Thread> viewing = new AtomicReference<>();

    /** What the compositor draws. */
    interface Scene {
        /** Called when the main session starts, before its compositor. */
        default AudioStage audio() {
            return AudioStage.PASS;
        }

        /** Called after {@link #audio}. */
        OverlayLayer layer();

        /** What a GPU may do. */
        default GpuUse gpu() {
            return GpuUse.NONE;
        }

        /** Called with the overlay stream, after {@link #layer}. */
        default void attach(LiveStream overlayStream) {}

        /** Called before the first frame is composited. */
        default void composited(LiveStream live, Compositor compositor) {}
    }

    /** Publishes the streams of the session. */
    @FunctionalInterface
    interface Sending {
        void to(LiveStreams hub);
    }

    /**
     * @param clock of the hub, in nanoseconds
     * @param lateness clock for dropping late frames
     * @param viewer receives each access unit of the program on its own thread; null without one
     */
    CompositorSession(
            LongSupplier clock,
            LongSupplier lateness,
            Scene scene,
            @Nullable Consumer<AccessUnit> viewer) {
        this.clock = clock;
        this.lateness = lateness;
        this.scene = scene;
        this.viewer = viewer;
    }

    /** Returns the CPU seconds of the process, after compositor and viewer have ended. */
    double run(Sending sending) throws InterruptedException {
        long beforeNs = cpuNs();
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
            LiveStreams hub = new LiveStreams(Clock.systemUTC(), clock, timer, new Supervisor());
            sending.to(hub);
            hub.end(STREAM, EndReason.COMPLETED);
            Compositor running = compositor.get();
            while (running != null && running.isRunning()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
        double cpuSeconds = (cpuNs() - beforeNs) / 1e9;
        Thread thread = viewing.get();
        if (thread != null) {
            thread.join();
        }
        return cpuSeconds;
    }

    /** The caller closes the publication. */
    static Publication publish(LiveStreams hub, Role role) {
        return hub.publish(new PublishRequest(STREAM, role, Duration.ZERO, "bench", _ -> {}));
    }

    CompositorCounters counters() {
        return counters;
    }

    /** Messages about overload and failures. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** CPU time of all threads, with JIT compiler and garbage collector. */
    private static long cpuNs() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    private static void view(Subscription program, Consumer<AccessUnit> viewer) {
        try (program) {
            boolean more = true;
            while (more) {
                more =
                        program.drain(
                                item -> {
                                    if (item instanceof AccessUnit unit) {
                                        viewer.accept(unit);
                                    }
                                });
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts the compositor, as the session's supervisor does in the server. */
    private final class Supervisor implements LiveStreams.Listener, CompositorListener {
        @Override
        public synchronized void sessionStarted(LiveStream live) {
            if (live.role() == Role.OVERLAY) {
                overlay.set(live);
                if (compositor.get() != null) {
                    scene.attach(live);
                }
                return;
            }
            live.programSwitch().takeOver();
            Compositor started =
                    Compositor.start(
                            live.source().subscribe("compositor", Compositor.QUEUE_BYTES),
                            settings(live),
                            new Compositor.Dependencies(
                                    live.programSwitch(), scene.audio(), counters, this, lateness));
            scene.composited(live, started);
            started.layers(List.of(scene.layer()));
            LiveStream overlayStream = overlay.get();
            if (overlayStream != null) {
                scene.attach(overlayStream);
            }
            Consumer<AccessUnit> watching = viewer;
            if (watching != null) {
                Subscription program = live.program().subscribe("viewer", VIEWER_QUEUE_BYTES);
                viewing.set(
                        Thread.ofPlatform()
                                .name("viewer")
                                .daemon()
                                .start(() -> view(program, watching)));
            }
            compositor.set(started);
        }

        private CompositorSettings settings(LiveStream live) {
            return new CompositorSettings(
                    live.stream(),
                    live.session(),
                    KEY_FRAME_US,
                    new CompositorSettings.Encoding(
                            H264Encoder.X264, BITRATE_BPS, Speed.VERYFAST, /* threads= */ 1),
                    scene.gpu());
        }

        @Override
        public void overloaded(String message) {
            warnings.add(message);
        }

        @Override
        public void failed(RuntimeException cause) {
            warnings.add(cause.toString());
        }
    }
}
