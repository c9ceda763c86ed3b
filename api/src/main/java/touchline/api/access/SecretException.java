package touchline.api.access;

/** A secret cannot be read, kept or opened. The message names the place, never the secret. */
public final class SecretException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SecretException(String message) {
        super(message);
    }

    SecretException(String message, Throwable cause) {
        super(message, cause);
    }
}
