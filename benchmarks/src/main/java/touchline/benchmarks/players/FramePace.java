package touchline.benchmarks.players;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.locks.ReentrantLock;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.Samples;

/**
 * Numbered frames of a program as they come, shown as a player would: each at its time after the
 * first one, or when it comes, if it comes later. One thread adds frames, others ask.
 */
final class FramePace {
    private static final double FPS = CameraSource.FRAMES_PER_SECOND;
    private static final double LOOP_S = CameraSource.NUMBERED_SMALL.seconds();

    /** The longest delay of a frame that is no stall. */
    private static final double PATIENCE_S = 0.6;

    private final ReentrantLock lock = new ReentrantLock();
    private final double startedMs;

    @GuardedBy("lock")
    private double pushMs;

    @GuardedBy("lock")
    private double firstMs = Double.NaN;

    /** Seconds from the push of a frame to its display. */
    @GuardedBy("lock")
    private double behindS = Double.NaN;

    @GuardedBy("lock")
    private double returnMs = Double.NaN;

    @GuardedBy("lock")
    private boolean returns;

    @GuardedBy("lock")
    private double lastMs = Double.NaN;

    @GuardedBy("lock")
    private int stalls;

    @GuardedBy("lock")
    private double frozenS;

    @GuardedBy("lock")
    private Samples behind = new Samples();

    /**
     * @param startedMs when the program was started, by the wall clock
     * @param pushMs push of frame 0, by the wall clock
     */
    FramePace(double startedMs, double pushMs) {
        this.startedMs = startedMs;
        this.pushMs = pushMs;
    }

    /** A frame has come. */
    void frame(int number, double nowMs) {
        lock.lock();
        try {
            lastMs = nowMs;
            double ageS = (nowMs - pushMs) / 1000 - number / FPS;
            if (returns && ageS >= -1 / FPS) {
                returns = false;
                returnMs = nowMs - pushMs;
                behindS = ageS;
                stalls = 0;
                frozenS = 0;
                behind = new Samples();
            }
            if (returns) {
                return;
            }
            double age = (ageS % LOOP_S + LOOP_S) % LOOP_S;
            if (Double.isNaN(firstMs)) {
                firstMs = nowMs - startedMs;
                behindS = age;
            }
            boolean ahead = age > behindS + LOOP_S / 2;
            if (!ahead && age > behindS + PATIENCE_S) {
                stalls++;
                frozenS += age - behindS;
                behindS = age;
            }
            behind.add(behindS);
        } finally {
            lock.unlock();
        }
    }

    /** The encoder began again with frame 0 at this time. */
    void encoderIsBack(double startMs) {
        lock.lock();
        try {
            pushMs = startMs;
            returns = true;
            returnMs = Double.NaN;
        } finally {
            lock.unlock();
        }
    }

    boolean hasStarted() {
        lock.lock();
        try {
            return !Double.isNaN(firstMs);
        } finally {
            lock.unlock();
        }
    }

    boolean hasReturned() {
        lock.lock();
        try {
            return !Double.isNaN(returnMs);
        } finally {
            lock.unlock();
        }
    }

    /**
     * @param running the program has not ended
     */
    PlayerResult result(String player, boolean running, List<String> errors) {
        lock.lock();
        try {
            Samples copy = new Samples();
            copy.addAll(behind);
            double stillS = running ? ((double) System.currentTimeMillis() - lastMs) / 1000 : 0;
            return new PlayerResult(
                    player,
                    seconds(firstMs),
                    copy,
                    stalls,
                    frozenS,
                    Double.isNaN(stillS) ? 0 : stillS,
                    OptionalDouble.empty(),
                    seconds(returnMs),
                    errors);
        } finally {
            lock.unlock();
        }
    }

    private static OptionalDouble seconds(double ms) {
        return Double.isNaN(ms) ? OptionalDouble.empty() : OptionalDouble.of(ms / 1000);
    }
}
