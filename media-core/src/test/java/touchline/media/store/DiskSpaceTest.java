package touchline.media.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskSpaceTest {
    @TempDir Path folder;

    /** As the tool of coreutils says it. */
    @Test
    void inodes_areThoseOfTheDisk() throws Exception {
        DiskSpace space = DiskSpace.of(folder);
        Process stat = new ProcessBuilder("stat", "-f", "-c", "%c", folder.toString()).start();
        String total =
                new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();

        assertEquals(
                total.equals("0") ? Long.MAX_VALUE : Long.parseLong(total), space.totalInodes());
        assertTrue(space.freeInodes() > 0 && space.freeInodes() <= space.totalInodes());
        assertEquals(Files.getFileStore(folder).getTotalSpace(), space.totalBytes());
        assertThrows(IOException.class, () -> DiskSpace.of(folder.resolve("gone")));
    }

    @Test
    void shortage_namesWhatIsMissing() {
        DiskSpace space = new DiskSpace(1_000, 5_000, 100, 500);

        assertFalse(space.isBelow(new DiskSpace.Least(1_000, 100)));
        assertTrue(space.isBelow(new DiskSpace.Least(1_001, 0)));
        assertTrue(space.isBelow(new DiskSpace.Least(0, 101)));
        assertEquals(
                "free: 1000 bytes (expected: >= 1500)",
                space.shortage(new DiskSpace.Least(1_000, 0).withMargin()));
        assertEquals(
                "free: 100 inodes (expected: >= 101)", space.shortage(new DiskSpace.Least(0, 101)));
        assertEquals(50, new DiskSpace.Least(7, 0).orBytes(50).bytes());
    }
}
