package touchline.packager.thumbnail;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * One frame as a JPEG file. Immutable, any thread.
 *
 * @param jpeg the file, read-only, on the heap
 * @param contrast how far its brightness spreads: the standard deviation of luma, 0 to 128
 */
public record Thumbnail(MemorySegment jpeg, int contrast) {
    public Thumbnail {
        jpeg = jpeg.asReadOnly();
    }

    public int sizeBytes() {
        return Math.toIntExact(jpeg.byteSize());
    }

    /** Differs if any byte differs; with its quotes. */
    public String entityTag() {
        CRC32C sum = new CRC32C();
        sum.update(jpeg.asByteBuffer());
        return '"' + Long.toHexString((sum.getValue() << 24) ^ sizeBytes()) + ".jpg\"";
    }
}
