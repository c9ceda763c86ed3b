package touchline.api.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import touchline.api.db.TokenRepository;
import touchline.api.domain.AccessToken;
import touchline.api.domain.RandomText;
import touchline.api.domain.Scope;

/**
 * Makes and checks access tokens. Only SHA-256 of a secret is stored. No slow password hash: a
 * secret has 256 random bits, so trying is hopeless at any speed, while a slow hash would let
 * everybody burn this server's CPU with bad credentials. Calls block on the database; any thread.
 */
public final class AccessTokens {
    /** The bootstrap token: every scope, never expires, not in the database. */
    public static final String ADMIN_ID = "admin";

    private static final int ID_BITS = 96;
    private static final int SECRET_BITS = 256;

    /** A new token with its secret, which is shown once and not stored. */
    public record Minted(AccessToken token, Credential credential) {}

    private final TokenRepository tokens;
    private final InstantSource clock;
    private final AccessToken admin;

    /**
     * @param adminSecret from {@link AdminSecret}
     */
    public AccessTokens(TokenRepository tokens, String adminSecret, InstantSource clock) {
        this.tokens = tokens;
        this.clock = clock;
        this.admin =
                new AccessToken(
                        ADMIN_ID,
                        ADMIN_ID,
                        EnumSet.allOf(Scope.class),
                        Optional.empty(),
                        Digests.sha256(adminSecret),
                        clock.instant());
    }

    /** Makes and stores a token. */
    public Minted mint(String name, Set<Scope> scopes, Optional<Instant> expiresAt) {
        Credential credential =
                new Credential("tok_" + RandomText.ofBits(ID_BITS), RandomText.ofBits(SECRET_BITS));
        AccessToken token =
                new AccessToken(
                        credential.id(),
                        name,
                        scopes,
                        expiresAt,
                        Digests.sha256(credential.secret()),
                        clock.instant());
        tokens.create(token);
        return new Minted(token, credential);
    }

    /** The token that the credential is for; empty when it is unknown, wrong or expired. */
    public Optional<AccessToken> authenticate(Credential credential) {
        Optional<AccessToken> found =
                credential.id().equals(ADMIN_ID)
                        ? Optional.of(admin)
                        : tokens.find(credential.id());
        byte[] presented = bytes(Digests.sha256(credential.secret()));
        // An unknown id is compared as well, so that it takes as long as a wrong secret.
        boolean secretGood =
                MessageDigest.isEqual(presented, bytes(found.orElse(admin).secretHash()));
        return found.filter(token -> secretGood && !token.expired(clock.instant()));
    }

    /** Whether a token that was accepted earlier still is: neither revoked nor expired. */
    public boolean isValid(AccessToken token) {
        return !token.expired(clock.instant())
                && (token.id().equals(ADMIN_ID) || tokens.find(token.id()).isPresent());
    }

    private static byte[] bytes(String hex) {
        return hex.getBytes(StandardCharsets.US_ASCII);
    }
}
