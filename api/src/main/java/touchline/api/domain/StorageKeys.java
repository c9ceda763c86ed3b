package touchline.api.domain;

/**
 * What a store lets its owner in by. Never shown and never logged. Immutable.
 *
 * @param accessKey names the owner
 * @param secretKey proves it
 */
public record StorageKeys(String accessKey, String secretKey) {
    public StorageKeys {
        if (accessKey.isEmpty() || secretKey.isEmpty()) {
            throw new IllegalArgumentException("storage keys: empty");
        }
    }

    @Override
    public String toString() {
        return "StorageKeys[***]";
    }
}
