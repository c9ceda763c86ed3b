package touchline.benchmarks.overlay;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import touchline.overlay.BoxConverter;
import touchline.overlay.BoxFrame;
import touchline.overlay.Canvas;
import touchline.overlay.CanvasBox;
import touchline.overlay.Compositor;
import touchline.overlay.CompositorCounters;
import touchline.overlay.CompositorListener;
import touchline.overlay.CompositorSettings;
import touchline.overlay.OverlayLayer;

/** One session through a compositor, in this process. Runs once. */
final class CompositorRun {
    static final int BITRATE_BPS = 3_000_000;

    /** The same settings for the ffmpeg program. */
    static final String X264 =
            ("-c:v libx264 -preset veryfast -tune zerolatency -profile:v high -threads 1 -b:v %1$d"
                            + " -maxrate %1$d -bufsize %1$d"
                            + " -x264-params scenecut=0:open-gop=0:keyint=60")
                    .formatted(BITRATE_BPS);

    private static final StreamId STREAM = new StreamId("bench");
    private static final long KEY_FRAME_US = 2_000_000;

    /** Maximum number of frames on the way, to fit into the compositor's queue. */
    private static final int AHEAD = 6;

    /** Poll interval: less than the duration of the queued frames, and low CPU time. */
    static final long POLL_NS = 2_000_000;

    /** A clock that stands still, so that the compositor never drops or downgrades late frames. */
    static final LongSupplier NEVER_LATE = () -> 0;

    private final TestPush push;
    private final OverlayLayer layer;
    private final @Nullable Consumer<AccessUnit> viewer;
    private final CompositorCounters counters = new CompositorCounters();
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Compositor> compositor = new AtomicReference<>();

    /** The counters of the compositor, and the CPU time of the whole process. */
    record Result(double cpuSeconds, CompositorCounters counters, List<String> warnings) {
        Result {
            warnings = List.copyOf(warnings);
        }
    }

    CompositorRun(TestPush push, BoxKind kind) {
        this.push = push;
        this.layer = new BoxLayer(kind);
        this.viewer = null;
    }

    /**
     * @param viewer receives each access unit of the program on its own thread
     */
    CompositorRun(TestPush push, OverlayLayer layer, Consumer<AccessUnit> viewer) {
        this.push = push;
        this.layer = layer;
        this.viewer = viewer;
    }

    /** Sends the push once, each unit as soon as the queue has room. */
    Result atFullSpeed() throws InterruptedException {
        return measured(
                NEVER_LATE,
                publication -> {
                    long sent = 0;
                    for (AccessUnit unit : push.units()) {
                        publication.write(unit);
                        publication.flush();
                        sent++;
                        while (counters.frames() + counters.dropped() < sent - AHEAD
                                && warnings.isEmpty()) {
                            LockSupport.parkNanos(POLL_NS);
                        }
                    }
                });
    }

    /** Repeats the push, each unit at its time. */
    Result inRealTime(Duration time) throws InterruptedException {
        return measured(
                System::nanoTime,
                publication -> {
                    long startNs = System.nanoTime();
                    long loopUs = TestPush.LOOP_SECONDS * 1_000_000L;
                    for (long loop = 0; loop * loopUs < time.toNanos() / 1_000; loop++) {
                        for (AccessUnit unit : push.units()) {
                            long us = unit.dtsUs() + loop * loopUs;
                            long waitNs = startNs + us * 1_000 - System.nanoTime();
                            if (waitNs > 0) {
                                LockSupport.parkNanos(waitNs);
                            }
                            long shiftTicks = loop * TestPush.LOOP_SECONDS * 90_000L;
                            publication.write(
                                    unit.at(
                                            unit.track(),
                                            unit.dtsTicks() + shiftTicks,
                                            unit.compositionTimeOffsetTicks()));
                            publication.flush();
                        }
                    }
                });
    }

    private interface Publishing {
        void to(Publication publication) throws InterruptedException;
    }

    private Result measured(LongSupplier lateness, Publishing publishing)
            throws InterruptedException {
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
            LiveStreams hub = new LiveStreams(Clock.systemUTC(), timer, listener(lateness));
            long beforeNs = cpuNs();
            try (Publication publication =
                    hub.publish(
                            new PublishRequest(
                                    STREAM, Role.MAIN, Duration.ZERO, "bench", _ -> {}))) {
                publication.begin(push.tracks());
                publishing.to(publication);
            }
            hub.end(STREAM, EndReason.COMPLETED);
            Compositor running = compositor.get();
            while (running != null && running.isRunning()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            return new Result((cpuNs() - beforeNs) / 1e9, counters, new ArrayList<>(warnings));
        }
    }

    private LiveStreams.Listener listener(LongSupplier lateness) {
        return new LiveStreams.Listener() {
            @Override
            public void sessionStarted(LiveStream live) {
                live.programSwitch().takeOver();
                Compositor started =
                        Compositor.start(
                                live.source().subscribe("compositor", Compositor.QUEUE_BYTES),
                                settings(live),
                                new Compositor.Dependencies(
                                        live.programSwitch(),
                                        AudioStage.PASS,
                                        counters,
                                        new CompositorListener() {
                                            @Override
                                            public void overloaded(String message) {
                                                warnings.add(message);
                                            }

                                            @Override
                                            public void failed(RuntimeException cause) {
                                                warnings.add(cause.toString());
                                            }
                                        },
                                        lateness));
                started.layers(List.of(layer));
                Consumer<AccessUnit> watching = viewer;
                if (watching != null) {
                    Subscription program = live.program().subscribe("viewer", 64L << 20);
                    Thread.ofPlatform()
                            .name("viewer")
                            .daemon()
                            .start(() -> view(program, watching));
                }
                compositor.set(started);
            }
        };
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

    static CompositorSettings settings(LiveStream live) {
        return new CompositorSettings(
                live.stream(),
                live.session(),
                KEY_FRAME_US,
                new CompositorSettings.Encoding(
                        H264Encoder.X264, BITRATE_BPS, Speed.VERYFAST, /* threads= */ 1),
                /* hardwareDecoder= */ false);
    }

    /** CPU time of all threads, with JIT compiler and garbage collector. */
    static long cpuNs() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    /** A box with prepared pixels, as a page delivers them. */
    private static final class BoxLayer implements OverlayLayer {
        private final List<MemorySegment> frames = new ArrayList<>();
        private final BoxKind kind;
        private @Nullable BoxConverter converter;
        private @Nullable BoxFrame shown;
        private int next;

        BoxLayer(BoxKind kind) {
            this.kind = kind;
            for (int i = 0; i < kind.frames(); i++) {
                byte[] pixels = kind.pixels(i);
                frames.add(
                        Arena.ofAuto()
                                .allocate(pixels.length)
                                .copyFrom(MemorySegment.ofArray(pixels)));
            }
        }

        @Override
        public void canvas(Canvas canvas) {
            CanvasBox box = new CanvasBox(kind.x(), kind.y(), kind.width(), kind.height());
            converter = new BoxConverter(canvas, box, /* opacityPercent= */ 100);
            shown = null;
        }

        @Override
        public Optional<BoxFrame> frameAt(long ptsUs) {
            BoxConverter opened = converter;
            if (opened != null && (kind.isAnimated() || shown == null)) {
                BoxConverter.Pixels pixels =
                        new BoxConverter.Pixels(
                                frames.get(next++ % frames.size()), kind.width() * 4);
                shown = opened.convert(pixels, kind.firstChangedRow(), kind.changedRows());
            }
            return Optional.ofNullable(shown);
        }
    }
}
