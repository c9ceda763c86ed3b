package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.ConfigLoader;
import touchline.media.worker.WorkerIsolation;
import touchline.media.worker.WorkerLaunch;
import touchline.media.worker.WorkerLimits;

/** {@code jobs.worker-isolation} on this host. */
class ServerIsolationIT {
    @TempDir private Path folder;

    private ServerIsolation isolation(String wanted, Path work) {
        return new ServerIsolation(
                new ConfigLoader(
                                Map.of(
                                        "TOUCHLINE_JOBS_WORKER_ISOLATION",
                                        wanted,
                                        "TOUCHLINE_ENCODER_VIDEO",
                                        "x264",
                                        "TOUCHLINE_DATA_DIR",
                                        folder.toString()),
                                folder)
                        .load(),
                work);
    }

    @Test
    void finding_saysWhatThisHostHas() {
        WorkerIsolation had =
                WorkerIsolation.probe(
                        WorkerLaunch.likeThisJvm("Main", folder, WorkerLimits.DEFAULTS), false);

        Finding finding = isolation("auto", folder).finding();

        assertEquals(had.describe(), finding.text());
        assertEquals(
                had.sandbox().isWall() ? Finding.Level.OK : Finding.Level.WARN, finding.level());
    }

    @Test
    void off_isWarnedOf_andHasNoSandbox() {
        Finding finding = isolation("off", folder).finding();

        assertEquals(Finding.Level.WARN, finding.level());
        assertTrue(finding.text().startsWith("no sandbox"), finding::text);
        isolation("off", folder).require();
    }

    @Test
    void required_butNotHad_refusesToStart() {
        // In a folder that does not exist, no sandbox works.
        ServerIsolation isolation = isolation("required", folder.resolve("missing"));

        StartException refusal = assertThrows(StartException.class, isolation::require);

        assertTrue(
                String.valueOf(refusal.getMessage()).startsWith("jobs.worker-isolation: required"),
                refusal::toString);
        assertEquals(Finding.Level.FAIL, isolation.finding().level());
        assertFalse(isolation.get().sandbox().isWall());
    }
}
