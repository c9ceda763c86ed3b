package touchline.api.db;

/** A write of a session whose stream another node has taken: it is rolled back, for good. */
public final class FencedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FencedException(String message) {
        super(message);
    }
}
