package touchline.api.db;

/** Another call with the same idempotency key has the claim: this one must roll back. */
public final class ClaimLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClaimLostException() {
        super("idempotency claim: taken over by another call");
    }
}
