package touchline.api.access;

import java.util.OptionalInt;
import touchline.packager.delivery.PlaybackDecision;

/** Which check of a token or grant failed, in words for the viewer that help no forger. */
public enum Refusal {
    TOKEN_MISSING("this playback id needs a token"),
    TOKEN_TOO_LONG("token: longer than 4096 bytes"),
    TOKEN_MALFORMED("token: malformed (expected: a JWT without duplicate members)"),
    ALGORITHM("token: alg (expected: RS256)"),
    EXTENSION("token: crit or b64 in its header, which this server does not understand"),
    KEY_ID("token: kid missing, or not the same text in header and claims"),
    /** An unknown key, a deleted one, or a signature that is not its. */
    SIGNATURE("the token is not signed by a key of this server"),
    AUDIENCE("token: aud (expected: v)"),
    SUBJECT("token: sub is not this playback id"),
    EXPIRY("token: exp missing, or not a number"),
    EXPIRED("the token has expired"),
    NOT_BEFORE("token: nbf is not a number"),
    TOO_EARLY("the token is not valid yet"),
    ADDRESS_RULES("token: ip (expected: 1 to 16 address blocks, e.g. 192.0.2.0/24)"),
    ADDRESS("the token is for other addresses"),
    REFERRER_RULES("token: ref (expected: 1 to 16 host names, e.g. *.example.com)"),
    REFERRER("the token is for other referring sites"),
    /** Altered, cut, made by another server, or for another playback id: one answer for all. */
    GRANT("the grant was not made by this server for this playback id"),
    GRANT_EXPIRED("the grant has expired"),
    KEY_DELETED("the signing key behind the grant was deleted"),
    /** Nothing is wrong with the token, so far as is known. */
    OVERLOADED("too many new tokens at once");

    private final String message;

    Refusal(String message) {
        this.message = message;
    }

    public String message() {
        return message;
    }

    /** What the viewer gets. */
    public PlaybackDecision.Refused decision() {
        return this == OVERLOADED
                ? new PlaybackDecision.Refused(503, 50301, message, OptionalInt.of(1))
                : new PlaybackDecision.Refused(403, 40302, message, OptionalInt.empty());
    }
}
