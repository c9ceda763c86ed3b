package touchline.benchmarks.load;

/** A benchmark of {@code ./touchline bench}. Owned by one thread, runs once. */
@FunctionalInterface
public interface Benchmark {
    /** Runs to its end and returns the exit code; the tables are in its report. */
    int run() throws Exception;
}
