package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.ConfigLoader;
import touchline.config.ServerConfig;

final class HostChecksTest {
    private static final Instant LATER = Instant.parse("2099-01-01T00:00:00Z");

    @TempDir private Path folder;

    @Test
    void host_asTheTestsNeedIt_hasJavaAndDisk() {
        List<Finding> findings = checks(config(Map.of()), LATER, "").run();

        assertEquals(Finding.Level.OK, level(findings, "java"));
        assertEquals(Finding.Level.OK, level(findings, "disk"));
        assertEquals(Finding.Level.OK, level(findings, "clock"));
    }

    @Test
    void clock_beforeTheBuild_fails() {
        Finding finding =
                checks(config(Map.of()), Instant.parse("2001-01-01T00:00:00Z"), "").time();

        assertEquals(Finding.Level.FAIL, finding.level());
        assertTrue(finding.text().startsWith("2001-01-01T00:00:00Z, but this build is of 2"));
    }

    @Test
    void openFiles_fewerThanConnections_areWarnedOf() {
        Finding finding =
                checks(
                                config(Map.of()),
                                LATER,
                                "Limit          Soft Limit   Hard Limit   Units\n"
                                        + "Max open files            1024                 4096"
                                        + "                 files     \n")
                        .openFiles();

        assertEquals(Finding.Level.WARN, finding.level());
        assertEquals(
                "up to 4096, but the max-connections settings need 41000 in total", finding.text());
    }

    @Test
    void openFiles_enough_areOk() {
        ServerConfig config =
                config(
                        Map.of(
                                "TOUCHLINE_RTMP_MAX_CONNECTIONS", "1000",
                                "TOUCHLINE_PLAYBACK_MAX_CONNECTIONS", "1000"));
        String limits =
                "Max open files            1024                 4096                 files     \n";

        assertEquals(Finding.Level.OK, checks(config, LATER, limits).openFiles().level());
    }

    @Test
    void disk_dataFolderBelowAFile_fails() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        ServerConfig config = config(Map.of("TOUCHLINE_DATA_DIR", file + "/data"));

        List<Finding> findings = checks(config, LATER, "").run();

        assertEquals(Finding.Level.FAIL, level(findings, "disk"));
    }

    @Test
    void disk_belowMinFree_isWarnedOf() {
        ServerConfig config = config(Map.of("TOUCHLINE_STORAGE_MIN_FREE", "1PiB"));

        assertEquals(Finding.Level.WARN, level(checks(config, LATER, "").run(), "disk"));
    }

    private HostChecks checks(ServerConfig config, Instant now, String limits) {
        try {
            Path file = Files.writeString(folder.resolve("limits"), limits);
            return new HostChecks(config, InstantSource.fixed(now), file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private ServerConfig config(Map<String, String> environment) {
        ConfigLoader loader = new ConfigLoader(environment, folder);
        return environment.containsKey("TOUCHLINE_DATA_DIR")
                ? loader.load()
                : loader.with("data-dir", folder.toString()).load();
    }

    private static Finding.Level level(List<Finding> findings, String subject) {
        return findings.stream()
                .filter(finding -> finding.subject().equals(subject))
                .findFirst()
                .orElseThrow()
                .level();
    }
}
