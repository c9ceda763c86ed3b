package touchline.overlay;

import java.util.Arrays;
import java.util.List;
import touchline.media.ffmpeg.VideoSettings.Speed;

/**
 * Rules for overload: first lowers the encoder's quality step by step, then drops frames evenly.
 * Both recover when the load is low; after a failed recovery the next one waits longer. Load is
 * processing time over frame duration, averaged over about a second. One thread.
 */
final class LoadControl {
    /** An older frame is always dropped: the bound of the compositor's delay. */
    static final long MAX_AGE_NS = 400_000_000L;

    private static final long HIGH_AGE_NS = 150_000_000L;
    private static final double HIGH_LOAD = 0.92;
    private static final double LOW_LOAD = 0.6;
    private static final long US_PER_SECOND = 1_000_000;

    /** Media time until a change shows its effect. */
    private static final long SETTLE_US = US_PER_SECOND;

    private static final long FIRST_RECOVERY_WAIT_US = 10 * US_PER_SECOND;
    private static final long MAX_RECOVERY_WAIT_US = 300 * US_PER_SECOND;

    /** Longer intervals are gaps and do not count as load. */
    private static final long MAX_INTERVAL_US = 200_000;

    /** Share of dropped frames, by level. */
    private static final double[] DROP_SHARES = {0, 1 / 8.0, 1 / 4.0, 1 / 3.0, 1 / 2.0, 2 / 3.0};

    private final List<Speed> speeds;
    private int speed;
    private int drops;
    private double owed;
    private double load;
    private long lastUs = Long.MIN_VALUE;
    private long changedUs = Long.MIN_VALUE;
    private long lowLoadSinceUs;
    private long recoveredUs = Long.MIN_VALUE;
    private long recoveryWaitUs = FIRST_RECOVERY_WAIT_US;

    /**
     * @param wanted the speed without overload
     */
    LoadControl(Speed wanted) {
        List<Speed> all = Arrays.asList(Speed.values());
        this.speeds = all.subList(0, all.indexOf(wanted) + 1).reversed();
    }

    /** The encoder's speed from its next key frame on. */
    Speed speed() {
        return speeds.get(speed);
    }

    /** Whether frames are dropped evenly. */
    boolean dropping() {
        return drops > 0;
    }

    /** Mean over about a second; 1 means that all time is used. */
    double load() {
        return load;
    }

    /**
     * Whether the next frame is dropped.
     *
     * @param ageNs since its arrival at the compositor
     * @param ptsUs its presentation time
     */
    boolean drops(long ageNs, long ptsUs) {
        long intervalUs = interval(ptsUs);
        load *= 1 - weight(intervalUs);
        adapt(ageNs, ptsUs, intervalUs);
        if (ageNs > MAX_AGE_NS) {
            return true;
        }
        owed += DROP_SHARES[drops];
        if (owed >= 1) {
            owed -= 1;
            return true;
        }
        return false;
    }

    /** Adds the processing time of a frame. */
    void spent(long busyNs) {
        load += busyNs / 1e9;
    }

    private long interval(long ptsUs) {
        long intervalUs = lastUs == Long.MIN_VALUE ? 0 : ptsUs - lastUs;
        lastUs = ptsUs;
        if (changedUs == Long.MIN_VALUE) {
            changedUs = ptsUs;
            lowLoadSinceUs = ptsUs;
        }
        return Math.clamp(intervalUs, 0, MAX_INTERVAL_US);
    }

    /** Weight in the mean over a second: constant work gives {@link #load} = busy / interval. */
    private static double weight(long intervalUs) {
        return (double) intervalUs / US_PER_SECOND;
    }

    private void adapt(long ageNs, long ptsUs, long intervalUs) {
        boolean overloaded = ageNs > HIGH_AGE_NS || load > HIGH_LOAD;
        if (overloaded || load > LOW_LOAD || intervalUs == 0) {
            lowLoadSinceUs = ptsUs;
        }
        if (overloaded && ptsUs - changedUs >= SETTLE_US) {
            reduce(ptsUs);
        } else if (ptsUs - lowLoadSinceUs >= recoveryWaitUs) {
            recover(ptsUs);
        }
    }

    private void reduce(long ptsUs) {
        if (speed < speeds.size() - 1) {
            speed++;
        } else if (drops < DROP_SHARES.length - 1) {
            drops++;
        } else {
            return;
        }
        if (recoveredUs != Long.MIN_VALUE && ptsUs - recoveredUs < 2 * recoveryWaitUs) {
            recoveryWaitUs = Math.min(2 * recoveryWaitUs, MAX_RECOVERY_WAIT_US);
        }
        changedUs = ptsUs;
    }

    private void recover(long ptsUs) {
        if (drops > 0) {
            // All levels at once if the load would stay low.
            drops = load / (1 - DROP_SHARES[drops]) < LOW_LOAD ? 0 : drops - 1;
        } else if (speed > 0) {
            speed--;
        } else {
            recoveryWaitUs = FIRST_RECOVERY_WAIT_US;
        }
        changedUs = ptsUs;
        lowLoadSinceUs = ptsUs;
        recoveredUs = ptsUs;
    }
}
