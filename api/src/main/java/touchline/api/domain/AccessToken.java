package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A credential of the control API, without its secret. Immutable.
 *
 * @param id public part of the credential, no dot and no colon
 * @param scopes in the order of {@link Scope}
 * @param expiresAt empty: never
 * @param secretHash SHA-256 of the secret, lower-case hex
 * @param createdAt cut to milliseconds
 * @param lastUsedAt cut to milliseconds; empty: not used
 */
public record AccessToken(
        String id,
        String name,
        Set<Scope> scopes,
        Optional<Instant> expiresAt,
        String secretHash,
        Instant createdAt,
        Optional<Instant> lastUsedAt) {
    public AccessToken {
        if (id.isBlank() || id.indexOf('.') >= 0 || id.indexOf(':') >= 0) {
            throw new IllegalArgumentException("token id: blank, or with a dot or colon");
        }
        EnumSet<Scope> ordered = EnumSet.noneOf(Scope.class);
        ordered.addAll(scopes);
        scopes = Collections.unmodifiableSet(ordered);
        expiresAt = expiresAt.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
        lastUsedAt = lastUsedAt.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
    }

    public boolean allows(Scope scope) {
        return scopes.contains(scope);
    }

    public boolean expired(Instant now) {
        return expiresAt.isPresent() && !now.isBefore(expiresAt.get());
    }

    public AccessToken usedAt(Optional<Instant> time) {
        return new AccessToken(id, name, scopes, expiresAt, secretHash, createdAt, time);
    }

    @Override
    public String toString() {
        return "AccessToken[id="
                + id
                + ", name="
                + name
                + ", scopes="
                + scopes
                + ", expiresAt="
                + expiresAt
                + ", secretHash=masked]";
    }
}
