package touchline.api.domain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * By what the file of an evidence frame is recognized. Immutable.
 *
 * @param checksum CRC-32C of the file; empty for a frame of an earlier version
 */
public record FrameContent(long sizeBytes, OptionalLong checksum) {
    /** A record without a frame. */
    public static final FrameContent NONE = new FrameContent(0, OptionalLong.empty());

    public static FrameContent of(byte[] file) {
        CRC32C sum = new CRC32C();
        sum.update(file);
        return new FrameContent(file.length, OptionalLong.of(sum.getValue()));
    }

    /** Whether this file has that content. Reads it whole: evidence frames are small. */
    public boolean isOf(Path file) throws IOException {
        return Files.size(file) == sizeBytes
                && (checksum.isEmpty() || of(Files.readAllBytes(file)).equals(this));
    }
}
