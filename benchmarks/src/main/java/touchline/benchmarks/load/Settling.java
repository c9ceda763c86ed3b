package touchline.benchmarks.load;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether what a request costs falls no more: the compiler of a server that has just been started
 * takes processor time beside the requests, and less and less. The newest rounds are compared with
 * as many before them. Not thread-safe.
 */
public final class Settling {
    private static final double SETTLED = 0.95;

    private final int compared;
    private final int most;
    private final List<Double> costs = new ArrayList<>();

    /**
     * @param compared rounds that are compared with as many before them
     * @param most rounds after which it is over all the same
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

    /** Of at least one round. */
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
