package touchline.overlay.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Maps main stream time to overlay stream time. Both have independent clocks: what arrives together
 * is shown together, plus a delay for network jitter. Clock drift is corrected gradually, by at
 * most 1 %. A lasting offset, after an encoder's pause or restart, is corrected by a jump, and so
 * is one that asks for audio before it arrives: there is nothing to hear meanwhile. Called by the
 * overlay stream's thread and the compositing thread.
 */
final class OverlayStreamTime {
    /** Jitter buffer: delay of the overlay stream. */
    static final long BUFFER_US = 200_000;

    /** Maximum correction per time: inaudible, and twice the drift of real clocks. */
    private static final double GLIDE = 0.01;

    /** Maximum correction in the first seconds, while the estimate settles. */
    private static final double FIRST_GLIDE = 0.1;

    private static final long FIRST_US = 3_000_000;

    /** A larger offset for this long is corrected by a jump. */
    private static final long JUMP_US = 400_000;

    private static final long JUMP_AFTER_US = 1_000_000;

    /** Without main video for this long, audio measures the main stream's arrival. */
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

    /** A frame or audio of the overlay stream is ready. */
    void overlayArrived(long ptsUs, long nowUs) {
        lock.lock();
        try {
            overlay.arrived(ptsUs, nowUs);
        } finally {
            lock.unlock();
        }
    }

    /** The overlay stream restarts: drops its measurements. */
    void restarted() {
        lock.lock();
        try {
            overlay.reset();
            known = false;
        } finally {
            lock.unlock();
        }
    }

    /** The main stream starts a new timeline: media time continues, its arrival may jump. */
    void mainRestarted() {
        lock.lock();
        try {
            main.reset();
        } finally {
            lock.unlock();
        }
    }

    /** A main frame is composed: corrects the shift for the time since the last one. */
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

    /** Main audio is mixed. */
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

    /** Overlay presentation time minus main presentation time; empty before both run. */
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
            // A stalled stream keeps its shift: it resumes with the same clock.
            glidedUs = nowUs;
            offSinceUs = Long.MAX_VALUE;
            return;
        }
        long wantedUs = mainUs.getAsLong() - overlayUs.getAsLong() - BUFFER_US;
        if (!known) {
            known = true;
            knownSinceUs = nowUs;
            set((double) wantedUs, nowUs);
            return;
        }
        double offUs = wantedUs - shiftUs;
        if (-BUFFER_US <= offUs && offUs <= JUMP_US) {
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
