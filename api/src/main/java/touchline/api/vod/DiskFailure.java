package touchline.api.vod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Distinguishes a full disk from other failures of files. Stateless. */
final class DiskFailure {
    /** Less free space than this is none: a file system keeps some for itself. */
    private static final long FULL_BYTES = 1 << 20;

    /** ENOSPC and EDQUOT, as Linux words them. */
    private static final String[] FULL_MESSAGES = {
        "No space left on device", "Disk quota exceeded"
    };

    private DiskFailure() {}

    /**
     * Whether a write failed because the disk is full.
     *
     * @param folder on the disk
     * @param minFreeBytes of the disk that are left alone
     */
    static boolean isFull(IOException failure, Path folder, long minFreeBytes) {
        String message = String.valueOf(failure.getMessage());
        return Stream.of(FULL_MESSAGES).anyMatch(message::contains) || isFull(folder, minFreeBytes);
    }

    private static boolean isFull(Path folder, long minFreeBytes) {
        try {
            return usableBytes(folder) < Math.max(FULL_BYTES, minFreeBytes);
        } catch (IOException _) {
            // Unknown: the first failure is reported.
            return false;
        }
    }

    static long usableBytes(Path folder) throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }
}
