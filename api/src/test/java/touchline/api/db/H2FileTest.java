package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.StreamDefinition;
import touchline.config.DatabaseConfig;
import touchline.media.SessionId;

/** The database in the data folder: what is there after it was closed, and what disturbs it. */
final class H2FileTest {
    private static final DatabaseConfig DEFAULT =
            new DatabaseConfig(
                    Optional.empty(), Optional.empty(), Optional.empty(), /* maxConnections= */ 4);

    @TempDir Path folder;

    private Database open() {
        return Database.open(DEFAULT, folder.resolve("data"));
    }

    @Test
    void open_missingFolder_isMadeForTheOwnerOnly() throws Exception {
        open().close();

        assertEquals(
                "rwx------",
                PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(folder.resolve("data"))));
        assertTrue(Files.exists(folder.resolve("data/touchline.mv.db")));
    }

    @Test
    void reopen_everythingStored_isThere() {
        StreamDefinition stream = Samples.fullStream();
        Session session = Session.started(new SessionId("ses_1"), stream.id(), Samples.NOW);
        try (Database database = open()) {
            new StreamRepository(database, Samples.vault()).create(stream);
            new SessionRepository(database).start(session, Epoch.ALONE);
            new MediaSequences(database).reserve(stream.id(), 100);
        }

        try (Database database = open()) {
            StreamRepository streams = new StreamRepository(database, Samples.vault());
            assertEquals(Optional.of(stream), streams.find(stream.id()));
            assertEquals(
                    List.of(stream),
                    streams.list(new StreamFilter.All(), PageRequest.FIRST).items());
            assertEquals(
                    100,
                    new MediaSequences(database).reserve(stream.id(), 1).orElseThrow().start());
            List<Session> closed = new SessionRepository(database).closeInterrupted(Set.of());
            assertEquals(SessionEnd.INTERRUPTED, closed.getFirst().end().orElseThrow().reason());
        }
    }

    @Test
    void open_dataFolderIsAFile_saysWhichKey() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        DatabaseException failure =
                assertThrows(DatabaseException.class, () -> Database.open(DEFAULT, file));

        assertTrue(String.valueOf(failure.getMessage()).contains("data-dir"));
    }

    @Test
    @Timeout(120)
    void interruptedThreads_inTheMiddleOfWriting_leaveTheDatabaseOpen() throws Exception {
        StreamDefinition stream = Samples.stream();
        try (Database database = open()) {
            new StreamRepository(database, Samples.vault()).create(stream);
            MediaSequences sequences = new MediaSequences(database);
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger commits = new AtomicInteger();
            Thread writer =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        while (!stop.get()) {
                                            sequences.reserve(stream.id(), 1);
                                            commits.incrementAndGet();
                                        }
                                    });
            for (int i = 0; i < 100; i++) {
                int before = commits.get();
                writer.interrupt();
                long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                while (writer.isAlive() && commits.get() < before + 2) {
                    assertTrue(System.nanoTime() - endNs < 0, () -> "no commit after " + commits);
                    LockSupport.parkNanos(100_000);
                }
            }
            stop.set(true);
            writer.join();

            assertTrue(commits.get() >= 100, () -> "ended after " + commits);
            assertEquals(commits.get(), sequences.reserve(stream.id(), 1).orElseThrow().start());
        }
    }
}
