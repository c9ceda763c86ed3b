package touchline.benchmarks.cluster;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import touchline.benchmarks.cluster.Judge.Check;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.recordings.LostMedia;
import touchline.benchmarks.recordings.LostMedia.Loss;
import touchline.benchmarks.recordings.Span;
import touchline.benchmarks.recordings.Takeover;

/** All takeovers of a run, and what finished recordings lack of each. One thread. */
final class Takeovers {
    /** What was listed and is in no asset, away from any takeover: rounding of dates. */
    private static final long ROUNDING_US = 50_000;

    private final Judge judge;
    private final Map<String, List<Takeover>> streams = new TreeMap<>();
    private final Map<String, Row> rows = new TreeMap<>();

    /** Takeovers by one kind of fault. */
    private static final class Row {
        private int takeovers;
        private int oneAsset;
        private final Samples sentS = new Samples();
        private final Samples sentSegments = new Samples();
        private final Samples listedS = new Samples();
        private final Samples listedSegments = new Samples();
        private int targetDurationS;
    }

    Takeovers(Judge judge) {
        this.judge = judge;
    }

    /** Of each stream that the fault has hit. */
    void add(Cluster.Applied applied) {
        if (applied.fault().isOfDatabase()
                || applied.fault() == Fault.S3_STOP
                || applied.fault() == Fault.CLOCK) {
            return;
        }
        long atUs = Span.us(Instant.now()) - (System.nanoTime() - applied.atNs()) / 1_000;
        for (String stream : applied.streams()) {
            streams.computeIfAbsent(stream, _ -> new ArrayList<>())
                    .add(new Takeover(stream, atUs, applied.fault().name()));
        }
    }

    /**
     * When all recordings are finished.
     *
     * @param lost of all assets of the stream
     * @param putS times of uploads
     * @return one for each takeover
     */
    List<Loss> judge(String stream, LostMedia lost, Samples putS) {
        List<Takeover> takeovers = streams.getOrDefault(stream, List.of());
        List<Loss> losses = lost.losses(takeovers);
        for (Loss loss : losses) {
            add(loss, lost.medianSegmentUs() / 1e6);
            judge(loss, putS);
        }
        long behindUs =
                lost.missingBehindUs(
                        takeovers.isEmpty() ? Long.MIN_VALUE : takeovers.getLast().atUs());
        judge.judge(
                Check.LOST_MEDIA,
                behindUs <= ROUNDING_US
                        ? List.of()
                        : List.of(
                                "%s: %.3f s without a takeover".formatted(stream, behindUs / 1e6)));
        return losses;
    }

    private void add(Loss loss, double segmentS) {
        Row row = rows.computeIfAbsent(loss.takeover().fault(), _ -> new Row());
        row.takeovers++;
        row.oneAsset += loss.isOneAsset() ? 1 : 0;
        row.sentS.add(loss.sentUs() / 1e6);
        row.sentSegments.add(segmentS == 0 ? 0 : loss.sentUs() / 1e6 / segmentS);
        row.listedS.add(loss.listedUs() / 1e6);
        row.listedSegments.add(loss.listedSegments());
        row.targetDurationS = Math.max(row.targetDurationS, targetDurationS(loss));
    }

    private int targetDurationS(Loss loss) {
        return judge.listed().targetDurationS(loss.takeover().stream());
    }

    private void judge(Loss loss, Samples putS) {
        Fault fault = Fault.valueOf(loss.takeover().fault());
        String name = "%s, %s".formatted(loss.takeover().stream(), fault);
        if (fault.keepsTheAsset()) {
            judge.judge(
                    Check.ONE_ASSET,
                    loss.isOneAsset()
                            ? List.of()
                            : List.of(
                                    "%s: asset %s before, %s behind"
                                            .formatted(
                                                    name,
                                                    loss.before().orElse("-"),
                                                    loss.after().orElse("-"))));
        }
        if (fault.endsNode()) {
            double sentS = loss.sentUs() / 1e6;
            double mostS = targetDurationS(loss) + putS.percentile(99);
            judge.judge(
                    Check.LOST_MEDIA,
                    sentS <= mostS
                            ? List.of()
                            : List.of(
                                    "%s: %.3f s (expected: <= %.3f)"
                                            .formatted(name, sentS, mostS)));
        }
    }

    /** Of lost disks, half may lack one segment at most. */
    void addTo(Report report, Samples putS) {
        Report.Table table =
                report.table(
                        "recordings across takeovers",
                        "fault | takeovers of streams | one asset | lacks of what was sent s,"
                                + " median | worst | in segments, median | worst |"
                                + " lacks of what was listed s, median | worst | segments, worst |"
                                + " target duration s | PUT s, p99");
        rows.forEach(
                (name, row) -> {
                    Fault fault = Fault.valueOf(name);
                    if (fault == Fault.DISK_LOSS) {
                        double median = row.sentSegments.median();
                        judge.judge(
                                Check.LOST_MEDIA,
                                median <= 1
                                        ? List.of()
                                        : List.of(
                                                "half of the takeovers lack %.2f segments or more"
                                                                .formatted(median)
                                                        + " (expected: <= 1)"));
                    }
                    table.row(
                            fault.toString(),
                            row.takeovers,
                            row.oneAsset,
                            row.sentS.median(),
                            row.sentS.max(),
                            row.sentSegments.median(),
                            row.sentSegments.max(),
                            row.listedS.median(),
                            row.listedS.max(),
                            row.listedSegments.max(),
                            row.targetDurationS,
                            putS.percentile(99));
                });
    }
}
