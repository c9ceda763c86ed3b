package touchline.media.tls;

/** A certificate or its key cannot be used. The message is for the operator. */
public final class UnusableCertificateException extends Exception {
    private static final long serialVersionUID = 1L;

    public UnusableCertificateException(String message) {
        super(message);
    }

    public UnusableCertificateException(String message, Throwable cause) {
        super(message, cause);
    }
}
