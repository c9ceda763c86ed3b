package touchline.api.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.api.access.ViewerAccess.Verdict;
import touchline.packager.delivery.PlaybackRequest;

final class ViewerAccessTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final long NOW = START.getEpochSecond();
    private static final String ID = "Playback1";
    private static final TokenForge FORGE = TokenForge.create("key_0123456789abcdef");
    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress ELSEWHERE = InetAddress.ofLiteral("198.51.100.9");

    private Instant now = START;
    private final LastUses uses = new LastUses(_ -> {}, () -> now);
    private final VerifyingKeys keys = new VerifyingKeys(uses);
    private final Grants grants = new Grants(Keys.of(1), () -> now);
    private final ViewerAccess access = new ViewerAccess(keys, grants, () -> now, 1);

    @BeforeEach
    void key() {
        keys.put(FORGE.stored());
    }

    static Stream<TokenTable.Row> tokens() {
        return TokenTable.of(FORGE, ID, NOW).stream();
    }

    private static PlaybackRequest request(
            String id, Optional<String> token, Optional<String> grant, InetAddress from) {
        return new PlaybackRequest(
                id, PlaybackRequest.Resource.MEDIA, token, grant, from, Optional.empty());
    }

    private Verdict check(PlaybackRequest request) {
        return access.check(request).toCompletableFuture().join();
    }

    private Verdict withToken(String id, String token) {
        return check(request(id, Optional.of(token), Optional.empty(), HERE));
    }

    private Verdict withGrant(String id, String grant) {
        return check(request(id, Optional.empty(), Optional.of(grant), HERE));
    }

    private static Verdict refused(Refusal why) {
        return new Verdict.Refused(why);
    }

    private String grantFor(String token) {
        Verdict verdict = withToken(ID, token);
        return assertInstanceOf(Verdict.Allowed.class, verdict).grant().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("tokens")
    void token_ofTheTable_isTakenOrRefusedForItsReason(TokenTable.Row row) {
        Verdict verdict = withToken(ID, row.token());

        if (row.isGood()) {
            String grant = assertInstanceOf(Verdict.Allowed.class, verdict).grant().orElseThrow();
            assertInstanceOf(Verdict.Allowed.class, withGrant(ID, grant));
        } else {
            assertEquals(refused(row.why().getFirst()), verdict);
        }
        assertEquals(verdict, withToken(ID, row.token()), "seen before");
    }

    @Test
    void table_isLargeAndNamesEveryReasonOfATokenOnce() {
        List<TokenTable.Row> rows = tokens().toList();
        Set<Refusal> reasons = new HashSet<>();
        rows.forEach(row -> reasons.addAll(row.why()));

        assertTrue(rows.stream().filter(row -> !row.isGood()).count() >= 60);
        Set<Refusal> others = new HashSet<>(List.of(Refusal.values()));
        others.removeAll(reasons);
        assertEquals(
                Set.of(
                        Refusal.TOKEN_MISSING,
                        Refusal.GRANT,
                        Refusal.GRANT_EXPIRED,
                        Refusal.KEY_DELETED,
                        Refusal.OVERLOADED),
                others);
    }

    @Test
    void nothing_isRefused() {
        assertEquals(
                refused(Refusal.TOKEN_MISSING),
                check(request(ID, Optional.empty(), Optional.empty(), HERE)));
    }

    @Test
    void grant_besideAToken_decidesAlone() {
        String token = FORGE.good(ID, NOW + 60);
        PlaybackRequest both = request(ID, Optional.of(token), Optional.of("forged"), HERE);

        assertEquals(refused(Refusal.GRANT), check(both));
    }

    @Test
    void key_ofAnAcceptedToken_isNotedAsUsed() {
        String token = FORGE.good(ID, NOW + 60);
        withToken("Playback2", token);
        assertEquals(Optional.empty(), uses.of(FORGE.keyId(), Optional.empty()));

        String grant = grantFor(token);

        assertEquals(Optional.of(START), uses.of(FORGE.keyId(), Optional.empty()));
        now = START.plusSeconds(10);
        withGrant(ID, grant);
        assertEquals(Optional.of(START), uses.of(FORGE.keyId(), Optional.empty()));
        withToken(ID, token);
        assertEquals(Optional.of(now), uses.of(FORGE.keyId(), Optional.empty()));
    }

    @Test
    void keyDeleted_tokenAndGrantSeenBefore_areRefusedAtOnce() {
        String token = FORGE.good(ID, NOW + 60);
        String grant = grantFor(token);
        withGrant(ID, grant);

        keys.remove(FORGE.keyId());

        assertEquals(refused(Refusal.SIGNATURE), withToken(ID, token));
        assertEquals(refused(Refusal.KEY_DELETED), withGrant(ID, grant));
        keys.put(FORGE.stored());
        assertInstanceOf(Verdict.Allowed.class, withGrant(ID, grant));
    }

    @Test
    void expiry_ofWhatWasSeenBefore_isHonoured() {
        String token = FORGE.good(ID, NOW + 60);
        String grant = grantFor(token);
        withGrant(ID, grant);

        now = START.plusSeconds(119);
        assertInstanceOf(Verdict.Allowed.class, withToken(ID, token));
        assertInstanceOf(Verdict.Allowed.class, withGrant(ID, grant));
        now = START.plusSeconds(120);
        assertEquals(refused(Refusal.EXPIRED), withToken(ID, token));
        assertEquals(refused(Refusal.GRANT_EXPIRED), withGrant(ID, grant));
        assertEquals(
                refused(Refusal.GRANT_EXPIRED),
                new ViewerAccess(keys, grants, () -> now, 1)
                        .check(request(ID, Optional.empty(), Optional.of(grant), HERE))
                        .toCompletableFuture()
                        .join());
    }

    @Test
    void otherPlaybackId_withTokenOrGrantSeenBefore_isRefused() {
        String token = FORGE.good(ID, NOW + 60);
        String grant = grantFor(token);

        for (String id : List.of("Playback2", "playback1", "PLAYBACK1", "")) {
            assertEquals(refused(Refusal.SUBJECT), withToken(id, token));
            assertEquals(refused(Refusal.GRANT), withGrant(id, grant));
        }
    }

    @Test
    void addressRule_holdsForTheGrantToo() {
        String token = FORGE.good(ID, NOW + 60, "\"ip\":[\"127.0.0.0/8\",\"2001:db8::/32\"]");
        Optional<String> grant = Optional.of(grantFor(token));

        for (InetAddress viewer : List.of(HERE, InetAddress.ofLiteral("2001:db8::7"))) {
            assertInstanceOf(
                    Verdict.Allowed.class, check(request(ID, Optional.empty(), grant, viewer)));
        }
        assertEquals(
                refused(Refusal.ADDRESS), check(request(ID, Optional.empty(), grant, ELSEWHERE)));
        assertEquals(
                refused(Refusal.ADDRESS),
                check(request(ID, Optional.of(token), Optional.empty(), ELSEWHERE)));
    }

    @Test
    void referrerRule_holdsForTheGrantToo() {
        String token = FORGE.good(ID, NOW + 60, "\"ref\":[\"A.example\",\"*.b.example\"]");
        Verdict verdict = check(from(Optional.of(token), Optional.empty(), "https://a.example/x"));
        Optional<String> grant = assertInstanceOf(Verdict.Allowed.class, verdict).grant();

        for (String good :
                List.of("https://a.example", "http://A.EXAMPLE:81/", "https://c.b.example/p?q")) {
            assertInstanceOf(
                    Verdict.Allowed.class, check(from(Optional.empty(), grant, good)), good);
        }
        for (String bad :
                List.of(
                        "https://b.example/",
                        "https://xa.example/",
                        "https://a.example.evil/",
                        "https://a.example@evil.example/",
                        "ftp://a.example/",
                        "a.example",
                        "https://",
                        "%%",
                        "")) {
            assertEquals(refused(Refusal.REFERRER), check(from(Optional.empty(), grant, bad)), bad);
        }
        assertEquals(
                refused(Refusal.REFERRER),
                check(request(ID, Optional.empty(), grant, HERE)),
                "none");
    }

    private static PlaybackRequest from(
            Optional<String> token, Optional<String> grant, String referrer) {
        return new PlaybackRequest(
                ID, PlaybackRequest.Resource.MEDIA, token, grant, HERE, Optional.of(referrer));
    }

    @Test
    void tokenSeenBefore_isAnsweredWithoutAnotherThread() {
        String token = FORGE.good(ID, NOW + 60);
        withToken(ID, token);

        assertTrue(
                access.check(request(ID, Optional.of(token), Optional.empty(), HERE))
                        .toCompletableFuture()
                        .isDone());
    }

    @Test
    void manyViewers_withOneNewToken_allGetTheSameGrant() {
        String token = FORGE.good(ID, NOW + 60);
        List<CompletableFuture<Verdict>> verdicts =
                Stream.generate(() -> request(ID, Optional.of(token), Optional.empty(), HERE))
                        .limit(5_000)
                        .map(request -> access.check(request).toCompletableFuture())
                        .toList();

        Set<Verdict> different = new HashSet<>();
        verdicts.forEach(verdict -> different.add(verdict.join()));
        assertEquals(1, different.size());
        assertInstanceOf(Verdict.Allowed.class, different.iterator().next());
    }

    @Test
    void newToken_whileAllPlacesAreTaken_getsRetryAfter() {
        CountDownLatch reading = new CountDownLatch(1);
        ViewerAccess busy =
                new ViewerAccess(
                        keys,
                        grants,
                        () -> {
                            awaitUninterruptibly(reading);
                            return START;
                        },
                        /* maxReading= */ 2);
        List<PlaybackRequest> requests =
                Stream.of(60, 61, 62)
                        .map(seconds -> FORGE.good(ID, NOW + seconds))
                        .map(token -> request(ID, Optional.of(token), Optional.empty(), HERE))
                        .toList();
        CompletionStage<Verdict> first = busy.check(requests.get(0));
        CompletionStage<Verdict> second = busy.check(requests.get(1));

        assertEquals(
                refused(Refusal.OVERLOADED),
                busy.check(requests.get(2)).toCompletableFuture().join());
        reading.countDown();

        for (CompletionStage<Verdict> held : List.of(first, second)) {
            assertInstanceOf(Verdict.Allowed.class, held.toCompletableFuture().join());
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void texts_ofRequestAndVerdict_hideTokenAndGrant() {
        String token = FORGE.good(ID, NOW + 60);
        String grant = grantFor(token);

        assertFalse(
                request(ID, Optional.of(token), Optional.of(grant), HERE)
                        .toString()
                        .contains(token));
        assertFalse(
                request(ID, Optional.of(token), Optional.of(grant), HERE)
                        .toString()
                        .contains(grant));
        assertFalse(withToken(ID, token).toString().contains(grant));
    }
}
