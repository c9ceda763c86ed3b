package touchline.benchmarks.overlay;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
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
import touchline.media.hub.Subscription;
import touchline.overlay.Compositor;
import touchline.overlay.CompositorCounters;
import touchline.overlay.CompositorListener;
import touchline.overlay.OverlaySpec;
import touchline.overlay.OverlaySpec.AudioMix;
import touchline.overlay.Placement;
import touchline.overlay.second.ProgramSound;
import touchline.overlay.second.SecondPush;

/**
 * A second push whose clock runs fast, with a flash and a beep at each of its seconds, over a
 * silent programme of 60 pictures a second: through a hub and a compositor, several times faster
 * than real time, as all that looks at a clock looks at one that runs so.
 */
final class LipSyncRun {
    private static final StreamId STREAM = new StreamId("bench");

    /** A whole number of pictures, of units of sound and of flashes. */
    private static final int LOOP_SECONDS = 32;

    private static final long LOOP_US = LOOP_SECONDS * 1_000_000L;
    private static final String CODED =
            " -shortest -t %d -c:v libx264 -preset veryfast -bf 0 -g 30 -pix_fmt yuv420p"
                    + " -c:a aac -b:a 128k -f flv";
    private static final String MAIN =
            "ffmpeg -v error -y -f lavfi -i color=black:size=320x180:rate=60 -f lavfi -i"
                    + " anullsrc=r=48000:cl=stereo"
                    + CODED;
    private static final String SECOND =
            "ffmpeg -v error -y -f lavfi -i"
                    + " color=black:size=160x90:rate=25,drawbox=c=white:t=fill:enable='lt(mod(t,1),0.1)'"
                    + " -f lavfi -i"
                    + " aevalsrc=exprs='0.5*sin(2*PI*3000*t)*lt(mod(t,1),0.1)':s=48000"
                    + CODED;

    private final double clockRatio;
    private final int speed;
    private final CompositorCounters counters = new CompositorCounters();
    private final FlashAndBeep seen = new FlashAndBeep();
    private final long startNs = System.nanoTime();
    private final AtomicReference<@Nullable Compositor> compositor = new AtomicReference<>();
    private final AtomicReference<@Nullable SecondPush> layer = new AtomicReference<>();
    private final AtomicReference<@Nullable LiveStream> pending = new AtomicReference<>();

    /**
     * @param clockRatio of the second encoder's clock to the first one's: 1.005 is half a percent
     *     fast
     * @param speed how many times faster than real time
     */
    LipSyncRun(double clockRatio, int speed) {
        this.clockRatio = clockRatio;
        this.speed = speed;
    }

    /** What was seen and heard, when all of it has come out. */
    FlashAndBeep run(Duration time) throws IOException, InterruptedException {
        TestPush main = make("touchline-bench-lips-main.flv", MAIN);
        TestPush second = make("touchline-bench-lips-second.flv", SECOND);
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
            LiveStreams hub =
                    new LiveStreams(Clock.systemUTC(), this::nowNs, timer, new Supervisor());
            try (Publication board = publish(hub, Role.OVERLAY)) {
                // Beyond the ten seconds that must lie between the two starts.
                sleepUntil(nowNs() + Duration.ofSeconds(11).toNanos());
                try (Publication programme = publish(hub, Role.MAIN)) {
                    board.begin(second.tracks());
                    programme.begin(main.tracks());
                    long beginNs = nowNs();
                    Thread boardSends =
                            Thread.ofPlatform()
                                    .name("second")
                                    .start(() -> send(second, board, clockRatio, beginNs, time));
                    send(main, programme, 1, beginNs, time);
                    boardSends.join();
                }
            }
            hub.end(STREAM, EndReason.COMPLETED);
            Compositor running = compositor.get();
            while (running != null && running.isRunning()) {
                LockSupport.parkNanos(1_000_000);
            }
            SecondPush open = layer.get();
            if (open != null) {
                open.close();
            }
            return seen;
        }
    }

    long dropped() {
        return counters.dropped();
    }

    long pictures() {
        return counters.pictures();
    }

    private static TestPush make(String name, String command)
            throws IOException, InterruptedException {
        // The quotes are the filters' own: no shell reads them.
        return TestPush.make(name, List.of(command.formatted(LOOP_SECONDS).split(" ", -1)));
    }

    private long nowNs() {
        return speed * (System.nanoTime() - startNs);
    }

    private void sleepUntil(long wantedNs) {
        for (long leftNs = wantedNs - nowNs(); leftNs > 0; leftNs = wantedNs - nowNs()) {
            LockSupport.parkNanos(Math.max(50_000, leftNs / speed));
        }
    }

    private static Publication publish(LiveStreams hub, Role role) {
        return hub.publish(new PublishRequest(STREAM, role, Duration.ZERO, "bench", _ -> {}));
    }

    /** Each unit when it is due by a clock that runs so. */
    private void send(TestPush push, Publication to, double ratio, long beginNs, Duration time) {
        List<AccessUnit> loop = new ArrayList<>(push.units());
        loop.removeIf(unit -> unit.dtsUs() >= LOOP_US);
        long endUs = (long) (time.toMillis() * 1_000 * ratio);
        for (long number = 0; number * LOOP_US < endUs; number++) {
            for (AccessUnit unit : loop) {
                long dtsUs = unit.dtsUs() + number * LOOP_US;
                sleepUntil(beginNs + (long) (dtsUs * 1_000 / ratio));
                long shift = number * LOOP_SECONDS * unit.track().timescale().ticksPerSecond();
                to.write(
                        unit.at(
                                unit.track(),
                                unit.dtsTicks() + shift,
                                unit.compositionTimeOffsetTicks()));
                to.flush();
            }
        }
    }

    /** What the session's rooms do in the server. */
    private final class Supervisor implements LiveStreams.Listener {
        @Override
        public void sessionStarted(LiveStream live) {
            if (live.role() == Role.OVERLAY) {
                pending.set(live);
                return;
            }
            live.programSwitch().takeOver();
            ProgramSound sound = new ProgramSound(LipSyncRun.this::nowNs, /* comes= */ true);
            Compositor started =
                    Compositor.start(
                            live.source().subscribe("compositor", Compositor.QUEUE_BYTES),
                            CompositorRun.settings(live),
                            new Compositor.Collaborators(
                                    live.programSwitch(),
                                    sound.stage(),
                                    counters,
                                    CompositorListener.NONE,
                                    System::nanoTime));
            OverlaySpec.Stream spec =
                    new OverlaySpec.Stream(
                            new AudioMix(AudioMix.Mode.SECONDARY, 1, 1), Placement.DEFAULT);
            SecondPush shown = new SecondPush(STREAM, spec, sound, LipSyncRun.this::nowNs);
            started.layers(List.of(shown.layer()));
            layer.set(shown);
            compositor.set(started);
            LiveStream push = pending.get();
            if (push != null) {
                shown.attach(push.source().subscribe("scoreboard", SecondPush.QUEUE_BYTES));
            }
            Subscription program = live.program().subscribe("viewer", 64L << 20);
            Thread.ofPlatform().name("viewer").daemon().start(() -> seen.watch(program));
        }
    }
}
