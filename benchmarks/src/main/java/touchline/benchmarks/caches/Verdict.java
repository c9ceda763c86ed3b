package touchline.benchmarks.caches;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import touchline.benchmarks.load.Report;

/**
 * The bounds of a run: each is a row, and one that is missed fails the run. Owned by one thread.
 */
final class Verdict {
    private record Row(String requirement, String measured, String bound, boolean met) {}

    private final List<Row> rows = new ArrayList<>();

    void atMost(String requirement, double measured, double bound) {
        // NaN, the value of nothing measured, is no pass.
        add(requirement, measured, "at most " + shown(bound), measured <= bound);
    }

    /** A count that must be 0. */
    void none(String requirement, long count) {
        atMost(requirement, (double) count, 0);
    }

    void atLeast(String requirement, double measured, double bound) {
        add(requirement, measured, "at least " + shown(bound), measured >= bound);
    }

    private void add(String requirement, double measured, String bound, boolean met) {
        rows.add(new Row(requirement, shown(measured), bound, met));
    }

    /** Adds the table, and returns whether all bounds are met. */
    boolean show(Report report) {
        Report.Table table = report.table("bounds", "requirement | measured | bound | result");
        for (Row row : rows) {
            table.row(row.requirement(), row.measured(), row.bound(), row.met() ? "met" : "missed");
        }
        return rows.stream().allMatch(Row::met);
    }

    private static String shown(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e9
                ? String.valueOf((long) value)
                : String.format(Locale.ROOT, "%.4f", value);
    }
}
