package touchline.packager.delivery;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A file of the watch pages: its path has its version, so it never changes. Immutable, any thread.
 *
 * @param gzip the same compressed, where that is smaller
 * @param version of its bytes, for entity tags: letters and digits
 */
public record PageFile(
        String contentType, ByteBuffer plain, Optional<ByteBuffer> gzip, String version) {
    public PageFile {
        plain = plain.asReadOnlyBuffer();
        gzip = gzip.map(ByteBuffer::asReadOnlyBuffer);
    }
}
