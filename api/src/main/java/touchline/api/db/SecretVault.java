package touchline.api.db;

/** Port: how secrets of one kind lie in the database, each with its owner. Any thread. */
public interface SecretVault {
    /** The secret encrypted, bound to its owner: it opens for no other. */
    String seal(String secret, String ownerId);

    /**
     * The secret that was sealed.
     *
     * @throws RuntimeException when the master key is not there, or the text was altered or is
     *     another owner's
     */
    String open(String sealed, String ownerId);

    /** Whether it lies under an older master key than the current one. */
    boolean isStale(String sealed);
}
