package touchline.packager.delivery;

/** A request says that a node has signed it, and none has. */
final class NotANodeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotANodeException() {
        super("", null, false, false);
    }
}
