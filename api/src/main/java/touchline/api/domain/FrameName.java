package touchline.api.domain;

import java.util.regex.Pattern;

/**
 * Name of a stored evidence frame, in its address and on the disk. Immutable.
 *
 * @param value made by the server; letters and digits only, so that it can never lead out of a
 *     folder
 */
public record FrameName(String value) {
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9]{8,64}");
    private static final int RANDOM_BITS = 128;

    public FrameName {
        if (!isSafe(value)) {
            throw new IllegalArgumentException(
                    "frame name: " + value.length() + " characters (expected: " + SAFE + ")");
        }
    }

    /** A new, unguessable name. */
    public static FrameName create() {
        return new FrameName(RandomText.ofBits(RANDOM_BITS));
    }

    /** Whether this text can be a frame's name. */
    public static boolean isSafe(String value) {
        return SAFE.matcher(value).matches();
    }

    @Override
    public String toString() {
        return value;
    }
}
