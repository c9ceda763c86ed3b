package touchline.api.domain;

/**
 * The credentials of a store. Never shown and never logged. Immutable.
 *
 * @param accessKey identifies the owner
 * @param secretKey authenticates the owner
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
