package touchline.api.db;

/** Port: how the secrets of a storage lie in the database. Any thread. */
public interface StorageVault {
    /** The secrets encrypted, bound to their storage: they open nowhere else. */
    String seal(String secrets, String storageId);

    /**
     * The secrets that were sealed.
     *
     * @throws RuntimeException when the master key is not there, or the text was altered
     */
    String open(String sealed, String storageId);

    /** Whether it was sealed under an older master key than the current one. */
    boolean isStale(String sealed);
}
