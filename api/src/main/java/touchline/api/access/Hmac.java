package touchline.api.access;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * HMAC-SHA256 for one purpose, cut to 128 bits (RFC 2104, 5). Made under the current master key,
 * good under the older ones too, so that links survive a change of keys. Any thread.
 */
public final class Hmac {
    public static final int BYTES = 16;

    private static final String ALGORITHM = "HmacSHA256";

    private final List<SecretKey> keys;

    public Hmac(MasterKeys masterKeys, String purpose) {
        this.keys =
                masterKeys.derive(purpose, ALGORITHM).stream()
                        .map(MasterKeys.Derived::key)
                        .toList();
    }

    /** Over the text, its length, and the bytes behind it. */
    public byte[] make(String text, byte[] bytes) {
        return make(keys.getFirst(), text, bytes);
    }

    /** In constant time for one key. */
    public boolean isGood(byte[] code, String text, byte[] bytes) {
        boolean good = false;
        for (SecretKey key : keys) {
            good |= MessageDigest.isEqual(code, make(key, text, bytes));
        }
        return good;
    }

    private static byte[] make(SecretKey key, String text, byte[] bytes) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(utf8.length).array());
            mac.update(utf8);
            return Arrays.copyOf(mac.doFinal(bytes), BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every JDK", e);
        }
    }
}
