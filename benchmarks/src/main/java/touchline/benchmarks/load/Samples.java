package touchline.benchmarks.load;

import java.util.Arrays;

/** Measured values and their percentiles. Owned by one thread. */
public final class Samples {
    private double[] values = new double[1024];
    private int count;
    private boolean sorted;

    public void add(double value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = value;
        sorted = false;
    }

    public void addAll(Samples other) {
        for (int i = 0; i < other.count; i++) {
            add(other.values[i]);
        }
    }

    public int count() {
        return count;
    }

    public double median() {
        return percentile(50);
    }

    public double max() {
        return percentile(100);
    }

    /** The value below which {@code percent} of all values are; NaN without values. */
    public double percentile(double percent) {
        if (count == 0) {
            return Double.NaN;
        }
        if (!sorted) {
            Arrays.sort(values, 0, count);
            sorted = true;
        }
        return values[Math.min(count - 1, (int) (count * percent / 100))];
    }
}
