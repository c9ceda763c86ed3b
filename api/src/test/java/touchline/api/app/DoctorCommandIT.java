package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.storage.S3Store;
import touchline.config.ServerConfig;
import touchline.media.net.FreePorts;

/** The whole report of this host, whatever it has; its own checks have tests of their own. */
final class DoctorCommandIT {
    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();

    @Test
    void doctor_ofThisHost_hasALineForEachSubject_andTheBucketIsTested() throws Exception {
        try (S3Store store = S3Store.start()) {
            int code = doctor(store);

            for (String subject :
                    List.of(
                            "java",
                            "disk",
                            "ffmpeg",
                            "x264",
                            "video encoder",
                            "workers",
                            "s3",
                            "cluster")) {
                assertEquals(1, lines(subject).size(), () -> subject + " in " + out);
            }
            assertTrue(lines("s3").getFirst().endsWith(" can be written and read"), out::toString);
            assertTrue(lines("s3").getFirst().startsWith("ok "), out::toString);
            assertEquals(List.of(), store.keys());
            assertEquals(
                    code == 0,
                    out.toString().lines().toList().getLast().equals("serve can do its work here"));
        }
    }

    @Test
    void s3_withAnotherSecret_fails_withoutShowingIt() throws Exception {
        try (S3Store store = S3Store.start()) {
            ServerConfig config =
                    ConfigOption.loader()
                            .source(Optional.of(config(store, "another-secret-key")))
                            .load()
                            .config();

            List<Finding> findings = new S3Checks(config, folder).run();

            assertEquals(1, findings.size(), findings::toString);
            assertEquals(Finding.Level.FAIL, findings.getFirst().level());
            assertTrue(findings.getFirst().text().contains(S3Store.BUCKET), findings::toString);
            assertFalse(findings.toString().contains("another-secret-key"), findings::toString);
        }
    }

    private List<String> lines(String subject) {
        return out.toString()
                .lines()
                .filter(line -> line.matches("(ok|warn|fail) +" + subject + " .*"))
                .toList();
    }

    private int doctor(S3Store store) throws Exception {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .execute(
                        "doctor",
                        "--cluster",
                        "--config",
                        config(store, S3Store.SECRET_KEY).toString());
    }

    private Path config(S3Store store, String secretKey) throws Exception {
        StringBuilder yaml = new StringBuilder("data-dir: %s\n".formatted(folder));
        for (String listener : List.of("api", "playback", "rtmp")) {
            yaml.append("%s:\n  port: %d\n".formatted(listener, FreePorts.next()));
        }
        yaml.append(
                """
                storage:
                  s3:
                    endpoint: %s
                    bucket: %s
                    access-key: %s
                    secret-key: %s
                """
                        .formatted(
                                store.endpoint(), S3Store.BUCKET, S3Store.ACCESS_KEY, secretKey));
        return Files.writeString(folder.resolve("touchline.yaml"), yaml);
    }
}
