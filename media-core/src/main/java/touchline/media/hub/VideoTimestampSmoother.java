package touchline.media.hub;

import java.util.List;

/**
 * Removes jitter from video timestamps: puts frames of a constant frame rate on an exact grid,
 * although the publisher rounds to milliseconds (33, 33, 34). Never moves a timestamp by more than
 * 1 ms. If the rate is not constant, or not known yet, timestamps stay as they are. Decode times
 * rise strictly. One thread.
 *
 * <p>The rate is that of the parameter set, until the mean of a block of 128 frames shows another
 * usual rate.
 */
final class VideoTimestampSmoother {
    private static final int TICKS_PER_SECOND = 90_000;
    private static final int MS_TICKS = TICKS_PER_SECOND / 1_000;
    private static final int BLOCK = 128;

    /** Maximum error of a block's mean, since both its ends are rounded to milliseconds. */
    private static final double MEAN_TOLERANCE = (double) MS_TICKS / BLOCK + 0.05;

    private static final List<Double> USUAL_RATES =
            List.of(
                    10.0,
                    12.0,
                    12.5,
                    15.0,
                    20.0,
                    24_000 / 1_001.0,
                    24.0,
                    25.0,
                    30_000 / 1_001.0,
                    30.0,
                    48.0,
                    50.0,
                    60_000 / 1_001.0,
                    60.0,
                    100.0,
                    120.0);

    /** Ticks from frame to frame; 0 where there is no grid. */
    private double stepTicks;

    private boolean running;
    private long lastTicks;
    private long anchorTicks;
    private long stepsFromAnchor;

    private long blockStartTicks;
    private int blockFrames;
    private int blockHits;

    /**
     * @param frameRate as the parameter set names it, 0 where it does not
     */
    VideoTimestampSmoother(double frameRate) {
        this.stepTicks = frameRate > 0 && frameRate <= 120 ? TICKS_PER_SECOND / frameRate : 0;
    }

    /** Decode time of the next frame in decode order. */
    long place(long rawTicks) {
        if (!running) {
            running = true;
            blockStartTicks = rawTicks;
            return anchored(rawTicks);
        }
        long beforeTicks = lastTicks;
        long ticks = onGrid(rawTicks);
        if (ticks <= beforeTicks) {
            ticks = anchored(beforeTicks + MS_TICKS);
        }
        lastTicks = ticks;
        measure(rawTicks);
        return ticks;
    }

    /**
     * Presentation time of the frame placed last.
     *
     * @param rawTicks the publisher's timestamp
     */
    long presentation(long rawTicks) {
        if (stepTicks == 0) {
            return rawTicks;
        }
        long steps = Math.round((rawTicks - lastTicks) / stepTicks);
        long ticks = anchorTicks + Math.round((stepsFromAnchor + steps) * stepTicks);
        return Math.abs(ticks - rawTicks) <= MS_TICKS ? ticks : rawTicks;
    }

    private long onGrid(long rawTicks) {
        if (stepTicks == 0) {
            return anchored(rawTicks);
        }
        long steps = Math.max(1, Math.round((rawTicks - lastTicks) / stepTicks));
        long ticks = anchorTicks + Math.round((stepsFromAnchor + steps) * stepTicks);
        if (Math.abs(ticks - rawTicks) > MS_TICKS) {
            return anchored(rawTicks);
        }
        stepsFromAnchor += steps;
        blockHits++;
        return ticks;
    }

    private long anchored(long ticks) {
        anchorTicks = ticks;
        stepsFromAnchor = 0;
        lastTicks = ticks;
        return ticks;
    }

    private void measure(long rawTicks) {
        blockFrames++;
        if (blockFrames < BLOCK) {
            return;
        }
        double mean = (rawTicks - blockStartTicks) / (double) BLOCK;
        double nearest = nearestStep(mean);
        if (nearest != 0 && nearest != stepTicks) {
            step(nearest);
        } else if (nearest == 0 && blockHits * 2 < BLOCK) {
            step(0);
        }
        blockStartTicks = rawTicks;
        blockFrames = 0;
        blockHits = 0;
    }

    private void step(double ticks) {
        stepTicks = ticks;
        anchorTicks = lastTicks;
        stepsFromAnchor = 0;
    }

    private static double nearestStep(double meanTicks) {
        double nearest = 0;
        for (double rate : USUAL_RATES) {
            double step = TICKS_PER_SECOND / rate;
            if (Math.abs(step - meanTicks) < Math.abs(nearest - meanTicks)) {
                nearest = step;
            }
        }
        return Math.abs(nearest - meanTicks) <= MEAN_TOLERANCE ? nearest : 0;
    }
}
