package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.SessionId;

final class DataFolderTest {
    @TempDir private Path parent;

    @Test
    void prepare_missingFolder_isMadeForItsOwnerOnly() throws Exception {
        Path folder = DataFolder.prepare(parent.resolve("a/b"));

        assertEquals(
                "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
    }

    @Test
    void newFilesAndFolders_areForTheirOwnerOnly() throws Exception {
        Path folder = DataFolder.prepare(parent.resolve("data"));

        Path assets = DataFolder.assets(folder);
        Path file = Files.createFile(assets.resolve("file"));
        Process child =
                new ProcessBuilder("sh", "-c", "mkdir made && touch made/file")
                        .directory(assets.toFile())
                        .start();
        assertEquals(0, child.waitFor());

        assertEquals("rwx------", permissions(assets));
        assertEquals("rw-------", permissions(file));
        assertEquals("rwx------", permissions(assets.resolve("made")));
        assertEquals("rw-------", permissions(assets.resolve("made/file")));
    }

    @Test
    void filesOfAnEarlierVersion_areMended_andForeignOnesStay() throws Exception {
        Path data = Files.createDirectories(parent.resolve("data"));
        Path recording = Files.createDirectories(data.resolve("assets/ast_1"));
        Path segment = Files.createFile(recording.resolve("s1-0.m4s"));
        Path database = Files.createFile(data.resolve("touchline.mv.db"));
        Path foreign = Files.createFile(data.resolve("notes.txt"));
        Path outside = Files.createFile(parent.resolve("outside"));
        Files.createSymbolicLink(data.resolve("assets/link"), outside);
        for (Path each : List.of(data.resolve("assets"), recording)) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        for (Path each : List.of(segment, database, foreign, outside)) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rw-r--r--"));
        }

        DataFolder.prepare(data);

        assertEquals("rwx------", permissions(data.resolve("assets")));
        assertEquals("rwx------", permissions(recording));
        assertEquals("rw-------", permissions(segment));
        assertEquals("rw-------", permissions(database));
        assertEquals("rw-r--r--", permissions(foreign));
        assertEquals("rw-r--r--", permissions(outside));
        assertEquals(0, OwnerOnlyFiles.mend(data.resolve("assets")));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void lock_secondServer_isRejected_untilTheFirstHasEnded() throws Exception {
        try (AutoCloseable _ = DataFolder.lock(parent)) {
            CommandException refused =
                    assertThrows(CommandException.class, () -> DataFolder.lock(parent));
            assertEquals("data-dir: another server works in " + parent, refused.getMessage());
        }
        DataFolder.lock(parent).close();
    }

    /** As a worker of a killed server does, until it has noticed. */
    @Test
    void emptyWork_whileAnOrphanWrites_waitsForItsEnd() throws Exception {
        Path deep = Files.createDirectories(parent.resolve("work/worker-1/root/lib"));
        Path seen = Files.createFile(deep.resolve("seen"));
        Thread orphan =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    for (int i = 0; Files.exists(seen); i++) {
                                        try {
                                            Files.createDirectories(deep.resolve("" + i));
                                        } catch (IOException _) {
                                            // It is being removed.
                                        }
                                    }
                                });

        Path work = DataFolder.emptyWork(parent);
        orphan.join();

        assertTrue(Files.isDirectory(work));
    }

    @Test
    void emptySpool_leftovers_goAndForeignFilesBesideStay() throws Exception {
        Path foreign = Files.createFile(parent.resolve("notes.txt"));
        Path leftover = parent.resolve("spool/ses_1/s1.m4s");
        Files.createDirectories(leftover.getParent());
        Files.createFile(leftover);

        Path kept = Files.createFile(parent.resolve("spool/ses_2-1.window"));

        Path spool = DataFolder.emptySpool(parent, Set.of(new SessionId("ses_2")));

        assertTrue(Files.isDirectory(spool));
        assertTrue(Files.exists(kept));
        assertTrue(Files.notExists(leftover.getParent()));
        assertTrue(Files.notExists(leftover));
        assertTrue(Files.exists(foreign));
    }

    @Test
    void folders_ofAServer_areMadeBesideEachOther() throws Exception {
        assertEquals(parent.resolve("assets"), DataFolder.assets(parent));
        assertEquals(parent.resolve("evidence"), DataFolder.evidence(parent));
        assertEquals(parent.resolve("demo-models"), DataFolder.demoModels(parent));
        assertEquals(parent.resolve("backup"), DataFolder.backup(parent));
        for (Path each :
                List.of(
                        DataFolder.emptyTranscoding(parent),
                        DataFolder.emptyEvidenceCopies(parent))) {
            Files.createFile(each.resolve("old"));
        }

        DataFolder.emptyTranscoding(parent);
        DataFolder.emptyEvidenceCopies(parent);

        assertTrue(Files.notExists(parent.resolve("transcoding/old")));
        assertTrue(Files.notExists(parent.resolve("evidence-from-s3/old")));
    }

    @Test
    void folder_belowAFile_namesTheKey() throws Exception {
        Path file = Files.createFile(parent.resolve("file"));

        for (Executable use :
                List.<Executable>of(
                        () -> DataFolder.prepare(file.resolve("data")),
                        () -> DataFolder.lock(file),
                        () -> DataFolder.assets(file),
                        () -> DataFolder.emptySpool(file, Set.of()))) {
            String message =
                    String.valueOf(assertThrows(UncheckedIOException.class, use).getMessage());
            assertTrue(message.startsWith("data-dir: cannot "), message);
        }
    }

    /** A server that is to end while its folder is not empty yet. */
    @Test
    void emptyWork_thatIsInterrupted_fails() throws Exception {
        Path file = Files.createFile(parent.resolve("file"));

        Thread.currentThread().interrupt();
        UncheckedIOException failure =
                assertThrows(
                        UncheckedIOException.class, () -> DataFolder.emptyWork(file.resolve("x")));

        assertTrue(Thread.interrupted(), "the interrupt is kept");
        assertTrue(String.valueOf(failure.getMessage()).startsWith("data-dir: cannot "));
    }
}
