package touchline.api.app;

/** A command has failed. The message is for the operator and is the whole output. */
final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandException(String message) {
        super(message);
    }

    CommandException(String message, Throwable cause) {
        super(message, cause);
    }
}
