package touchline.api.access;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * What a token says that is signed by a key of this server. Whether it is good for a request is
 * asked anew each time: time passes, and viewers differ. Immutable, any thread.
 *
 * @param signingKeyId the key that signed it
 * @param playbackId its sub
 * @param expiresAt its exp, cut to seconds
 * @param notBefore its nbf
 */
record PlaybackToken(
        String signingKeyId,
        String playbackId,
        Instant expiresAt,
        Optional<Instant> notBefore,
        ViewerRules viewers) {
    /** How far clocks may differ. */
    static final Duration SKEW = Duration.ofSeconds(60);

    PlaybackToken {
        expiresAt = expiresAt.truncatedTo(ChronoUnit.SECONDS);
    }

    static boolean isOver(Instant expiresAt, Instant now) {
        return !now.isBefore(expiresAt.plus(SKEW));
    }

    /** Empty where it opens this playback id now, its viewers apart. */
    Optional<Refusal> refuse(String asked, Instant now) {
        if (!playbackId.equals(asked)) {
            return Optional.of(Refusal.SUBJECT);
        }
        if (isOver(expiresAt, now)) {
            return Optional.of(Refusal.EXPIRED);
        }
        return notBefore.filter(at -> now.isBefore(at.minus(SKEW))).map(_ -> Refusal.TOO_EARLY);
    }
}
