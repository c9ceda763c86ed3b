package touchline.benchmarks.latency;

import java.time.Duration;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Report;

/**
 * The age of media when it can be loaded, alone and beside other publishers, and when it is seen.
 */
public final class LatencyLoad implements Benchmark {
    private static final Duration PARTS = Duration.ofSeconds(40);

    private final int others;
    private final Duration play;
    private final Report report;

    /** {@code --load} other publishers, 30 by default; seconds of play, 60 by default. */
    public LatencyLoad(Arguments given, Report report) {
        others = given.option("--load", 30);
        play = Duration.ofSeconds(given.number(0, 60));
        this.report = report;
    }

    @Override
    public int run() throws Exception {
        PartLatency parts = new PartLatency(report);
        parts.run(/* others= */ 0, PARTS);
        parts.run(others, PARTS);
        new GlassToGlass(report).run(play);
        return 0;
    }
}
