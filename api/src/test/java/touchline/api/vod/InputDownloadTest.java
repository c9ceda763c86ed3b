package touchline.api.vod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.egress.Egress;
import touchline.media.net.AddressRules;

/** Error of a task when this server's disk fails. No server is called. */
final class InputDownloadTest {
    private static final URI URL = URI.create("https://input.test/");

    @TempDir private Path folder;

    private final Egress egress = new Egress(AddressRules.allowing(List.of()));

    @AfterEach
    void close() {
        egress.close();
    }

    private static TranscodingLimits limits(long minFreeBytes) {
        return new TranscodingLimits(
                1_000, minFreeBytes, Duration.ofSeconds(1), Duration.ofSeconds(1), List.of());
    }

    private TaskFailure failure(Path file, long minFreeBytes) {
        return assertThrows(
                TaskFailure.class,
                () -> new InputDownload(egress, limits(minFreeBytes)).fetch(URL, file, _ -> {}));
    }

    @Test
    void disk_withLessSpaceThanIsLeftAlone_isOutOfResources() {
        TaskFailure failure = failure(folder.resolve("input"), Long.MAX_VALUE);

        assertEquals(1008, failure.error().code());
        assertEquals("this server has too little disk space", failure.error().message());
        assertTrue(failure.isPassing());
    }

    @Test
    void folder_thatIsMissing_isAnInternalErrorWithItsCause() {
        TaskFailure failure = failure(folder.resolve("missing/input"), /* minFreeBytes= */ 0);

        assertEquals(1099, failure.error().code());
        assertEquals(
                "the input cannot be stored: an error of this server's disk",
                failure.error().message());
        assertInstanceOf(NoSuchFileException.class, failure.getCause());
        assertFalse(failure.error().message().contains(folder.toString()));
        assertTrue(failure.logText().contains("missing"), failure.logText());
    }

    @Test
    void diskFailure_isFullByItsMessageOrByTheSpaceThatIsLeft() {
        IOException full = new IOException("No space left on device");
        IOException quota = new IOException("Disk quota exceeded");
        IOException other = new IOException("Input/output error");

        assertTrue(DiskFailure.isFull(full, folder, 0));
        assertTrue(DiskFailure.isFull(quota, folder, 0));
        assertTrue(DiskFailure.isFull(other, folder, Long.MAX_VALUE));
        assertFalse(DiskFailure.isFull(other, folder, 0));
        assertFalse(DiskFailure.isFull(other, folder.resolve("missing"), Long.MAX_VALUE));
    }
}
