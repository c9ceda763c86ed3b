package touchline.benchmarks.load;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the end of a warm-up: a new server's JIT compiler takes less and less time beside the
 * requests. The warm-up is over when the newest rounds cost about as much as the rounds before.
 * Owned by one thread.
 */
public final class Settling {
    private static final double SETTLED = 0.95;

    private final int compared;
    private final int most;
    private final List<Double> costs = new ArrayList<>();

    /**
     * @param compared number of newest rounds, compared with the same number before them
     * @param most rounds after which the warm-up ends in any case
     */
    public Settling(int compared, int most) {
        this.compared = compared;
        this.most = most;
    }

    public void add(double cost) {
        costs.add(cost);
    }

    public boolean isOver() {
        int count = costs.size();
        if (count < 2 * compared) {
            return false;
        }
        double now = median(costs.subList(count - compared, count));
        double before = median(costs.subList(count - 2 * compared, count - compared));
        return count >= most || now > SETTLED * before;
    }

    /** Cost of the first and the last round. Call it after at least one round. */
    public String toString(double unit) {
        return String.format(
                "first %.1f, after %d rounds %.1f",
                costs.getFirst() / unit, costs.size(), costs.getLast() / unit);
    }

    private static double median(List<Double> values) {
        Samples samples = new Samples();
        values.forEach(samples::add);
        return samples.median();
    }
}
