package touchline.api.access;

import touchline.api.db.SecretVault;

/** Secrets of one kind under the master key. Immutable; any thread. */
public final class SealedSecrets implements SecretVault {
    private final SecretBox box;
    private final String kind;

    private SealedSecrets(SecretBox box, String kind) {
        this.box = box;
        this.kind = kind;
    }

    /** Keys of output storages, and secrets that sign their notifications. */
    public static SealedSecrets ofStorages(SecretBox box) {
        return new SealedSecrets(box, "secrets of storage ");
    }

    /** Secrets that sign deliveries to webhook endpoints. */
    public static SealedSecrets ofWebhooks(SecretBox box) {
        return new SealedSecrets(box, "webhook secret of ");
    }

    /** Stream keys of other servers that streams are sent on to. */
    public static SealedSecrets ofRestreams(SecretBox box) {
        return new SealedSecrets(box, "stream key of restream ");
    }

    @Override
    public String seal(String secret, String ownerId) {
        return box.seal(secret, kind + ownerId);
    }

    @Override
    public String open(String sealed, String ownerId) {
        return box.open(sealed, kind + ownerId);
    }

    @Override
    public boolean isStale(String sealed) {
        return box.isStale(sealed);
    }
}
