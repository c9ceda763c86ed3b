package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.Test;
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
    void lock_secondServer_isRejected_untilTheFirstHasEnded() throws Exception {
        try (AutoCloseable _ = DataFolder.lock(parent)) {
            CommandException refused =
                    assertThrows(CommandException.class, () -> DataFolder.lock(parent));
            assertEquals("data-dir: another server works in " + parent, refused.getMessage());
        }
        DataFolder.lock(parent).close();
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
}
