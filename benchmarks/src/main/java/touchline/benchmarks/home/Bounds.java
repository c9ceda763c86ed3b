package touchline.benchmarks.home;

import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.Report;

/** Measured values beside what they may be. One thread. */
final class Bounds {
    private final List<Bound> all = new ArrayList<>();

    /**
     * @param relation to the limit
     * @param kept whether the value is within the limit
     */
    private record Bound(
            String name, double measured, String relation, double limit, boolean kept) {}

    /** A value that was not measured misses its bound. */
    void atMost(String name, double measured, double limit) {
        all.add(new Bound(name, measured, "at most", limit, measured <= limit));
    }

    /** A value that was not measured misses its bound. */
    void atLeast(String name, double measured, double limit) {
        all.add(new Bound(name, measured, "at least", limit, measured >= limit));
    }

    /** A measurement has failed. */
    void failed(String name) {
        atMost(name + ", measurements that failed", 1, 0);
    }

    /** Whether no value misses its bound. */
    boolean areKept() {
        return all.stream().allMatch(Bound::kept);
    }

    void addTo(Report report) {
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
