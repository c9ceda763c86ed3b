package touchline.benchmarks.overlay;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.overlay.CompositorCounters.Stage;

/**
 * CPU seconds of decode, overlay and encode in a compositor and in the ffmpeg command line, with
 * the same frames, the same box and the same settings of x264, turn by turn in one run; then, if
 * asked for, the compositor at the pace of real time.
 */
public final class OverlayLoad {
    private static final int WARM_UPS = 2;

    /**
     * @param rounds of each side, 5 for a median that says something
     * @param seconds of media in a round
     * @param realTime how long the compositor is to keep up with 1080p30; zero leaves it out
     */
    public record Plan(int rounds, int seconds, Duration realTime) {
        /**
         * {@code --minutes N} of real time, none unless given; rounds and seconds of media in each,
         * 5 and 20 unless given.
         */
        public static Plan of(Arguments given) {
            return new Plan(
                    given.number(0, 5),
                    given.number(1, 20),
                    Duration.ofMinutes(given.option("--minutes", 0)));
        }
    }

    private final Plan plan;
    private final Report report;

    public OverlayLoad(Plan plan, Report report) {
        this.plan = plan;
        this.report = report;
    }

    /** The exit code: 0 when everything was measured. */
    public int run(Path results) throws Exception {
        if (plan.rounds() > 0) {
            compare();
        }
        if (!plan.realTime().isZero()) {
            realTime();
        }
        report.finish(results);
        return 0;
    }

    private void compare() throws Exception {
        TestPush push = TestPush.make(1280, 720, plan.seconds());
        List<List<Object>> rows = new ArrayList<>();
        List<List<Object>> shares = new ArrayList<>();
        for (BoxKind kind : BoxKind.values()) {
            Samples ours = new Samples();
            Samples theirs = new Samples();
            CommandLineRun commandLine = new CommandLineRun(push, kind);
            CompositorRun.Result last = null;
            long dropped = 0;
            for (int round = -WARM_UPS; round < plan.rounds(); round++) {
                report.note("%s box, round %d", kind.label(), round);
                last = new CompositorRun(push, kind).asFastAsItGoes();
                if (round >= 0) {
                    ours.add(last.cpuSeconds());
                    dropped += last.counters().dropped();
                    theirs.add(commandLine.cpuSeconds());
                }
            }
            rows.add(
                    List.of(
                            kind.label(),
                            push.frames(),
                            dropped,
                            ours.median(),
                            theirs.median(),
                            ours.median() / theirs.median()));
            if (last != null) {
                shares.add(shares(kind, last));
            }
        }
        report.table(
                "cpu",
                List.of("box", "frames", "left out", "compositor s", "ffmpeg s", "ratio"),
                rows);
        report.table(
                "shares",
                List.of("box", "decode %", "copy %", "blend %", "encode %", "ms a frame"),
                shares);
    }

    private static List<Object> shares(BoxKind kind, CompositorRun.Result result) {
        List<Object> row = new ArrayList<>();
        row.add(kind.label());
        double total = 0;
        for (Stage stage : Stage.values()) {
            total += result.counters().nanos(stage);
        }
        for (Stage stage : Stage.values()) {
            row.add(100 * result.counters().nanos(stage) / total);
        }
        row.add(total / 1e6 / result.counters().frames());
        return row;
    }

    private void realTime() throws Exception {
        TestPush push = TestPush.make(1920, 1080, TestPush.LOOP_SECONDS);
        report.note("1080p30 in real time for %s", plan.realTime());
        CompositorRun.Result result =
                new CompositorRun(push, BoxKind.ANIMATED).inRealTime(plan.realTime());
        report.table(
                "real_time",
                List.of("seconds", "frames", "left out", "cores used", "warnings"),
                List.of(
                        List.of(
                                plan.realTime().toSeconds(),
                                result.counters().frames(),
                                result.counters().dropped(),
                                result.cpuSeconds() / plan.realTime().toMillis() * 1000,
                                String.join("; ", result.warnings()))));
    }
}
