package touchline.api.backup;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 (FIPS 180-4), and the line that {@code sha256sum -c} reads. Stateless. */
final class Sha256 {
    private Sha256() {}

    static MessageDigest start() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }

    /** The line of a file, with its line feed. */
    static String line(MessageDigest digest, String name) {
        return HexFormat.of().formatHex(digest.digest()) + "  " + name + "\n";
    }
}
