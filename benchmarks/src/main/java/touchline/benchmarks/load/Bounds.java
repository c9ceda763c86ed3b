package touchline.benchmarks.load;

import java.util.ArrayList;
import java.util.List;

/** Measured values beside what they may be. One thread. */
public final class Bounds {
    private final List<Bound> all = new ArrayList<>();

    /**
     * @param relation to the limit
     * @param kept whether the value is within the limit
     */
    private record Bound(
            String name, double measured, String relation, double limit, boolean kept) {}

    /** A value that was not measured misses its bound. */
    public void atMost(String name, double measured, double limit) {
        all.add(new Bound(name, measured, "at most", limit, measured <= limit));
    }

    /** A value that was not measured misses its bound. */
    public void atLeast(String name, double measured, double limit) {
        all.add(new Bound(name, measured, "at least", limit, measured >= limit));
    }

    /** A count that must be 0. */
    public void none(String name, long count) {
        atMost(name, (double) count, 0);
    }

    /** A measurement has failed. */
    public void failed(String name) {
        none(name + ", measurements that failed", 1);
    }

    /** Whether no value misses its bound. */
    public boolean areKept() {
        return all.stream().allMatch(Bound::kept);
    }

    /** Adds the table. */
    public void addTo(Report report) {
        Report.Table table = report.table("bounds", "bound | measured | must be | limit | kept");
        for (Bound bound : all) {
            table.row(
                    bound.name(),
                    bound.measured(),
                    bound.relation(),
                    bound.limit(),
                    bound.kept() ? "yes" : "MISSED");
        }
    }
}
