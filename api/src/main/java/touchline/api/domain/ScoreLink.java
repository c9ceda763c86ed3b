package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import touchline.media.StreamId;

/**
 * An address with which a phone runs the bundled scoreboard of one live stream, without its secret.
 * Immutable.
 *
 * @param id public part of the credential
 * @param secretHash SHA-256 of the secret, lower-case hex
 * @param expiresAt cut to milliseconds
 * @param createdAt cut to milliseconds
 * @param lastUsedAt exact to {@link #USE_PRECISION_MS}; empty: not used
 */
public record ScoreLink(
        String id,
        StreamId stream,
        String name,
        String secretHash,
        Instant expiresAt,
        Instant createdAt,
        Optional<Instant> lastUsedAt) {
    /** Begins every id, and no id of an access token. */
    public static final String PREFIX = "scl_";

    /** Links of a live stream, at most. */
    public static final int MAX_PER_STREAM = 50;

    /** Uses within this time are one. */
    public static final long USE_PRECISION_MS = 10_000;

    public ScoreLink {
        expiresAt = expiresAt.truncatedTo(ChronoUnit.MILLIS);
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
        lastUsedAt = lastUsedAt.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
    }

    public boolean expired(Instant now) {
        return !now.isBefore(expiresAt);
    }

    @Override
    public String toString() {
        return "ScoreLink[id=" + id + ", stream=" + stream + ", secretHash=masked]";
    }
}
