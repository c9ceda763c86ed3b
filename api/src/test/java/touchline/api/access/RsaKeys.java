package touchline.api.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.concurrent.atomic.AtomicInteger;
import touchline.api.MadeOnce;

/**
 * Pairs of RSA keys for tests that need some, whichever. Without the JVM's optimizing compiler, as
 * tests run, a new pair takes half a second of processor time. So each of {@value #PAIRS} is made
 * once, in {@code target/rsa-keys}, for all test JVMs, when one of them needs it.
 */
public final class RsaKeys {
    private static final Path FOLDER = Path.of("target", "rsa-keys").toAbsolutePath();

    /** More than any test needs at once. */
    private static final int PAIRS = 8;

    private static final AtomicInteger TAKEN = new AtomicInteger();

    private RsaKeys() {}

    /** A pair that is another one than the {@value #PAIRS} - 1 before. */
    public static KeyPair next() {
        int number = Math.floorMod(TAKEN.getAndIncrement(), PAIRS);
        try {
            Path file = MadeOnce.file(FOLDER.resolve(number + ".der"), RsaKeys::write);
            return of(Files.readAllBytes(file));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void write(Path file) throws IOException {
        Files.write(file, SigningKeys.newPair().getPrivate().getEncoded());
    }

    /**
     * @param encoded PKCS#8
     */
    static KeyPair of(byte[] encoded) throws GeneralSecurityException {
        KeyFactory factory = KeyFactory.getInstance("RSA");
        RSAPrivateCrtKey key =
                (RSAPrivateCrtKey) factory.generatePrivate(new PKCS8EncodedKeySpec(encoded));
        return new KeyPair(
                factory.generatePublic(
                        new RSAPublicKeySpec(key.getModulus(), key.getPublicExponent())),
                key);
    }
}
