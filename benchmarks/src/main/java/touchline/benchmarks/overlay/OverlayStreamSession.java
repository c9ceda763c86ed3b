package touchline.benchmarks.overlay;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.StreamId;
import touchline.media.hub.LiveStream;
import touchline.media.hub.Publication;
import touchline.media.hub.Role;
import touchline.media.hub.Subscription;
import touchline.overlay.AudioStage;
import touchline.overlay.CompositorCounters;
import touchline.overlay.OverlayLayer;
import touchline.overlay.OverlaySpec;
import touchline.overlay.Placement;
import touchline.overlay.stream.OverlayStream;
import touchline.overlay.stream.ProgramAudio;

/**
 * A main and an overlay stream through a compositor. The sender sets its clock, so that both
 * streams arrive at the pace of that clock. Runs once.
 */
final class OverlayStreamSession implements CompositorSession.Scene {
    /** More than the minimum of ten seconds between two starts. */
    private static final Duration BETWEEN_STARTS = Duration.ofSeconds(11);

    private final OverlaySpec.Stream spec;
    private final AtomicLong nowNs = new AtomicLong();
    private final CompositorSession session;
    private final AtomicReference<@Nullable ProgramAudio> audio = new AtomicReference<>();
    private final AtomicReference<@Nullable OverlayStream> layer = new AtomicReference<>();
    private final AtomicReference<@Nullable Subscription> overlay = new AtomicReference<>();

    /** Writes the units of both streams and sets the clock. */
    @FunctionalInterface
    interface Sending {
        void send(Publication main, Publication overlay);
    }

    /**
     * @param viewer receives each access unit of the program on its own thread; null without one
     */
    OverlayStreamSession(OverlaySpec.AudioMix mix, @Nullable Consumer<AccessUnit> viewer) {
        this.spec = new OverlaySpec.Stream(mix, Placement.DEFAULT);
        this.session =
                new CompositorSession(nowNs::get, CompositorSession.NEVER_LATE, this, viewer);
    }

    /** Returns the CPU seconds of the process, after compositor and viewer have ended. */
    double run(TestPush main, TestPush second, Sending sending) throws InterruptedException {
        double cpuSeconds =
                session.run(
                        hub -> {
                            try (Publication board = CompositorSession.publish(hub, Role.OVERLAY)) {
                                nowNs.addAndGet(BETWEEN_STARTS.toNanos());
                                try (Publication publication =
                                        CompositorSession.publish(hub, Role.MAIN)) {
                                    board.begin(second.tracks());
                                    publication.begin(main.tracks());
                                    sending.send(publication, board);
                                }
                            }
                        });
        OverlayStream open = layer.get();
        if (open != null) {
            open.close();
        }
        return cpuSeconds;
    }

    @Override
    public AudioStage audio() {
        ProgramAudio made = new ProgramAudio(nowNs::get, /* expectsOverlay= */ true);
        audio.set(made);
        return made.stage();
    }

    @Override
    public OverlayLayer layer() {
        ProgramAudio program = audio.get();
        if (program == null) {
            throw new IllegalStateException("layer() before audio()");
        }
        OverlayStream made = new OverlayStream(new StreamId("bench"), spec, program, nowNs::get);
        layer.set(made);
        return made.layer();
    }

    @Override
    public void attach(LiveStream overlayStream) {
        Subscription read =
                overlayStream.source().subscribe("scoreboard", OverlayStream.QUEUE_BYTES);
        overlay.set(read);
        OverlayStream shown = layer.get();
        if (shown != null) {
            shown.attach(read);
        }
    }

    long nowNs() {
        return nowNs.get();
    }

    void now(long ns) {
        nowNs.set(ns);
    }

    CompositorCounters counters() {
        return session.counters();
    }

    /** Queued bytes of the overlay stream. */
    long overlayQueuedBytes() {
        Subscription read = overlay.get();
        return read == null ? 0 : read.queuedBytes();
    }
}
