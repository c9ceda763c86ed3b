package touchline.overlay.stream;

/** A gain that reaches a new value within 10 ms, to avoid clicks. One thread. */
final class GainRamp {
    private static final double SECONDS = 0.01;

    private final int frames;
    private float value;
    private float target;
    private float step;

    GainRamp(int rateHz, double value) {
        frames = (int) Math.ceil(SECONDS * rateHz);
        this.value = (float) value;
        this.target = (float) value;
    }

    void to(double gain) {
        float wanted = (float) gain;
        if (wanted != target) {
            target = wanted;
            step = (target - value) / frames;
        }
    }

    /** Gain of the next sample frame. */
    float next() {
        if (value != target) {
            value += step;
            boolean reached = step > 0 ? value >= target : value <= target;
            if (reached) {
                value = target;
            }
        }
        return value;
    }

    /** Whether the ramp has ended at this gain. */
    boolean isAt(double gain) {
        return value == (float) gain && target == (float) gain;
    }
}
