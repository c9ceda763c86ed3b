package touchline.benchmarks.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.benchmarks.load.Report;

/** A few kills of the loop that `./touchline bench crash` runs a hundred times. */
class CrashLoadIT {
    private static final int KILLS = 3;
    private static final long SEED = 20261121;

    /** A lost segment would be more; what other tests take from the processor is less. */
    private static final Duration BUSY_MACHINE = Duration.ofMillis(2_500);

    @TempDir private Path results;

    @Test
    void serverKilled_underFivePublishers_losesAtMostThePartUnderWay() throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Report report = new Report("crash", new PrintStream(said, true, StandardCharsets.UTF_8));
        CrashLoad.Plan plan =
                new CrashLoad.Plan(
                        KILLS, /* publishers= */ 5, Duration.ofSeconds(12), SEED, BUSY_MACHINE);

        int exit = new CrashLoad(plan, report).run(results);

        assertEquals(0, exit, () -> said.toString(StandardCharsets.UTF_8));
    }
}
