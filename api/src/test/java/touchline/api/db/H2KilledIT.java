package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.DatabaseConfig;
import touchline.media.StreamId;

/** A server that is killed in the middle of its commits loses none of them. */
final class H2KilledIT {
    private static final DatabaseConfig DEFAULT =
            new DatabaseConfig(
                    Optional.empty(), Optional.empty(), Optional.empty(), /* maxConnections= */ 2);

    @TempDir Path folder;

    @Test
    @Timeout(60)
    void kill_inTheMiddleOfCommits_sequencesDoNotGoBack() throws Exception {
        Process server =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                CommitLoop.class.getName(),
                                folder.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        StreamId stream;
        long committed = 0;
        try (BufferedReader out = server.inputReader()) {
            stream = new StreamId(next(out));
            for (int i = 0; i < 300; i++) {
                committed = Long.parseLong(next(out));
            }
            assertTrue(server.isAlive());
            assertRefusedWhileInUse();
        } finally {
            server.destroyForcibly().waitFor();
        }

        try (Database database = Database.open(DEFAULT, folder)) {
            long start = new MediaSequences(database).reserve(stream, 1).orElseThrow().start();
            assertTrue(start >= committed, () -> "start " + start);
            assertEquals(0, start % 10);
        }
    }

    private void assertRefusedWhileInUse() {
        DatabaseException failure =
                assertThrows(
                        DatabaseException.class,
                        () -> Database.open(DEFAULT, folder, Duration.ofMillis(1)));
        assertTrue(String.valueOf(failure.getMessage()).startsWith("db.url: cannot open"));
    }

    /** What the child printed, not its log. */
    private static String next(BufferedReader out) throws Exception {
        while (true) {
            String line = out.readLine();
            if (line == null) {
                throw new AssertionError("the child ended");
            }
            if (line.startsWith(">")) {
                return line.substring(1);
            }
        }
    }
}
