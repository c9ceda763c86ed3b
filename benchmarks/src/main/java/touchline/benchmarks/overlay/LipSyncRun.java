package touchline.benchmarks.overlay;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import touchline.media.AccessUnit;
import touchline.media.hub.LiveStream;
import touchline.media.hub.Publication;
import touchline.media.hub.Subscription;
import touchline.overlay.OverlaySpec.AudioMix;

/**
 * A second push whose clock runs fast, with a flash and a beep at each of its seconds, over a
 * silent programme of 60 frames a second: through a hub and a compositor, as fast as the machine
 * can, as all that looks at a clock looks at one that stands still meanwhile.
 */
final class LipSyncRun {
    /** A whole number of frames, of units of audio and of flashes. */
    private static final int LOOP_SECONDS = 32;

    private static final long LOOP_US = LOOP_SECONDS * 1_000_000L;
    private static final long POLL_NS = 100_000;
    private static final long PATIENCE_NS = 500_000_000;
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
    private final OverlayStreamSession session;
    private long ahead = 1;
    private final FlashAndBeep seen = new FlashAndBeep();

    /**
     * @param clockRatio of the second encoder's clock to the first one's: 1.005 is half a percent
     *     fast
     */
    LipSyncRun(double clockRatio) {
        this.clockRatio = clockRatio;
        this.session =
                new OverlayStreamSession(new AudioMix(AudioMix.Mode.SECONDARY, 1, 1), this::watch);
    }

    /** What was seen and heard, when all of it has come out. */
    FlashAndBeep run(Duration time) throws IOException, InterruptedException {
        TestPush main = make("touchline-bench-lips-main.flv", MAIN);
        TestPush second = make("touchline-bench-lips-second.flv", SECOND);
        session.run(
                main,
                second,
                (programme, board) ->
                        send(
                                new Sender(main, programme, /* ratio= */ 1),
                                new Sender(second, board, clockRatio),
                                time));
        return seen;
    }

    private void watch(LiveStream live) {
        Subscription program = live.program().subscribe("viewer", 64L << 20);
        Thread.ofPlatform().name("viewer").daemon().start(() -> seen.watch(program));
    }

    long dropped() {
        return session.counters().dropped();
    }

    long frames() {
        return session.counters().frames();
    }

    private static TestPush make(String name, String command)
            throws IOException, InterruptedException {
        // The quotes are the filters' own: no shell reads them.
        return TestPush.make(name, List.of(command.formatted(LOOP_SECONDS).split(" ", -1)));
    }

    /** All units of both in the order in which they are due, time standing still at each. */
    private void send(Sender main, Sender second, Duration time) {
        long beginNs = session.nowNs();
        long endNs = beginNs + time.toNanos();
        long sent = 0;
        for (long dueNs = beginNs; dueNs < endNs; ) {
            Sender next = main.dueNs() <= second.dueNs() ? main : second;
            dueNs = beginNs + next.dueNs();
            session.now(dueNs);
            AccessUnit unit = next.send();
            if (next.equals(second)) {
                while (session.boardQueuedBytes() > 0) {
                    LockSupport.parkNanos(POLL_NS);
                }
            } else if (unit.track().isVideo()) {
                sent++;
                awaitFrame(sent);
            }
        }
    }

    /**
     * Waits until all but the newest frame have come out. What does not come for long waits for
     * something else, as a session's first frames do for its first audio: so many are ahead.
     */
    private void awaitFrame(long sent) {
        long patienceNs = System.nanoTime() + PATIENCE_NS;
        while (session.counters().frames() < sent - ahead) {
            if (System.nanoTime() > patienceNs) {
                ahead = sent - session.counters().frames();
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /** One push, again and again, by a clock that may run faster than the other one's. */
    private static final class Sender {
        private final List<AccessUnit> loop;
        private final Publication to;
        private final double ratio;
        private long number;
        private int index;

        Sender(TestPush push, Publication to, double ratio) {
            loop = new ArrayList<>(push.units());
            loop.removeIf(unit -> unit.dtsUs() >= LOOP_US);
            this.to = to;
            this.ratio = ratio;
        }

        /** When the next unit is sent, from the start on. */
        long dueNs() {
            return (long) ((loop.get(index).dtsUs() + number * LOOP_US) * 1_000 / ratio);
        }

        AccessUnit send() {
            AccessUnit unit = loop.get(index);
            long shift = number * LOOP_SECONDS * unit.track().timescale().ticksPerSecond();
            to.write(
                    unit.at(
                            unit.track(),
                            unit.dtsTicks() + shift,
                            unit.compositionTimeOffsetTicks()));
            to.flush();
            index++;
            if (index == loop.size()) {
                index = 0;
                number++;
            }
            return unit;
        }
    }
}
