package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.app.ServerClasses;
import touchline.config.DatabaseConfig;
import touchline.media.StreamId;

/** A server that is killed in the middle of its commits loses none of them. */
final class H2KilledIT {
    private static final DatabaseConfig DEFAULT =
            new DatabaseConfig(
                    Optional.empty(), Optional.empty(), Optional.empty(), /* maxConnections= */ 2);
    private static final int LIVES = 3;
    private static final int STREAMS = 4;

    @TempDir Path folder;

    /**
     * Long lives with many writers: the file's space is used again after a second, and a writer may
     * find its commit written by another.
     */
    @Test
    @Timeout(480)
    void kill_inTheMiddleOfCommits_sequencesDoNotGoBack() throws Exception {
        Random random = new Random(20261121);
        Map<String, Long> committed = new HashMap<>();
        for (int i = 0; i < LIVES; i++) {
            committed.putAll(live(1000 + random.nextInt(2500)));
        }

        try (Database database = Database.open(DEFAULT, folder)) {
            MediaSequences sequences = new MediaSequences(database);
            assertEquals(LIVES * STREAMS, committed.size());
            committed.forEach(
                    (stream, end) -> {
                        long start =
                                sequences.reserve(new StreamId(stream), 1).orElseThrow().start();
                        assertTrue(start >= end, () -> "start " + start + ", confirmed " + end);
                        assertEquals(0, start % 10);
                    });
        }
    }

    /** The last commits that a server confirmed before it was killed. */
    private Map<String, Long> live(int commits) throws Exception {
        List<String> command = ServerClasses.command();
        command.add(CommitLoop.class.getName());
        command.add(folder.toString());
        command.add(Integer.toString(STREAMS));
        Process server =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        Map<String, Long> committed = new HashMap<>();
        try (BufferedReader out = server.inputReader()) {
            for (int i = 0; i < commits || committed.size() < STREAMS; i++) {
                assertTrue(note(out.readLine(), committed), "the child ended");
            }
            assertRefusedWhileInUse();
            // By its handle: the process would close what it printed.
            assertTrue(server.toHandle().destroyForcibly());
            // What was printed in the last moments was committed as well.
            while (note(out.readLine(), committed)) {}
        } finally {
            server.destroyForcibly().waitFor();
        }
        return committed;
    }

    /** Takes what the child printed, not its log; false at the end. */
    private static boolean note(@Nullable String line, Map<String, Long> committed) {
        if (line != null && line.startsWith(">")) {
            int space = line.indexOf(' ');
            committed.put(line.substring(1, space), Long.parseLong(line.substring(space + 1)));
        }
        return line != null;
    }

    private void assertRefusedWhileInUse() {
        DatabaseException failure =
                assertThrows(
                        DatabaseException.class,
                        () -> Database.open(DEFAULT, folder, Duration.ofMillis(1)));
        assertTrue(String.valueOf(failure.getMessage()).startsWith("db.url: cannot open"));
    }
}
