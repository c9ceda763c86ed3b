package touchline.api.domain;

import java.security.SecureRandom;

/** Unguessable text of letters and digits: safe in addresses, file names and shells. Any thread. */
public final class RandomText {
    private static final String ALPHABET =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final double BITS_PER_CHARACTER = Math.log(ALPHABET.length()) / Math.log(2);
    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomText() {}

    /** As many characters as hold at least this many random bits. */
    public static String ofBits(int bits) {
        if (bits <= 0) {
            throw new IllegalArgumentException("bits: " + bits + " (expected: > 0)");
        }
        int length = (int) Math.ceil(bits / BITS_PER_CHARACTER);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }
}
