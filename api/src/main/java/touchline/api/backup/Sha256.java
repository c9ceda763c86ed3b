package touchline.api.backup;

import java.security.MessageDigest;
import java.util.HexFormat;

/** Lines of SHA-256 that {@code sha256sum -c} reads. Stateless. */
final class Sha256 {
    private Sha256() {}

    /** The line of a file, with its line feed. */
    static String line(MessageDigest digest, String name) {
        return HexFormat.of().formatHex(digest.digest()) + "  " + name + "\n";
    }
}
