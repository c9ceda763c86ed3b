package touchline.api.domain;

import java.util.regex.Pattern;

/**
 * Identifier of an asset, and the name of its folder. Immutable.
 *
 * @param value made by the server; letters, digits, {@code _} and {@code -} only, so that it can
 *     never lead out of a folder
 */
public record AssetId(String value) {
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final int RANDOM_BITS = 128;

    public AssetId {
        if (!isSafe(value)) {
            throw new IllegalArgumentException(
                    "asset id: " + value.length() + " characters (expected: " + SAFE + ")");
        }
    }

    /** A new, unguessable id. */
    public static AssetId create() {
        return new AssetId("ast_" + RandomText.ofBits(RANDOM_BITS));
    }

    /** Whether this text can be an asset's id. */
    public static boolean isSafe(String value) {
        return SAFE.matcher(value).matches();
    }

    @Override
    public String toString() {
        return value;
    }
}
