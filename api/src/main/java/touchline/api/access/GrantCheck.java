package touchline.api.access;

/** The result of a check of a grant. */
sealed interface GrantCheck {
    /** Made by this server for this playback id, and not expired. Its key may be deleted. */
    record Good(Grant grant) implements GrantCheck {}

    /** Not good. */
    record Refused(Reason reason) implements GrantCheck {}

    /** Which check failed. */
    enum Reason {
        /** Not the text of a grant. */
        MALFORMED,
        /** Altered, made by another server, or for another playback id. */
        FORGED,
        EXPIRED
    }
}
