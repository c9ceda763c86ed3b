package touchline.packager.conformance;

/** A playlist that is not one. The message names the line. */
final class PlaylistSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PlaylistSyntaxException(String message) {
        super(message);
    }
}
