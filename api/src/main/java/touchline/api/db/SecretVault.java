package touchline.api.db;

/** Port: encrypts secrets of one kind for the database, each bound to its owner. Any thread. */
public interface SecretVault {
    /** Encrypts a secret and binds it to its owner. */
    String seal(String secret, String ownerId);

    /**
     * Decrypts a secret.
     *
     * @throws RuntimeException where the master key is missing, the text was altered, or it belongs
     *     to another owner
     */
    String open(String sealed, String ownerId);

    /** Whether it is sealed with an older master key. */
    boolean isStale(String sealed);
}
