package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.IdempotencyRepository.Claim;
import touchline.api.domain.PageRequest;
import touchline.api.domain.StreamDefinition;

/** Contract of {@link IdempotencyRepository} on any database. */
abstract class IdempotencyRepositoryContract {
    private static final Instant NOW = Samples.NOW;
    private static final Instant ABANDONED = NOW.plus(IdempotencyRepository.ABANDONED);
    private static final Instant EXPIRED = NOW.plus(IdempotencyRepository.KEPT);

    private IdempotencyRepository requests;
    private StreamRepository streams;

    abstract Database database();

    @BeforeEach
    void empty() {
        database().with(handle -> handle.execute("DELETE FROM idempotent_requests"));
        database().with(handle -> handle.execute("DELETE FROM live_streams"));
        requests = new IdempotencyRepository(database());
        streams = new StreamRepository(database(), Samples.vault());
    }

    private Claim.Mine mine(String request, Instant now) {
        return assertInstanceOf(Claim.Mine.class, requests.claim(request, "body", now));
    }

    @Test
    void claim_secondCall_seesRunningThenTheReply() {
        Claim.Mine mine = mine("request", NOW);

        assertEquals(new Claim.Running(), requests.claim("request", "body", NOW.plusSeconds(1)));
        requests.complete(mine, 200, "{\"code\":0}");

        assertEquals(
                new Claim.Done(200, "{\"code\":0}"),
                requests.claim("request", "body", EXPIRED.minusMillis(1)));
    }

    @Test
    void claim_otherBody_isReported() {
        Claim.Mine mine = mine("request", NOW);

        assertEquals(new Claim.OtherBody(), requests.claim("request", "other", NOW));
        requests.complete(mine, 200, "{}");

        assertEquals(new Claim.OtherBody(), requests.claim("request", "other", NOW));
    }

    @Test
    void claim_otherRequest_isIndependent() {
        mine("request", NOW);
        mine("another", NOW);
    }

    @Test
    void release_afterAFailure_nextCallIsFirst() {
        requests.release(mine("request", NOW));

        mine("request", NOW);
    }

    @Test
    void release_afterTheReply_keepsTheReply() {
        Claim.Mine mine = mine("request", NOW);
        requests.complete(mine, 200, "{}");

        requests.release(mine);

        assertEquals(new Claim.Done(200, "{}"), requests.claim("request", "body", NOW));
    }

    @Test
    void claim_manyAtOnce_oneIsFirst() throws Exception {
        List<Callable<Claim>> calls = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            calls.add(() -> requests.claim("request", "body", NOW));
        }

        List<Claim> claims = Together.run(calls);

        assertEquals(1, claims.stream().filter(Claim.Mine.class::isInstance).count());
        assertEquals(29, claims.stream().filter(Claim.Running.class::isInstance).count());
    }

    @Test
    void wholeCall_manyAtOnce_createsOneStream() throws Exception {
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            calls.add(this::createOnce);
        }

        List<Boolean> created = Together.run(calls);

        assertEquals(1, created.stream().filter(Boolean::booleanValue).count());
        assertEquals(1, streams.list(new StreamFilter.All(), PageRequest.FIRST).total());
        assertInstanceOf(Claim.Done.class, requests.claim("request", "body", NOW));
    }

    private boolean createOnce() {
        if (!(requests.claim("request", "body", NOW) instanceof Claim.Mine mine)) {
            return false;
        }
        database()
                .transact(
                        () -> {
                            StreamDefinition stream = Samples.stream();
                            streams.create(stream);
                            requests.complete(mine, 200, stream.id().value());
                        });
        return true;
    }

    @Test
    void claim_firstCallAbandoned_isTakenOverByOne() throws Exception {
        mine("request", NOW);
        assertEquals(
                new Claim.Running(), requests.claim("request", "body", ABANDONED.minusMillis(1)));
        List<Callable<Claim>> calls = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            calls.add(() -> requests.claim("request", "body", ABANDONED));
        }

        List<Claim> claims = Together.run(calls);

        assertEquals(1, claims.stream().filter(Claim.Mine.class::isInstance).count());
    }

    @Test
    void complete_claimWasTakenOver_takesTheCreationBack() {
        Claim.Mine slow = mine("request", NOW);
        Claim.Mine fast = mine("request", ABANDONED);
        StreamDefinition stream = Samples.stream();

        assertThrows(
                ClaimLostException.class,
                () ->
                        database()
                                .transact(
                                        () -> {
                                            streams.create(stream);
                                            requests.complete(slow, 200, "slow");
                                        }));
        requests.complete(fast, 200, "fast");
        requests.release(slow);

        assertEquals(Optional.empty(), streams.find(stream.id()));
        assertEquals(new Claim.Done(200, "fast"), requests.claim("request", "body", ABANDONED));
    }

    @Test
    void claim_replyExpired_startsAnew() {
        requests.complete(mine("request", NOW), 200, "{}");

        Claim.Mine again =
                assertInstanceOf(
                        Claim.Mine.class, requests.claim("request", "other body", EXPIRED));

        requests.complete(again, 201, "[]");
        assertEquals(new Claim.Done(201, "[]"), requests.claim("request", "other body", EXPIRED));
    }

    @Test
    void claim_insideATransaction_isRefused() {
        assertThrows(
                IllegalStateException.class,
                () -> database().transaction(() -> requests.claim("request", "body", NOW)));
    }

    @Test
    void deleteExpired_moreThanTheLimit_isBounded() {
        for (int i = 0; i < 5; i++) {
            mine("request" + i, NOW);
        }
        mine("young", NOW.plusSeconds(5));

        assertEquals(3, requests.deleteExpired(EXPIRED.plusMillis(1), 3));
        assertEquals(2, requests.deleteExpired(EXPIRED.plusMillis(1), 3));
        assertEquals(0, requests.deleteExpired(EXPIRED.plusMillis(1), 3));
        assertTrue(requests.claim("young", "body", NOW.plusSeconds(5)) instanceof Claim.Running);
    }
}
