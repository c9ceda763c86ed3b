package touchline.api.demo;

import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.ffmpeg.FrameRate;

/**
 * The work of the drawing thread: draws each frame at its time. Without a connection nothing is
 * drawn, but the match goes on. A frame more than half a second late is skipped. Takes ownership of
 * the encoder.
 */
final class MatchStudio {
    private static final Logger log = LoggerFactory.getLogger(MatchStudio.class);
    private static final long TOO_LATE_NS = 500_000_000;

    private final FrameRate frameRate;
    private final MatchEncoder encoder;
    private final MatchQueue queue;
    private final FramePacing pacing;

    // One writer each: stop() from any thread, the counters from the drawing thread.
    private volatile boolean stopping;
    private volatile Counts counts = new Counts(0, 0, 0, 0);

    /** Frames, and the sums of their time. */
    record Counts(long frames, long skipped, long drawNs, long encodeNs) {
        double drawMs() {
            return frames == 0 ? 0 : drawNs / 1e6 / frames;
        }

        double encodeMs() {
            return frames == 0 ? 0 : encodeNs / 1e6 / frames;
        }
    }

    MatchStudio(
            FrameRate frameRate, MatchEncoder encoder, MatchQueue queue, FramePacing pacing) {
        this.frameRate = frameRate;
        this.encoder = encoder;
        this.queue = queue;
        this.pacing = pacing;
    }

    void run() {
        try (encoder) {
            long startNs = System.nanoTime();
            for (long frame = 0; !stopping; frame++) {
                long dueNs = startNs + dueNs(frame);
                waitUntil(dueNs);
                long nowNs = System.nanoTime();
                boolean late = nowNs - dueNs > TOO_LATE_NS;
                if (pacing.observe(nowNs, late)) {
                    log.info(
                            "demo match: the host is busy, {} frames a second from now on",
                            frameRate.perSecond() / pacing.divisor());
                    encoder.divideFrameRate(pacing.divisor());
                }
                if (late || !pacing.isDrawn(frame) || !queue.isOpen()) {
                    encoder.skip().forEach(queue::put);
                    count(late);
                } else {
                    for (AccessUnit unit : encoder.next(queue.needsKeyFrame())) {
                        queue.put(unit);
                    }
                    countFrame();
                }
            }
        } catch (RuntimeException e) {
            log.error("demo match: drawing ended", e);
        }
    }

    void stop() {
        stopping = true;
    }

    Counts counts() {
        return counts;
    }

    private long dueNs(long frame) {
        return frame * 1_000_000_000L * frameRate.denominator() / frameRate.numerator();
    }

    private void waitUntil(long dueNs) {
        long leftNs = dueNs - System.nanoTime();
        while (leftNs > 0 && !stopping) {
            LockSupport.parkNanos(leftNs);
            leftNs = dueNs - System.nanoTime();
        }
    }

    private void count(boolean late) {
        Counts before = counts;
        if (late) {
            counts =
                    new Counts(
                            before.frames(),
                            before.skipped() + 1,
                            before.drawNs(),
                            before.encodeNs());
        }
    }

    private void countFrame() {
        Counts before = counts;
        counts =
                new Counts(
                        before.frames() + 1,
                        before.skipped(),
                        before.drawNs() + encoder.drawNs(),
                        before.encodeNs() + encoder.encodeNs());
    }
}
