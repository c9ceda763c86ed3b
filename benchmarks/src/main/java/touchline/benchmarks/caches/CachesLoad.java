package touchline.benchmarks.caches;

import java.util.List;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Bounds;
import touchline.benchmarks.load.Report;

/**
 * The caches of the folder {@code deploy} before a real server: low-latency players at Varnish,
 * standard players at nginx, and a finished recording at nginx. Each has a fresh server, so that
 * its counters start at 0.
 */
public final class CachesLoad implements Benchmark {
    private final int players;
    private final int seconds;
    private final int standardPlayers;
    private final int standardSeconds;
    private final int partMs;
    private final String only;
    private final Report report;

    /**
     * Low-latency players and seconds, standard players and seconds: 2,000, 60, 300 and 180. {@code
     * --part} is the target duration of a low-latency part in milliseconds, 250 by default. {@code
     * --only} varnish, nginx or recording runs one part of the benchmark.
     */
    public CachesLoad(Arguments given, Report report) {
        players = given.number(0, 2000);
        seconds = given.number(1, 60);
        standardPlayers = given.number(2, 300);
        standardSeconds = given.number(3, 180);
        partMs = given.option("--part", 250);
        only = given.option("--only", "");
        this.report = report;
    }

    /** Returns 0 if all bounds are met, 1 if one is missed, 2 if a program is not installed. */
    @Override
    public int run() throws Exception {
        List<String> missing = CacheProgram.missingPackages();
        if (!missing.isEmpty()) {
            report.note(
                    "not installed: %s; install with: apt-get install -y %s",
                    String.join(", ", missing), String.join(" ", missing));
            return 2;
        }
        if (!only.isEmpty() && !List.of("varnish", "nginx", "recording").contains(only)) {
            report.note("--only %s (expected: varnish, nginx or recording)", only);
            return 2;
        }
        Bounds bounds = new Bounds();
        if (runs("varnish")) {
            new LowLatencyRun(players, seconds, partMs, report, bounds).run();
        }
        if (runs("nginx")) {
            new StandardRun(standardPlayers, standardSeconds, report, bounds).run();
        }
        if (runs("recording")) {
            new RecordingRun(report, bounds).run();
        }
        bounds.addTo(report);
        return bounds.areKept() ? 0 : 1;
    }

    private boolean runs(String part) {
        return only.isEmpty() || only.equals(part);
    }
}
