package touchline.packager.hls;

/**
 * Media of another server that cannot be fetched now; a later request may succeed. Carries no stack
 * trace: it is an answer, one for each waiting viewer.
 */
public final class MediaUnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MediaUnreachableException(String message) {
        super(message, null, false, false);
    }
}
