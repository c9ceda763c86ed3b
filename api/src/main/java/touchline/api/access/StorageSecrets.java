package touchline.api.access;

import touchline.api.db.StorageVault;

/** Secrets of output storages, encrypted under the master key. Any thread. */
public final class StorageSecrets implements StorageVault {
    private final SecretBox box;

    public StorageSecrets(SecretBox box) {
        this.box = box;
    }

    @Override
    public String seal(String secrets, String storageId) {
        return box.seal(secrets, context(storageId));
    }

    @Override
    public String open(String sealed, String storageId) {
        return box.open(sealed, context(storageId));
    }

    @Override
    public boolean isStale(String sealed) {
        return box.isStale(sealed);
    }

    private static String context(String storageId) {
        return "secrets of storage " + storageId;
    }
}
