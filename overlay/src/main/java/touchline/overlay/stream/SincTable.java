package touchline.overlay.stream;

/**
 * Windowed-sinc interpolation: 16 taps, a Kaiser window, 512 phases between two samples. Flat
 * within 0.1 dB up to 0.9 of the Nyquist frequency, enough for clocks that differ by 1 %.
 * Immutable, any thread.
 */
final class SincTable {
    static final int TAPS = 16;

    /** Index of the tap at or before the position. */
    static final int BEFORE = TAPS / 2 - 1;

    private static final int PHASES = 512;
    private static final double KAISER_BETA = 7;

    private static final float[] TABLE = table();

    private SincTable() {}

    /** Index of the first weight of a fraction, for {@link #weight}. */
    static int phase(double fraction) {
        return (int) Math.round(fraction * PHASES) * TAPS;
    }

    static float weight(int phase, int tap) {
        return TABLE[phase + tap];
    }

    private static float[] table() {
        float[] table = new float[(PHASES + 1) * TAPS];
        double[] weights = new double[TAPS];
        for (int phase = 0; phase <= PHASES; phase++) {
            double sum = 0;
            for (int tap = 0; tap < TAPS; tap++) {
                double x = tap - BEFORE - (double) phase / PHASES;
                weights[tap] = sinc(x) * kaiser(x / (TAPS / 2.0));
                sum += weights[tap];
            }
            for (int tap = 0; tap < TAPS; tap++) {
                table[phase * TAPS + tap] = (float) (weights[tap] / sum);
            }
        }
        return table;
    }

    private static double sinc(double x) {
        return x == 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
    }

    private static double kaiser(double x) {
        return Math.abs(x) >= 1
                ? 0
                : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel(KAISER_BETA);
    }

    /** Modified Bessel function of the first kind and order zero, by its series. */
    private static double bessel(double x) {
        double sum = 1;
        double term = 1;
        for (int k = 1; k < 40; k++) {
            term *= x * x / (4.0 * k * k);
            sum += term;
        }
        return sum;
    }
}
