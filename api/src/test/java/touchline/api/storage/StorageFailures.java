package touchline.api.storage;

/** Failures of stores, for tests elsewhere. */
public final class StorageFailures {
    private StorageFailures() {}

    public static StorageException refused(String setting, String message) {
        return new StorageException(StorageException.Kind.REFUSED, setting, message);
    }

    public static StorageException unresolved() {
        return new StorageException(
                StorageException.Kind.UNRESOLVED, "endpoint", "the name has no address");
    }
}
