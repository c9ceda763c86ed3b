package touchline.overlay.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which moment of the second stream belongs to a moment of the main one: both have clocks of their
 * own, so what arrives together is shown together, a little later so that network jitter is not
 * seen. Where one clock runs faster, the relation glides, a hundredth of the time at most, and
 * nothing jumps; where it is off for good, after a pause of an encoder or its restart, it is set
 * anew. The second stream's thread and the compositing thread call.
 */
final class OverlayStreamTime {
    /** By so much the second stream is shown later than it could be. */
    static final Duration BUFFER = Duration.ofMillis(200);

    /** What gliding may take: one hundredth is not heard, and twice what clocks differ by. */
    private static final double GLIDE = 0.01;

    /** The first seconds, when the least difference is not known yet. */
    private static final double FIRST_GLIDE = 0.1;

    private static final long FIRST_US = 3_000_000;

    /** Further off than this, for so long, and it is set anew. */
    private static final long JUMP_US = 400_000;

    private static final long JUMP_AFTER_US = 1_000_000;

    /** Audio tells of the main stream's arrival only where no video do. */
    private static final long FRAMES_GONE_US = 2_000_000;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrivalClock main = new ArrivalClock();

    @GuardedBy("lock")
    private final ArrivalClock overlay = new ArrivalClock();

    @GuardedBy("lock")
    private boolean known;

    @GuardedBy("lock")
    private double shiftUs;

    @GuardedBy("lock")
    private long knownSinceUs;

    @GuardedBy("lock")
    private long glidedUs;

    @GuardedBy("lock")
    private long offSinceUs = Long.MAX_VALUE;

    @GuardedBy("lock")
    private long lastFrameUs = Long.MIN_VALUE / 2;

    /** Something of the second stream is ready to be shown. */
    void overlayArrived(long ptsUs, long nowUs) {
        lock.lock();
        try {
            overlay.arrived(ptsUs, nowUs);
        } finally {
            lock.unlock();
        }
    }

    /** The second stream begins anew: what was known of its clock is worth nothing. */
    void restarted() {
        lock.lock();
        try {
            overlay.reset();
            known = false;
        } finally {
            lock.unlock();
        }
    }

    /** The main stream begins a new timeline: media time goes on, its arrival may not. */
    void mainRestarted() {
        lock.lock();
        try {
            main.reset();
        } finally {
            lock.unlock();
        }
    }

    /** A main frame is being composed; glides by what has passed since the last one. */
    void mainFrame(long ptsUs, long nowUs) {
        lock.lock();
        try {
            lastFrameUs = nowUs;
            main.arrived(ptsUs, nowUs);
            follow(nowUs);
        } finally {
            lock.unlock();
        }
    }

    /** Main audio is being mixed. */
    void mainAudio(long ptsUs, long nowUs) {
        lock.lock();
        try {
            if (nowUs - lastFrameUs > FRAMES_GONE_US) {
                main.arrived(ptsUs, nowUs);
                follow(nowUs);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Presentation time in the second stream less that in the main one; empty before both run. */
    OptionalLong shiftUs() {
        lock.lock();
        try {
            return known ? OptionalLong.of(Math.round(shiftUs)) : OptionalLong.empty();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void follow(long nowUs) {
        OptionalLong mainUs = main.differenceUs(nowUs);
        OptionalLong overlayUs = overlay.differenceUs(nowUs);
        if (mainUs.isEmpty() || overlayUs.isEmpty()) {
            // A stream that stalls keeps its relation: it comes back with the same clock.
            glidedUs = nowUs;
            offSinceUs = Long.MAX_VALUE;
            return;
        }
        long wantedUs = mainUs.getAsLong() - overlayUs.getAsLong() - BUFFER.toNanos() / 1_000;
        if (!known) {
            known = true;
            knownSinceUs = nowUs;
            set((double) wantedUs, nowUs);
            return;
        }
        double offUs = wantedUs - shiftUs;
        if (Math.abs(offUs) <= JUMP_US) {
            offSinceUs = Long.MAX_VALUE;
            double rate = nowUs - knownSinceUs < FIRST_US ? FIRST_GLIDE : GLIDE;
            double mostUs = rate * (nowUs - glidedUs);
            shiftUs += Math.clamp(offUs, -mostUs, mostUs);
            glidedUs = nowUs;
        } else {
            offSinceUs = Math.min(offSinceUs, nowUs);
            glidedUs = nowUs;
            if (nowUs - offSinceUs >= JUMP_AFTER_US) {
                set((double) wantedUs, nowUs);
            }
        }
    }

    @GuardedBy("lock")
    private void set(double wantedUs, long nowUs) {
        shiftUs = wantedUs;
        glidedUs = nowUs;
        offSinceUs = Long.MAX_VALUE;
    }
}
