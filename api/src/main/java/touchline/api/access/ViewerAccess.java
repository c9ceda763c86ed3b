package touchline.api.access;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import touchline.packager.delivery.PlaybackRequest;

/**
 * Whether a viewer may see what lies under a signed playback id: by the grant in the path where
 * there is one, else by the token. Called on event loops, which do no RSA: a token is read on a
 * virtual thread the first time and remembered by its hash. What is remembered is only what the
 * token says; time, key, playback id and viewer are checked at every request. Any thread.
 */
public final class ViewerAccess {
    /** The decision about a request. */
    public sealed interface Verdict {
        /**
         * @param grant what child URIs are put below; present where a token was shown
         */
        record Allowed(Optional<String> grant) implements Verdict {
            @Override
            public String toString() {
                return "Allowed[grant=masked]";
            }
        }

        record Refused(Refusal reason) implements Verdict {}
    }

    /** A token that was verified, and the grant for it. */
    private record Seen(PlaybackToken token, String grant) {}

    private record GrantKey(String playbackId, String text) {}

    private static final int TOKENS_KEPT = 8_192;
    private static final int GRANTS_KEPT = 16_384;

    /** Grants with rules for viewers can be long: those are verified every time. */
    private static final int MAX_KEPT_CHARACTERS = 256;

    /** Tokens that are being read: each is a thread and up to 4 KiB. */
    private static final int MAX_READING = 2_048;

    private static final Verdict UNRESTRICTED = new Verdict.Allowed(Optional.empty());

    private final VerifyingKeys keys;
    private final TokenReader reader;
    private final Grants grants;
    private final InstantSource clock;
    private final RecentMap<String, Seen> tokens = new RecentMap<>(TOKENS_KEPT);

    /** Good ones only, which this server has made: a forged text always meets the code's check. */
    private final RecentMap<GrantKey, Grant> goodGrants = new RecentMap<>(GRANTS_KEPT);

    /** Requests with the same new token wait for one check of it. */
    private final ConcurrentHashMap<String, CompletableFuture<TokenCheck>> reading =
            new ConcurrentHashMap<>();

    private final Semaphore places;

    private sealed interface TokenCheck {
        record Good(Seen seen) implements TokenCheck {}

        record Bad(Refusal reason) implements TokenCheck {}
    }

    public ViewerAccess(SigningKeys keys, Grants grants, InstantSource clock) {
        this(keys.verifying(), grants, clock, MAX_READING);
    }

    /**
     * @param maxReading tokens that are read at one moment
     */
    ViewerAccess(VerifyingKeys keys, Grants grants, InstantSource clock, int maxReading) {
        this.places = new Semaphore(maxReading);
        this.keys = keys;
        this.reader = new TokenReader(keys);
        this.grants = grants;
        this.clock = clock;
    }

    /** Completes at once for grants and for tokens that were seen lately. */
    public CompletionStage<Verdict> check(PlaybackRequest request) {
        if (request.grant().isPresent()) {
            return CompletableFuture.completedFuture(byGrant(request, request.grant().get()));
        }
        if (request.token().isEmpty()) {
            return refused(Refusal.TOKEN_MISSING);
        }
        String text = request.token().get();
        if (text.length() > TokenReader.MAX_BYTES) {
            return refused(Refusal.TOKEN_TOO_LONG);
        }
        String hash = Digests.sha256(text);
        Seen seen = tokens.get(hash);
        return seen == null
                ? read(text, hash).thenApply(check -> byToken(request, check))
                : CompletableFuture.completedFuture(byToken(request, seen));
    }

    private static CompletionStage<Verdict> refused(Refusal reason) {
        return CompletableFuture.completedFuture(new Verdict.Refused(reason));
    }

    private Verdict byGrant(PlaybackRequest request, String text) {
        GrantKey key = new GrantKey(request.playbackId(), text);
        Grant grant = goodGrants.get(key);
        if (grant == null) {
            switch (grants.verify(text, request.playbackId())) {
                case GrantCheck.Good good -> grant = good.grant();
                case GrantCheck.Refused(var reason) -> {
                    return new Verdict.Refused(
                            reason == GrantCheck.Reason.EXPIRED
                                    ? Refusal.GRANT_EXPIRED
                                    : Refusal.GRANT);
                }
            }
            if (text.length() <= MAX_KEPT_CHARACTERS) {
                goodGrants.put(key, grant);
            }
        }
        if (PlaybackToken.isOver(grant.expiresAt(), clock.instant())) {
            return new Verdict.Refused(Refusal.GRANT_EXPIRED);
        }
        if (!keys.holds(grant.signingKeyId())) {
            return new Verdict.Refused(Refusal.KEY_DELETED);
        }
        return forViewer(grant.viewers(), request, UNRESTRICTED);
    }

    private Verdict byToken(PlaybackRequest request, TokenCheck check) {
        return switch (check) {
            case TokenCheck.Good good -> byToken(request, good.seen());
            case TokenCheck.Bad bad -> new Verdict.Refused(bad.reason());
        };
    }

    private Verdict byToken(PlaybackRequest request, Seen seen) {
        PlaybackToken token = seen.token();
        if (!keys.holds(token.signingKeyId())) {
            return new Verdict.Refused(Refusal.SIGNATURE);
        }
        Optional<Refusal> refusal = token.refuse(request.playbackId(), clock.instant());
        if (refusal.isPresent()) {
            return new Verdict.Refused(refusal.get());
        }
        Verdict verdict =
                forViewer(token.viewers(), request, new Verdict.Allowed(Optional.of(seen.grant())));
        if (verdict instanceof Verdict.Allowed) {
            keys.used(token.signingKeyId());
        }
        return verdict;
    }

    private static Verdict forViewer(
            ViewerRules rules, PlaybackRequest request, Verdict otherwise) {
        return rules.refuse(request.remote(), request.referrer())
                .<Verdict>map(Verdict.Refused::new)
                .orElse(otherwise);
    }

    private CompletionStage<TokenCheck> read(String text, String hash) {
        CompletableFuture<TokenCheck> mine = new CompletableFuture<>();
        CompletableFuture<TokenCheck> first = reading.putIfAbsent(hash, mine);
        if (first != null) {
            return first;
        }
        if (!places.tryAcquire()) {
            reading.remove(hash);
            mine.complete(new TokenCheck.Bad(Refusal.OVERLOADED));
            return mine;
        }
        Thread.ofVirtual().name("token-check").start(() -> read(text, hash, mine));
        return mine;
    }

    /** Frees the place before the result is reported. An error is a result too. */
    private void read(String text, String hash, CompletableFuture<TokenCheck> then) {
        try {
            TokenCheck check;
            try {
                check = checked(text, hash);
            } finally {
                // In this order: the same token asked for now waits for this check, or finds a
                // place.
                places.release();
                reading.remove(hash);
            }
            then.complete(check);
        } catch (RuntimeException | Error e) {
            then.completeExceptionally(e);
        }
    }

    private TokenCheck checked(String text, String hash) {
        try {
            PlaybackToken token = reader.read(text);
            Instant now = clock.instant();
            Seen seen = new Seen(token, grants.make(Grant.of(token, hash)));
            if (!PlaybackToken.isOver(token.expiresAt(), now)) {
                tokens.put(hash, seen);
            }
            return new TokenCheck.Good(seen);
        } catch (TokenRejectedException e) {
            return new TokenCheck.Bad(e.reason());
        }
    }
}
