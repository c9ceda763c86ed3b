package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.FileRegion;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.packager.delivery.OpenFiles.OpenFile;

class OpenFilesTest {
    @TempDir Path folder;

    private long nowNs;
    private final OpenFiles files = new OpenFiles(() -> nowNs);
    private Path path;

    @BeforeEach
    void write() throws IOException {
        path = Files.write(folder.resolve("s1-0.m4s"), new byte[100]);
    }

    @Test
    void acquire_again_isTheSameFileUntilItIsSweptAway() throws IOException {
        OpenFile first = files.acquire(path);
        OpenFile second = files.acquire(path);
        assertSame(first, second);
        first.release();
        second.release();
        files.sweep();
        assertTrue(first.channel().isOpen(), "kept for the next request");

        nowNs += Duration.ofSeconds(6).toNanos();
        files.sweep();
        assertFalse(first.channel().isOpen());
        OpenFile third = files.acquire(path);
        assertNotSame(first, third);
        third.release();
        files.close();
        assertFalse(third.channel().isOpen());
    }

    @Test
    void region_keepsTheFileOpenAndDoesNotCloseItForOthers() throws IOException {
        OpenFile file = files.acquire(path);
        FileRegion region = file.region(10, 20);
        file.release();
        Files.delete(path);
        nowNs += Duration.ofSeconds(6).toNanos();
        files.sweep();
        assertTrue(file.channel().isOpen());
        assertEquals(10, region.position());
        assertEquals(20, region.count());

        region.release();
        assertFalse(file.channel().isOpen());
    }

    @Test
    void require_moreThanThereIs_isRefusedUntilTheFileHasGrown() throws IOException {
        OpenFile file = files.acquire(path);
        file.require(100);
        assertThrows(EOFException.class, () -> file.require(101));
        Files.write(path, new byte[1], StandardOpenOption.APPEND);
        file.require(101);
        file.release();
        files.close();
    }

    @Test
    void acquire_missingFile_isReportedAsMissing() {
        assertThrows(NoSuchFileException.class, () -> files.acquire(folder.resolve("none")));
    }

    @Test
    void acquire_moreThanAreKept_areClosedWhenReleased() throws IOException {
        for (int i = 0; i < 300; i++) {
            files.acquire(Files.write(folder.resolve("f" + i), new byte[1])).release();
        }
        OpenFile late = files.acquire(path);
        late.release();
        assertFalse(late.channel().isOpen());
        files.close();
    }
}
