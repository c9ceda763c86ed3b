package touchline.benchmarks.overlay;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import touchline.media.AccessUnit;
import touchline.media.hub.Publication;
import touchline.overlay.OverlaySpec.AudioMix;

/**
 * An overlay stream with a fast or slow clock, with a flash and a beep each second, over a silent
 * main stream of 60 frames a second. Hub and compositor use a simulated clock and run at full
 * speed.
 */
final class LipSyncRun {
    /** A whole number of frames, AAC frames and flashes. */
    private static final int LOOP_SECONDS = 32;

    private static final long LOOP_US = LOOP_SECONDS * 1_000_000L;
    private static final long POLL_NS = 100_000;
    private static final long STALL_NS = 500_000_000;
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
                    + " -f lavfi -i aevalsrc=exprs='0.5*sin(2*PI*3000*t)*lt(mod(t,1),0.1)':s=48000"
                    + CODED;

    private final double clockRatio;
    private final OverlayStreamSession session;
    private long ahead = 1;
    private final FlashAndBeep found = new FlashAndBeep();

    /**
     * @param clockRatio speed of the second encoder's clock by that of the first: 1.005 is 0.5 %
     *     fast
     */
    LipSyncRun(double clockRatio) {
        this.clockRatio = clockRatio;
        this.session =
                new OverlayStreamSession(
                        new AudioMix(AudioMix.Mode.SECONDARY, 1, 1), found::decode);
    }

    /** Returns the flashes and beeps after the end of the program. */
    FlashAndBeep run(Duration time) throws IOException, InterruptedException {
        TestPush main = make("touchline-bench-lips-main.flv", MAIN);
        TestPush second = make("touchline-bench-lips-second.flv", SECOND);
        session.run(
                main,
                second,
                (program, overlay) ->
                        send(
                                new Sender(main, program, /* ratio= */ 1),
                                new Sender(second, overlay, clockRatio),
                                time));
        found.close();
        return found;
    }

    long dropped() {
        return session.counters().dropped();
    }

    long frames() {
        return session.counters().frames();
    }

    private static TestPush make(String name, String command)
            throws IOException, InterruptedException {
        // The quotes belong to the filters, not to a shell.
        return TestPush.make(name, List.of(command.formatted(LOOP_SECONDS).split(" ", -1)));
    }

    /** Sends the units of both pushes in the order of their times, and sets the clock. */
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
                while (session.overlayQueuedBytes() > 0) {
                    LockSupport.parkNanos(POLL_NS);
                }
            } else if (unit.track().isVideo()) {
                sent++;
                awaitFrame(sent);
            }
        }
    }

    /**
     * Waits until all frames but the newest are encoded. If that takes longer than half a second,
     * they wait for other input, as a session's first frames wait for audio: keep so many ahead.
     */
    private void awaitFrame(long sent) {
        long deadlineNs = System.nanoTime() + STALL_NS;
        while (session.counters().frames() < sent - ahead) {
            if (System.nanoTime() > deadlineNs) {
                ahead = sent - session.counters().frames();
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /** Repeats one push by its own clock. */
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

        /** Time of the next unit since the start. */
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
