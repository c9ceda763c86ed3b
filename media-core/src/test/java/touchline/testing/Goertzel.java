package touchline.testing;

/** One bin of a Fourier sum, by Goertzel's algorithm. */
public final class Goertzel {
    private Goertzel() {}

    /** Squared magnitude of the sum: of a tone of amplitude a over n samples, (a n / 2)^2. */
    public static double power(double[] samples, double hz, int rateHz) {
        double coefficient = 2 * Math.cos(2 * Math.PI * hz / rateHz);
        double previous = 0;
        double beforePrevious = 0;
        for (double sample : samples) {
            double current = sample + coefficient * previous - beforePrevious;
            beforePrevious = previous;
            previous = current;
        }
        return previous * previous
                + beforePrevious * beforePrevious
                - coefficient * previous * beforePrevious;
    }
}
