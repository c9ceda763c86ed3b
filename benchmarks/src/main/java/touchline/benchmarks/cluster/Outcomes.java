package touchline.benchmarks.cluster;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;

/** What viewers saw of each kind of fault. One thread. */
final class Outcomes {
    private static final double NS_PER_S = 1e9;

    private static final class Row {
        private int faults;
        private int streams;
        private int resumed;
        private final Samples pauseS = new Samples();
        private final Samples unlistedS = new Samples();
        private final Samples beyondS = new Samples();
    }

    private record Group(Fault fault, String streams) implements Comparable<Group> {
        @Override
        public int compareTo(Group other) {
            return fault == other.fault
                    ? streams.compareTo(other.streams)
                    : fault.compareTo(other.fault);
        }
    }

    private final Map<Group, Row> rows = new TreeMap<>();

    /** A fault of streams of one kind. */
    void fault(Fault fault, String kind) {
        row(fault, kind).faults++;
    }

    /** A stream of a fault. */
    void stream(Fault fault, String kind, boolean resumed) {
        Row row = row(fault, kind);
        row.streams++;
        row.resumed += resumed ? 1 : 0;
    }

    /**
     * What one viewer of it saw.
     *
     * @param pauseNs of the encoder
     */
    void viewer(Fault fault, String kind, Optional<Arrivals.Gap> gap, long pauseNs) {
        if (gap.isEmpty()) {
            return;
        }
        Row row = row(fault, kind);
        long unlistedNs = Math.max(0, gap.get().beforeNs());
        row.pauseS.add(pauseNs / NS_PER_S);
        row.unlistedS.add(unlistedNs / NS_PER_S);
        row.beyondS.add(Math.max(0, gap.get().lengthNs() - unlistedNs - pauseNs) / NS_PER_S);
    }

    private Row row(Fault fault, String kind) {
        return rows.computeIfAbsent(new Group(fault, kind), _ -> new Row());
    }

    void addTo(Report report) {
        Report.Table table =
                report.table(
                        "faults",
                        "fault | streams | faults | hit | resumed | encoder's pause s, median |"
                                + " sent but not listed s, median | worst |"
                                + " gap beyond both s, median | p90 | worst");
        rows.forEach(
                (group, row) ->
                        table.row(
                                group.fault().toString(),
                                group.streams(),
                                row.faults,
                                row.streams,
                                row.resumed,
                                row.pauseS.median(),
                                row.unlistedS.median(),
                                row.unlistedS.max(),
                                row.beyondS.median(),
                                row.beyondS.percentile(90),
                                row.beyondS.max()));
    }
}
