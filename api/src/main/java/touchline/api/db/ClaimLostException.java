package touchline.api.db;

/** Another call with the same idempotency key has taken over: nothing of this one may stay. */
public final class ClaimLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClaimLostException() {
        super("idempotency claim: taken over by another call");
    }
}
