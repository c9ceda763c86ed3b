package touchline.api.access;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;

/** Links that expire, to frame images: {@code <path>?exp=<Unix seconds>&sig=<code>}. Any thread. */
public final class SignedUrls {
    /** The result of a check of a link. */
    public enum Check {
        GOOD,
        /** Malformed, altered, made elsewhere, or for another path. */
        FORGED,
        EXPIRED
    }

    private static final int MAX_EXPIRY_DIGITS = 12;
    private static final int MAX_CODE_CHARACTERS = 32;

    private final Hmac code;
    private final InstantSource clock;

    public SignedUrls(MasterKeys masterKeys, InstantSource clock) {
        this.code = new Hmac(masterKeys, "signed addresses");
        this.clock = clock;
    }

    /**
     * The path with its signature behind it.
     *
     * @param path as it is requested, from the first slash on, without a query
     */
    public String sign(String path, Instant expiresAt) {
        String expiry = Long.toString(expiresAt.getEpochSecond());
        byte[] signature = code.make(path, expiry.getBytes(StandardCharsets.US_ASCII));
        return path
                + "?exp="
                + expiry
                + "&sig="
                + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
    }

    /**
     * Whether the path may be seen now.
     *
     * @param expiry the parameter exp
     * @param signature the parameter sig
     */
    public Check verify(String path, String expiry, String signature) {
        if (expiry.length() > MAX_EXPIRY_DIGITS
                || !expiry.matches("[0-9]+")
                || signature.length() > MAX_CODE_CHARACTERS) {
            return Check.FORGED;
        }
        byte[] presented;
        try {
            presented = Base64.getUrlDecoder().decode(signature);
        } catch (IllegalArgumentException _) {
            return Check.FORGED;
        }
        if (!code.isGood(presented, path, expiry.getBytes(StandardCharsets.US_ASCII))) {
            return Check.FORGED;
        }
        Instant expiresAt = Instant.ofEpochSecond(Long.parseLong(expiry));
        return clock.instant().isBefore(expiresAt) ? Check.GOOD : Check.EXPIRED;
    }
}
