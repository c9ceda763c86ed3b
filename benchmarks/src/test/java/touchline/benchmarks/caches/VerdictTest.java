package touchline.benchmarks.caches;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import touchline.benchmarks.load.Report;

final class VerdictTest {
    private static final PrintStream SILENT =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

    private final Report report = new Report("test", SILENT, Path.of("unused"));
    private final Verdict verdict = new Verdict();

    @Test
    void verdict_ofBoundsThatAreMet_holds() {
        verdict.atMost("requests", 1.05, 1.05);
        verdict.atLeast("hits", 99, 99);

        assertTrue(verdict.show(report));
    }

    @Test
    void verdict_ofOneMissedBound_fails() {
        verdict.atMost("requests", 1.06, 1.05);
        verdict.atLeast("hits", 100, 99);

        assertFalse(verdict.show(report));
    }

    @Test
    void verdict_ofNothingMeasured_fails() {
        verdict.atMost("requests", Double.NaN, 1.05);

        assertFalse(verdict.show(report));
    }
}
