package touchline.benchmarks.overlay;

import java.util.concurrent.locks.LockSupport;
import touchline.media.AccessUnit;
import touchline.media.hub.Publication;
import touchline.overlay.CompositorCounters;
import touchline.overlay.OverlaySpec;

/** The CPU time of a main and an overlay stream in a compositor, video and audio. Runs once. */
final class OverlayStreamRun {
    /** Maximum number of frames on the way; the first ones wait for the first audio. */
    private static final int AHEAD = 24;

    private final TestPush main;
    private final TestPush second;
    private final OverlayStreamSession session;

    OverlayStreamRun(TestPush main, TestPush second, OverlaySpec.AudioMix mix) {
        this.main = main;
        this.second = second;
        this.session = new OverlayStreamSession(mix, /* viewer= */ null);
    }

    /** Frames that were dropped because they were late. */
    long dropped() {
        return session.counters().dropped();
    }

    /** CPU seconds of the whole process for both pushes. */
    double cpuSeconds() throws InterruptedException {
        return session.run(main, second, this::send);
    }

    private void send(Publication program, Publication overlay) {
        CompositorCounters counters = session.counters();
        long startNs = session.nowNs();
        long sent = 0;
        int next = 0;
        for (AccessUnit unit : main.units()) {
            session.now(startNs + unit.dtsUs() * 1_000);
            while (next < second.units().size()
                    && second.units().get(next).dtsUs() <= unit.dtsUs()) {
                overlay.write(second.units().get(next));
                next++;
            }
            overlay.flush();
            program.write(unit);
            program.flush();
            sent += unit.track().isVideo() ? 1 : 0;
            while (counters.frames() + counters.dropped() < sent - AHEAD) {
                LockSupport.parkNanos(CompositorRun.POLL_NS);
            }
        }
    }
}
