package touchline.overlay;

import java.util.Arrays;
import java.util.List;
import touchline.media.ffmpeg.VideoSettings.Speed;

/**
 * Pure rules of overload: quality gives way first, step by step, then frames are left out evenly;
 * both come back when there is room again, each try after a longer pause if it did not last. Load
 * is time spent on frames over their duration, a mean over about a second. One thread.
 */
final class LoadControl {
    /** A frame older than this is left out, whatever the rest: the compositor's bound. */
    static final long MAX_AGE_NS = 400_000_000L;

    private static final long PRESSED_AGE_NS = 150_000_000L;
    private static final double PRESSED_LOAD = 0.92;
    private static final double RELAXED_LOAD = 0.6;
    private static final long US_PER_SECOND = 1_000_000;

    /** A change shows its effect after this much media. */
    private static final long SETTLE_US = US_PER_SECOND;

    private static final long FIRST_PATIENCE_US = 10 * US_PER_SECOND;
    private static final long MAX_PATIENCE_US = 300 * US_PER_SECOND;

    /** Longer distances are gaps, and say nothing of load. */
    private static final long MAX_INTERVAL_US = 200_000;

    /** Of all frames. */
    private static final double[] DROP_SHARES = {0, 1 / 8.0, 1 / 4.0, 1 / 3.0, 1 / 2.0, 2 / 3.0};

    private final List<Speed> speeds;
    private int speed;
    private int drops;
    private double owed;
    private double load;
    private long lastUs = Long.MIN_VALUE;
    private long changedUs = Long.MIN_VALUE;
    private long relaxedUs;
    private long cameBackUs = Long.MIN_VALUE;
    private long patienceUs = FIRST_PATIENCE_US;

    /**
     * @param wanted the speed where nothing presses
     */
    LoadControl(Speed wanted) {
        List<Speed> all = Arrays.asList(Speed.values());
        this.speeds = all.subList(0, all.indexOf(wanted) + 1).reversed();
    }

    /** What the encoder should be opened with, at its next key frame. */
    Speed speed() {
        return speeds.get(speed);
    }

    /** Frames are being left out evenly. */
    boolean dropping() {
        return drops > 0;
    }

    /** Mean of about a second: 1 when all time is taken. */
    double load() {
        return load;
    }

    /**
     * Whether the next frame is left out.
     *
     * @param ageNs since it came to the compositor
     * @param ptsUs its time
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

    /** How long a frame that was not left out has taken. */
    void took(long busyNs) {
        load += busyNs / 1e9;
    }

    private long interval(long ptsUs) {
        long intervalUs = lastUs == Long.MIN_VALUE ? 0 : ptsUs - lastUs;
        lastUs = ptsUs;
        if (changedUs == Long.MIN_VALUE) {
            changedUs = ptsUs;
            relaxedUs = ptsUs;
        }
        return Math.clamp(intervalUs, 0, MAX_INTERVAL_US);
    }

    /** Of the mean over a second, so that {@link #load} of constant work comes to busy/interval. */
    private static double weight(long intervalUs) {
        return (double) intervalUs / US_PER_SECOND;
    }

    private void adapt(long ageNs, long ptsUs, long intervalUs) {
        boolean pressed = ageNs > PRESSED_AGE_NS || load > PRESSED_LOAD;
        if (pressed || load > RELAXED_LOAD || intervalUs == 0) {
            relaxedUs = ptsUs;
        }
        if (pressed && ptsUs - changedUs >= SETTLE_US) {
            press(ptsUs);
        } else if (ptsUs - relaxedUs >= patienceUs) {
            relax(ptsUs);
        }
    }

    private void press(long ptsUs) {
        if (speed < speeds.size() - 1) {
            speed++;
        } else if (drops < DROP_SHARES.length - 1) {
            drops++;
        } else {
            return;
        }
        if (cameBackUs != Long.MIN_VALUE && ptsUs - cameBackUs < 2 * patienceUs) {
            patienceUs = Math.min(2 * patienceUs, MAX_PATIENCE_US);
        }
        changedUs = ptsUs;
    }

    private void relax(long ptsUs) {
        if (drops > 0) {
            // All at once where that would still be little work.
            drops = load / (1 - DROP_SHARES[drops]) < RELAXED_LOAD ? 0 : drops - 1;
        } else if (speed > 0) {
            speed--;
        } else {
            patienceUs = FIRST_PATIENCE_US;
        }
        changedUs = ptsUs;
        relaxedUs = ptsUs;
        cameBackUs = ptsUs;
    }
}
