package touchline.api.access;

import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import touchline.api.db.TokenRepository;
import touchline.api.domain.AccessToken;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
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
    private final LastUses uses;

    /**
     * @param adminSecret from {@link AdminSecret}
     */
    public AccessTokens(TokenRepository tokens, String adminSecret, InstantSource clock) {
        this.tokens = tokens;
        this.clock = clock;
        this.uses = new LastUses(tokens::used, clock);
        this.admin =
                new AccessToken(
                        ADMIN_ID,
                        ADMIN_ID,
                        EnumSet.allOf(Scope.class),
                        Optional.empty(),
                        Digests.sha256(adminSecret),
                        clock.instant(),
                        Optional.empty());
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
                        clock.instant(),
                        Optional.empty());
        tokens.create(token);
        return new Minted(token, credential);
    }

    /** The token that the credential is for; empty when it is unknown, wrong or expired. */
    public Optional<AccessToken> authenticate(Credential credential) {
        Optional<AccessToken> found =
                credential.id().equals(ADMIN_ID)
                        ? Optional.of(admin)
                        : tokens.find(credential.id());
        // An unknown id is compared as well, so that it takes as long as a wrong secret.
        boolean secretGood = credential.matches(found.orElse(admin).secretHash());
        Optional<AccessToken> accepted =
                found.filter(token -> secretGood && !token.expired(clock.instant()));
        accepted.map(AccessToken::id).filter(id -> !id.equals(ADMIN_ID)).ifPresent(uses::note);
        return accepted;
    }

    /** Whether a token that was accepted earlier still is: neither revoked nor expired. */
    public boolean isValid(AccessToken token) {
        return !token.expired(clock.instant())
                && (token.id().equals(ADMIN_ID) || tokens.find(token.id()).isPresent());
    }

    /** Newest first, stable; expired ones too, and without the bootstrap token. */
    public Page<AccessToken> list(PageRequest request) {
        return tokens.list(request)
                .map(token -> token.usedAt(uses.of(token.id(), token.lastUsedAt())));
    }

    /** Returns false where there is no such token. */
    public boolean revoke(String id) {
        return tokens.delete(id);
    }

    /**
     * Deletes tokens that expired before this time.
     *
     * @param limit how many at most
     */
    public void deleteExpired(Instant before, int limit) {
        tokens.deleteExpired(before, limit);
    }

    /** Stores when tokens were last used. */
    public void writeUses() {
        uses.write();
    }
}
