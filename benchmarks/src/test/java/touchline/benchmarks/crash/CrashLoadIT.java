package touchline.benchmarks.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Report;

/** The loop of `./touchline bench crash` with two kills instead of a hundred. */
class CrashLoadIT {
    private static final String KILLS = "2";
    private static final String SEED = "20261121";
    private static final String LIFE_MS = "8000";

    /** Less than a segment, more than the delay by other tests on the same cores. */
    private static final String SLACK_MS = "2500";

    @TempDir private Path results;

    @Test
    void serverKilled_underFivePublishers_losesAtMostTheOpenPart() throws Exception {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        Report report = new Report("crash", out, results);
        Arguments given =
                new Arguments(List.of(KILLS, SEED, "--life-ms", LIFE_MS, "--slack-ms", SLACK_MS));

        int exit = new CrashLoad(given, report).run();

        report.finish();
        assertEquals(0, exit, () -> output.toString(StandardCharsets.UTF_8));
    }
}
