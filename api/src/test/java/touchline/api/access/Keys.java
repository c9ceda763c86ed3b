package touchline.api.access;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/** Master keys for tests. */
final class Keys {
    private Keys() {}

    /** Base64 of 32 equal bytes. */
    static String text(int filling) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) filling);
        return Base64.getEncoder().encodeToString(key);
    }

    static MasterKeys of(int filling) {
        return MasterKeys.load(Optional.of(text(filling)), Path.of("does-not-exist"));
    }
}
