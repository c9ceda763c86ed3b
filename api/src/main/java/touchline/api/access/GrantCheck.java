package touchline.api.access;

/** What a grant in an address turned out to be. */
sealed interface GrantCheck {
    /** Made by this server for this playback id, and not expired. Its key may be deleted since. */
    record Good(Grant grant) implements GrantCheck {}

    /** Not good. */
    record Refused(Reason reason) implements GrantCheck {}

    /** Which check failed. */
    enum Reason {
        /** Not the text of a grant. */
        MALFORMED,
        /** Altered, made elsewhere, or for another playback id. */
        FORGED,
        EXPIRED
    }
}
