package touchline.media.signal;

/**
 * The K-weighting of ITU-R BS.1770-5, annex 1: more treble, as the head causes, then a high-pass,
 * as two biquads. The recommendation has the coefficients for 48 kHz; those of other rates follow
 * from the same analogue filters by the bilinear transform, and are equal to its table at 48 kHz.
 * Immutable.
 */
final class KWeighting {
    private static final double TREBLE_HZ = 1_681.974450955533;
    private static final double TREBLE_DB = 3.999843853973347;
    private static final double TREBLE_Q = 0.7071752369554196;
    private static final double TREBLE_BAND_EXPONENT = 0.4996667741545416;
    private static final double PASS_HZ = 38.13547087602444;
    private static final double PASS_Q = 0.5003270373238773;

    /** Denormal numbers make arithmetic slow; what is below this is far below any signal. */
    private static final double TINY = 1e-25;

    final double b0;
    final double b1;
    final double b2;
    final double a1;
    final double a2;

    /** The high-pass; its numerator is 1, -2, 1. */
    final double passA1;

    final double passA2;

    KWeighting(int sampleRateHz) {
        double k = Math.tan(Math.PI * TREBLE_HZ / sampleRateHz);
        double high = Math.pow(10, TREBLE_DB / 20);
        double band = Math.pow(high, TREBLE_BAND_EXPONENT);
        double a0 = 1 + k / TREBLE_Q + k * k;
        b0 = (high + band * k / TREBLE_Q + k * k) / a0;
        b1 = 2 * (k * k - high) / a0;
        b2 = (high - band * k / TREBLE_Q + k * k) / a0;
        a1 = 2 * (k * k - 1) / a0;
        a2 = (1 - k / TREBLE_Q + k * k) / a0;
        double p = Math.tan(Math.PI * PASS_HZ / sampleRateHz);
        double p0 = 1 + p / PASS_Q + p * p;
        passA1 = 2 * (p * p - 1) / p0;
        passA2 = (1 - p / PASS_Q + p * p) / p0;
    }

    /** The filter of one channel, with its state. One thread. */
    final class Channel {
        private double treble1;
        private double treble2;
        private double pass1;
        private double pass2;

        /**
         * Filters samples and returns the sum of their squares.
         *
         * @param samples interleaved
         * @param first index of the first one
         * @param stride from one to the next
         * @param count of the samples
         */
        double sumOfSquares(float[] samples, int first, int stride, int count) {
            double s1 = treble1;
            double s2 = treble2;
            double p1 = pass1;
            double p2 = pass2;
            double sum = 0;
            int at = first;
            for (int i = 0; i < count; i++) {
                double x = samples[at];
                at += stride;
                // Transposed direct form II.
                double y = b0 * x + s1;
                s1 = b1 * x - a1 * y + s2;
                s2 = b2 * x - a2 * y;
                double z = y + p1;
                p1 = -2 * y - passA1 * z + p2;
                p2 = y - passA2 * z;
                sum += z * z;
            }
            treble1 = flushed(s1);
            treble2 = flushed(s2);
            pass1 = flushed(p1);
            pass2 = flushed(p2);
            return sum;
        }

        private static double flushed(double state) {
            return Math.abs(state) < TINY ? 0 : state;
        }
    }
}
