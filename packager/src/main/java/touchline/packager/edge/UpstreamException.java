package touchline.packager.edge;

/** Another node has given no usable answer. Without a stack trace: it is tried again. */
final class UpstreamException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UpstreamException(String message) {
        super(message, null, false, false);
    }
}
