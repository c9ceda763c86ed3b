package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Overload, from the publisher to the program. */
@Timeout(480)
final class OverloadIT {
    /** Share of the 40 ms of a frame. */
    private static final long TOO_LONG_NS = 60_000_000L;

    /** Simulates a slow machine with work per frame. */
    private static final class Burden implements OverlayLayer {
        private volatile long perFrameNs;

        @Override
        public void canvas(Canvas canvas) {}

        @Override
        public Optional<BoxFrame> frameAt(long ptsUs) {
            long untilNs = System.nanoTime() + perFrameNs;
            while (System.nanoTime() < untilNs) {
                LockSupport.parkNanos(untilNs - System.nanoTime());
            }
            return Optional.empty();
        }
    }

    /**
     * The compositor's clock. While it stands the machine is as fast as can be: its work takes no
     * time, whatever else runs on it.
     */
    private static final class MachineClock implements LongSupplier {
        private volatile long standsNs = System.nanoTime();

        void run() {
            standsNs = Long.MAX_VALUE;
        }

        void stand() {
            standsNs = System.nanoTime();
        }

        @Override
        public long getAsLong() {
            return Math.min(System.nanoTime(), standsNs);
        }
    }

    @Test
    void tooMuchWork_leavesFramesOutEvenly_warnsOnce_andRecovers() throws Exception {
        Burden burden = new Burden();
        MachineClock clock = new MachineClock();
        try (LiveRig live = new LiveRig(clock)) {
            Rig rig = live.rig;
            rig.compositor().layers(List.of(burden));
            rig.awaitFrames(25);
            assertEquals(List.of(), rig.events);

            burden.perFrameNs = TOO_LONG_NS;
            clock.run();
            rig.await(() -> !rig.events.isEmpty(), "a warning");
            int warned = rig.frames().size();
            rig.awaitFrames(warned + 150);
            int later = rig.frames().size();
            long latestUs = rig.frames().getLast().ptsUs();
            // An unbounded queue would be ten seconds long; a busy machine may stand for one.
            long behindMs = (System.nanoTime() - live.sentNs(latestUs)) / 1_000_000;
            assertTrue(behindMs < 4_000, "behind by " + behindMs + " ms");
            assertEquals(1, rig.events.size(), rig.events::toString);
            assertTrue(rig.events.getFirst().contains("left out"), rig.events::toString);

            burden.perFrameNs = 0;
            clock.stand();
            rig.await(() -> rig.events.contains("relieved"), "the end of the overload");
            live.end();

            // Drops are even: at most three in a row. A pause of the machine adds longer ones;
            // LoadControlTest has the exact pattern.
            List<Long> gaps = gaps(rig, later - 75, later);
            assertTrue(gaps.stream().filter(each -> each <= 4).count() >= 60, gaps::toString);
            assertEquals(live.sent(), rig.frames().size() + rig.counters.dropped());
        }
    }

    /** Distance of frames, in frames of the source. */
    private static List<Long> gaps(Rig rig, int from, int to) {
        List<Long> gaps = new ArrayList<>();
        for (int i = from; i < to; i++) {
            long us = rig.frames().get(i).ptsUs() - rig.frames().get(i - 1).ptsUs();
            gaps.add(us / 1_000 / Studio.FRAME_MS);
        }
        return gaps;
    }
}
