package touchline.packager.delivery;

import java.util.Optional;

/**
 * A file of the watch pages: its path has its version, so it never changes. Immutable but for its
 * bytes, which nobody writes; any thread.
 *
 * @param gzip the same compressed, where that is smaller
 * @param version of its bytes, for entity tags: letters and digits
 */
public record PageFile(String contentType, byte[] plain, Optional<byte[]> gzip, String version) {}
