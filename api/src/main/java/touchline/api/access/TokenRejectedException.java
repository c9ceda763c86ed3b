package touchline.api.access;

/** A token or grant that failed a check. Carries no stack trace: it is an answer, not a fault. */
final class TokenRejectedException extends Exception {
    private static final long serialVersionUID = 1;

    private final Refusal reason;

    TokenRejectedException(Refusal reason) {
        super(reason.message(), null, false, false);
        this.reason = reason;
    }

    Refusal reason() {
        return reason;
    }
}
