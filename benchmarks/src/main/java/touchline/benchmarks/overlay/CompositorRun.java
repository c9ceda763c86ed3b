package touchline.benchmarks.overlay;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.ffmpeg.GpuUse;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Publication;
import touchline.media.hub.Role;
import touchline.media.rendition.RenditionLadder;
import touchline.overlay.BoxConverter;
import touchline.overlay.BoxFrame;
import touchline.overlay.Canvas;
import touchline.overlay.CanvasBox;
import touchline.overlay.Compositor;
import touchline.overlay.CompositorCounters;
import touchline.overlay.OverlayLayer;

/** One push through a compositor with one layer. Runs once. */
final class CompositorRun {
    /** Maximum number of frames on the way, to fit into the compositor's queue. */
    private static final int AHEAD = 6;

    /** Less than the duration of the queued frames, and rare enough to cost little CPU time. */
    static final long POLL_NS = 2_000_000;

    private final TestPush push;
    private final OverlayLayer layer;
    private final @Nullable Consumer<AccessUnit> viewer;
    private final @Nullable RenditionLadder renditions;
    private final LongSupplier renditionFrames;
    private final GpuUse gpu;

    /** The counters of the compositor, and the CPU time of the whole process. */
    record Result(double cpuSeconds, CompositorCounters counters, List<String> warnings) {}

    CompositorRun(TestPush push, BoxKind kind) {
        this.push = push;
        this.layer = new BoxLayer(kind);
        this.viewer = null;
        this.renditions = null;
        this.renditionFrames = () -> Long.MAX_VALUE;
        this.gpu = GpuUse.NONE;
    }

    /**
     * @param renditions gets the composited frames; not started yet
     * @param renditionFrames that the slowest one has encoded
     */
    CompositorRun(
            TestPush push, BoxKind kind, RenditionLadder renditions, LongSupplier renditionFrames) {
        this.push = push;
        this.layer = new BoxLayer(kind);
        this.viewer = null;
        this.renditions = renditions;
        this.renditionFrames = renditionFrames;
        this.gpu = GpuUse.NONE;
    }

    /**
     * @param viewer receives each access unit of the program on its own thread
     * @param gpu what a GPU may do
     */
    CompositorRun(TestPush push, BoxKind kind, Consumer<AccessUnit> viewer, GpuUse gpu) {
        this.push = push;
        this.layer = new BoxLayer(kind);
        this.viewer = viewer;
        this.renditions = null;
        this.renditionFrames = () -> Long.MAX_VALUE;
        this.gpu = gpu;
    }

    /**
     * @param viewer receives each access unit of the program on its own thread
     */
    CompositorRun(TestPush push, OverlayLayer layer, Consumer<AccessUnit> viewer) {
        this.push = push;
        this.layer = layer;
        this.viewer = viewer;
        this.renditions = null;
        this.renditionFrames = () -> Long.MAX_VALUE;
        this.gpu = GpuUse.NONE;
    }

    /** Sends the push once, each unit as soon as the queue has room. */
    Result atFullSpeed() throws InterruptedException {
        CompositorSession session =
                new CompositorSession(
                        System::nanoTime, CompositorSession.NEVER_LATE, scene(), viewer);
        CompositorCounters counters = session.counters();
        double cpuSeconds =
                session.run(
                        hub -> {
                            try (Publication publication = publish(hub)) {
                                long sent = 0;
                                for (AccessUnit unit : push.units()) {
                                    publication.write(unit);
                                    publication.flush();
                                    sent++;
                                    while (isAhead(counters, sent)
                                            && session.warnings().isEmpty()) {
                                        LockSupport.parkNanos(POLL_NS);
                                    }
                                }
                            }
                        });
        return new Result(cpuSeconds, counters, session.warnings());
    }

    private boolean isAhead(CompositorCounters counters, long sent) {
        return counters.frames() + counters.dropped() < sent - AHEAD
                || renditionFrames.getAsLong() < sent - AHEAD - 5;
    }

    private CompositorSession.Scene scene() {
        RenditionLadder ladder = renditions;
        return new CompositorSession.Scene() {
            @Override
            public OverlayLayer layer() {
                return layer;
            }

            @Override
            public GpuUse gpu() {
                return gpu;
            }

            @Override
            public void composited(LiveStream live, Compositor compositor) {
                if (ladder != null) {
                    compositor.share(ladder.tap());
                    ladder.start(
                            live.program().subscribe("renditions", RenditionLadder.QUEUE_BYTES));
                }
            }
        };
    }

    /** Repeats the push, each unit at its time. */
    Result inRealTime(Duration time) throws InterruptedException {
        CompositorSession session =
                new CompositorSession(System::nanoTime, System::nanoTime, () -> layer, viewer);
        double cpuSeconds =
                session.run(
                        hub -> {
                            try (Publication publication = publish(hub)) {
                                sendInRealTime(publication, time);
                            }
                        });
        return new Result(cpuSeconds, session.counters(), session.warnings());
    }

    private Publication publish(LiveStreams hub) {
        Publication publication = CompositorSession.publish(hub, Role.MAIN);
        publication.begin(push.tracks());
        return publication;
    }

    private void sendInRealTime(Publication publication, Duration time) {
        long startNs = System.nanoTime();
        long loopUs = TestPush.LOOP_SECONDS * 1_000_000L;
        for (long loop = 0; loop * loopUs < time.toNanos() / 1_000; loop++) {
            for (AccessUnit unit : push.units()) {
                long us = unit.dtsUs() + loop * loopUs;
                LockSupport.parkNanos(startNs + us * 1_000 - System.nanoTime());
                long dtsTicks = unit.dtsTicks() + loop * TestPush.LOOP_SECONDS * 90_000L;
                publication.write(
                        unit.at(unit.track(), dtsTicks, unit.compositionTimeOffsetTicks()));
                publication.flush();
            }
        }
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
                MemorySegment pixels = MemorySegment.ofArray(kind.pixels(i));
                frames.add(Arena.ofAuto().allocate(pixels.byteSize()).copyFrom(pixels));
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
