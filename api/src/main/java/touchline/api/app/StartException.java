package touchline.api.app;

/** A server cannot start because of its surroundings. The message is for the operator. */
final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartException(String message) {
        super(message);
    }

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
