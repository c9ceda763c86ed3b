package touchline.benchmarks.latency;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Report;

/** How old media is when it can be fetched, alone and beside others, and when it is seen. */
public final class LatencyLoad {
    /**
     * @param load other publishers, for the second row of push to part
     * @param parts how long push to part is measured, each time
     * @param glass how long the player plays
     */
    public record Plan(int load, Duration parts, Duration glass) {
        /** {@code --load N}, 30 unless given; seconds of play, 60 unless given. */
        public static Plan of(Arguments given) {
            return new Plan(
                    given.option("--load", 30),
                    Duration.ofSeconds(40),
                    Duration.ofSeconds(given.number(0, 60)));
        }
    }

    private final Path launcher;
    private final Plan plan;
    private final Report report;

    public LatencyLoad(Path launcher, Plan plan, Report report) {
        this.launcher = launcher;
        this.plan = plan;
        this.report = report;
    }

    /** The exit code: 0 when everything was measured. */
    public int run(Path results) throws Exception {
        PartLatency parts = new PartLatency(launcher, report);
        List<Object> alone = parts.run(/* others= */ 0, plan.parts());
        List<Object> beside = parts.run(plan.load(), plan.parts());
        report.table("push_to_part", PartLatency.columns(), List.of(alone, beside));
        new GlassToGlass(launcher, report).run(plan.glass());
        report.finish(results);
        return 0;
    }
}
