package touchline.api.db;

/** Port: how the secrets of webhook endpoints lie in the database. Any thread. */
public interface WebhookSecretVault {
    /** The secret as text that may lie in the database, bound to its endpoint. */
    String seal(String secret, String endpoint);

    /**
     * @throws RuntimeException when it cannot be opened, or is another endpoint's
     */
    String open(String sealed, String endpoint);

    /** Whether it lies under an old master key and should be sealed anew. */
    boolean isStale(String sealed);
}
