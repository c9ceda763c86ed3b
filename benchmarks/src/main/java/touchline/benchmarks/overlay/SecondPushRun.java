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
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Publication;
import touchline.media.hub.PublishRequest;
import touchline.media.hub.Role;
import touchline.overlay.Compositor;
import touchline.overlay.CompositorCounters;
import touchline.overlay.CompositorListener;
import touchline.overlay.OverlaySpec;
import touchline.overlay.Placement;
import touchline.overlay.second.ProgramSound;
import touchline.overlay.second.SecondPush;

/** A main and a second push through a compositor, picture and sound, in this process. */
final class SecondPushRun {
    private static final StreamId STREAM = new StreamId("bench");

    /** Pictures on the way; at a session's start some wait for the first sound. */
    private static final int AHEAD = 24;

    private final TestPush main;
    private final TestPush second;
    private final OverlaySpec.Stream spec;
    private final CompositorCounters counters = new CompositorCounters();
    private final AtomicReference<@Nullable Compositor> compositor = new AtomicReference<>();
    private final AtomicReference<@Nullable SecondPush> layer = new AtomicReference<>();

    /** Both pushes arrive at the pace of their own time, however quickly that passes. */
    private final AtomicLong nowNs = new AtomicLong();

    SecondPushRun(TestPush main, TestPush second, OverlaySpec.AudioMix mix) {
        this.main = main;
        this.second = second;
        this.spec = new OverlaySpec.Stream(mix, Placement.DEFAULT);
    }

    /** Pictures that were left out because they came too late. */
    long dropped() {
        return counters.dropped();
    }

    /** CPU seconds of the whole process for all of both pushes. */
    double cpuSeconds() throws InterruptedException {
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
            LiveStreams hub =
                    new LiveStreams(Clock.systemUTC(), nowNs::get, timer, new Supervisor());
            long beforeNs = CompositorRun.cpuNs();
            try (Publication board = publish(hub, Role.OVERLAY)) {
                // Beyond the ten seconds that must lie between the two starts.
                nowNs.addAndGet(Duration.ofSeconds(11).toNanos());
                try (Publication programme = publish(hub, Role.MAIN)) {
                    board.begin(second.tracks());
                    programme.begin(main.tracks());
                    send(programme, board);
                }
            }
            hub.end(STREAM, EndReason.COMPLETED);
            Compositor running = compositor.get();
            while (running != null && running.isRunning()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            SecondPush open = layer.get();
            if (open != null) {
                open.close();
            }
            return (CompositorRun.cpuNs() - beforeNs) / 1e9;
        }
    }

    private static Publication publish(LiveStreams hub, Role role) {
        return hub.publish(new PublishRequest(STREAM, role, Duration.ZERO, "bench", _ -> {}));
    }

    private void send(Publication programme, Publication board) {
        long startNs = nowNs.get();
        long sent = 0;
        int next = 0;
        for (AccessUnit unit : main.units()) {
            nowNs.set(startNs + unit.dtsUs() * 1_000);
            while (next < second.units().size()
                    && second.units().get(next).dtsUs() <= unit.dtsUs()) {
                board.write(second.units().get(next));
                next++;
            }
            board.flush();
            programme.write(unit);
            programme.flush();
            sent += unit.track().isVideo() ? 1 : 0;
            while (counters.pictures() + counters.dropped() < sent - AHEAD) {
                LockSupport.parkNanos(CompositorRun.POLL_NS);
            }
        }
    }

    /** What the session's rooms do in the server. */
    private final class Supervisor implements LiveStreams.Listener {
        private final AtomicReference<@Nullable LiveStream> pending = new AtomicReference<>();

        @Override
        public void sessionStarted(LiveStream live) {
            if (live.role() == Role.OVERLAY) {
                SecondPush shown = layer.get();
                if (shown != null) {
                    attach(shown, live);
                }
                pending.set(live);
                return;
            }
            live.programSwitch().takeOver();
            ProgramSound sound = new ProgramSound(nowNs::get, /* comes= */ true);
            Compositor started =
                    Compositor.start(
                            live.source().subscribe("compositor", Compositor.QUEUE_BYTES),
                            CompositorRun.settings(live),
                            new Compositor.Collaborators(
                                    live.programSwitch(),
                                    sound.stage(),
                                    counters,
                                    CompositorListener.NONE,
                                    CompositorRun.NEVER_LATE));
            SecondPush shown = new SecondPush(STREAM, spec, sound, nowNs::get);
            started.layers(List.of(shown.layer()));
            layer.set(shown);
            compositor.set(started);
            LiveStream push = pending.get();
            if (push != null) {
                attach(shown, push);
            }
        }

        private void attach(SecondPush shown, LiveStream push) {
            shown.attach(push.source().subscribe("scoreboard", SecondPush.QUEUE_BYTES));
        }
    }
}
