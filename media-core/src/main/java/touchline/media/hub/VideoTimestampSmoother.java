package touchline.media.hub;

import java.util.List;

/**
 * Puts frames of a constant frame rate on their exact grid, although the publisher rounds its times
 * to milliseconds (33, 33, 34). Never moves a time by more than 1 ms; where the rate is not
 * constant, or not known yet, times stay as they are. Decode times rise strictly. One thread.
 *
 * <p>The rate is the one that the parameter set names, until blocks of 128 frames tell by their
 * mean which usual rate it really is.
 */
final class VideoTimestampSmoother {
    private static final int TICKS_PER_SECOND = 90_000;
    private static final int MS_TICKS = TICKS_PER_SECOND / 1_000;
    private static final int BLOCK = 128;

    /** Two ends rounded to milliseconds move the mean of a block by at most that. */
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
    long place(long toldTicks) {
        if (!running) {
            running = true;
            blockStartTicks = toldTicks;
            return anchored(toldTicks);
        }
        long beforeTicks = lastTicks;
        long ticks = onGrid(toldTicks);
        if (ticks <= beforeTicks) {
            ticks = anchored(beforeTicks + MS_TICKS);
        }
        lastTicks = ticks;
        measure(toldTicks);
        return ticks;
    }

    /**
     * Presentation time of the frame placed last.
     *
     * @param toldTicks what the publisher says
     */
    long presentation(long toldTicks) {
        if (stepTicks == 0) {
            return toldTicks;
        }
        long steps = Math.round((toldTicks - lastTicks) / stepTicks);
        long ticks = anchorTicks + Math.round((stepsFromAnchor + steps) * stepTicks);
        return Math.abs(ticks - toldTicks) <= MS_TICKS ? ticks : toldTicks;
    }

    private long onGrid(long toldTicks) {
        if (stepTicks == 0) {
            return anchored(toldTicks);
        }
        long steps = Math.max(1, Math.round((toldTicks - lastTicks) / stepTicks));
        long ticks = anchorTicks + Math.round((stepsFromAnchor + steps) * stepTicks);
        if (Math.abs(ticks - toldTicks) > MS_TICKS) {
            return anchored(toldTicks);
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

    private void measure(long toldTicks) {
        blockFrames++;
        if (blockFrames < BLOCK) {
            return;
        }
        double mean = (toldTicks - blockStartTicks) / (double) BLOCK;
        double nearest = nearestStep(mean);
        if (nearest != 0 && nearest != stepTicks) {
            step(nearest);
        } else if (nearest == 0 && blockHits * 2 < BLOCK) {
            step(0);
        }
        blockStartTicks = toldTicks;
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
