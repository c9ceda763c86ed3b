package touchline.api.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.RandomText;

/**
 * A code that the server issued for one sign-in to the console: it is exchanged for a credential
 * once, within {@link #LIFETIME}. Only the code's SHA-256 is kept. Any thread.
 */
public final class SignInCode {
    public static final Duration LIFETIME = Duration.ofMinutes(15);

    private static final int RANDOM_BITS = 256;

    private final byte[] hash;
    private final Instant expiresAt;
    private final InstantSource clock;

    /** Null once it was exchanged. */
    private final AtomicReference<@Nullable Credential> credential;

    /**
     * @param text from {@link #newText}
     * @param credential the answer to this code
     */
    public SignInCode(String text, Credential credential, InstantSource clock) {
        this.hash = hash(text);
        this.expiresAt = clock.instant().plus(LIFETIME);
        this.clock = clock;
        this.credential = new AtomicReference<>(credential);
    }

    /** A new code: letters and digits. It is shown once and never logged. */
    public static String newText() {
        return RandomText.ofBits(RANDOM_BITS);
    }

    /** The credential; empty where the code is wrong, expired or was exchanged before. */
    public Optional<Credential> exchange(String text) {
        // Constant-time, and the same work for each answer.
        boolean isEqual = MessageDigest.isEqual(hash, hash(text));
        if (!isEqual || !clock.instant().isBefore(expiresAt)) {
            return Optional.empty();
        }
        return Optional.ofNullable(credential.getAndSet(null));
    }

    private static byte[] hash(String text) {
        return Digests.sha256(text).getBytes(StandardCharsets.US_ASCII);
    }
}
