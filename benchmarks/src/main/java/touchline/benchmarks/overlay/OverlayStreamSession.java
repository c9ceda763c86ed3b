package touchline.benchmarks.overlay;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Publication;
import touchline.media.hub.PublishRequest;
import touchline.media.hub.Role;
import touchline.media.hub.Subscription;
import touchline.overlay.Compositor;
import touchline.overlay.CompositorCounters;
import touchline.overlay.CompositorListener;
import touchline.overlay.OverlaySpec;
import touchline.overlay.Placement;
import touchline.overlay.stream.OverlayStream;
import touchline.overlay.stream.ProgramAudio;

/**
 * A main and an overlay stream through a hub and a compositor of this process, set up as in the
 * server. The sender sets its clock, so that both streams arrive at the pace of that clock. Runs
 * once.
 */
final class OverlayStreamSession {
    private static final StreamId STREAM = new StreamId("bench");

    /** More than the minimum of ten seconds between two starts. */
    private static final Duration BETWEEN_STARTS = Duration.ofSeconds(11);

    private final OverlaySpec.Stream spec;
    private final Consumer<LiveStream> started;
    private final AtomicLong nowNs = new AtomicLong();
    private final CompositorCounters counters = new CompositorCounters();
    private final AtomicReference<@Nullable Compositor> compositor = new AtomicReference<>();
    private final AtomicReference<@Nullable OverlayStream> layer = new AtomicReference<>();
    private final AtomicReference<@Nullable LiveStream> pending = new AtomicReference<>();
    private final AtomicReference<@Nullable Subscription> board = new AtomicReference<>();

    /** Writes the units of both pushes and sets the clock. */
    @FunctionalInterface
    interface Sending {
        void send(Publication programme, Publication board);
    }

    /**
     * @param started receives the main session after its compositor has started
     */
    OverlayStreamSession(OverlaySpec.AudioMix mix, Consumer<LiveStream> started) {
        this.spec = new OverlaySpec.Stream(mix, Placement.DEFAULT);
        this.started = started;
    }

    /** Returns after the compositor has ended. */
    void run(TestPush main, TestPush second, Sending sending) {
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
            LiveStreams hub =
                    new LiveStreams(Clock.systemUTC(), nowNs::get, timer, new Supervisor());
            try (Publication overlay = publish(hub, Role.OVERLAY)) {
                nowNs.addAndGet(BETWEEN_STARTS.toNanos());
                try (Publication programme = publish(hub, Role.MAIN)) {
                    overlay.begin(second.tracks());
                    programme.begin(main.tracks());
                    sending.send(programme, overlay);
                }
            }
            hub.end(STREAM, EndReason.COMPLETED);
            Compositor running = compositor.get();
            while (running != null && running.isRunning()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            OverlayStream open = layer.get();
            if (open != null) {
                open.close();
            }
        }
    }

    long nowNs() {
        return nowNs.get();
    }

    void now(long ns) {
        nowNs.set(ns);
    }

    CompositorCounters counters() {
        return counters;
    }

    /** Queued bytes of the overlay stream. */
    long boardQueuedBytes() {
        Subscription read = board.get();
        return read == null ? 0 : read.queuedBytes();
    }

    private static Publication publish(LiveStreams hub, Role role) {
        return hub.publish(new PublishRequest(STREAM, role, Duration.ZERO, "bench", _ -> {}));
    }

    /** Starts the compositor, as the session's supervisor does in the server. */
    private final class Supervisor implements LiveStreams.Listener {
        @Override
        public void sessionStarted(LiveStream live) {
            if (live.role() == Role.OVERLAY) {
                OverlayStream shown = layer.get();
                if (shown != null) {
                    attach(shown, live);
                }
                pending.set(live);
                return;
            }
            live.programSwitch().takeOver();
            ProgramAudio audio = new ProgramAudio(nowNs::get, /* comes= */ true);
            Compositor running =
                    Compositor.start(
                            live.source().subscribe("compositor", Compositor.QUEUE_BYTES),
                            CompositorRun.settings(live),
                            new Compositor.Dependencies(
                                    live.programSwitch(),
                                    audio.stage(),
                                    counters,
                                    CompositorListener.NONE,
                                    CompositorRun.NEVER_LATE));
            OverlayStream shown = new OverlayStream(STREAM, spec, audio, nowNs::get);
            running.layers(List.of(shown.layer()));
            layer.set(shown);
            compositor.set(running);
            LiveStream push = pending.get();
            if (push != null) {
                attach(shown, push);
            }
            started.accept(live);
        }

        private void attach(OverlayStream shown, LiveStream push) {
            Subscription read = push.source().subscribe("scoreboard", OverlayStream.QUEUE_BYTES);
            board.set(read);
            shown.attach(read);
        }
    }
}
