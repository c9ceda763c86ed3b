package touchline.moderation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static touchline.moderation.RiskLevel.PASS;
import static touchline.moderation.RiskLevel.REJECT;
import static touchline.moderation.RiskLevel.REVIEW;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import touchline.media.SessionId;
import touchline.media.hub.PublishBarrier.Verdict;
import touchline.testing.Await;
import touchline.testing.SettableClock;

final class SampleGateTest {
    private static final long SECOND = 1_000_000;

    private final SettableClock clock = new SettableClock();
    private final SampleGate gate = gate(Duration.ZERO);

    @Test
    void openGate_passesAtOnce() throws Exception {
        assertEquals(Verdict.PASS, gate.await(5 * SECOND, 5 * SECOND));
    }

    @Test
    void part_waitsForAPassedSampleAtOrAfterItsLastFrame() throws Exception {
        gate.shut(2);
        Waiting waiting = request(gate, 3 * SECOND);
        gate.judged(2 * SECOND, PASS);
        assertWaits(waiting);
        assertEquals(Verdict.PASS, gate.await(2 * SECOND, 2 * SECOND), "at the sample itself");
        gate.judged(4 * SECOND, PASS);

        assertEquals(Verdict.PASS, waiting.get());
    }

    /** Samples at 0 and 6 s pass, the one at 3 s is rejected: published up to 0 s, from 6 s on. */
    @Test
    void reject_discardsFromThePassedSampleBeforeToTheNext() throws Exception {
        gate.shut(3);
        gate.judged(0, PASS);
        gate.judged(3 * SECOND, REJECT);
        assertEquals(Verdict.PASS, gate.await(0, 0));
        assertEquals(Verdict.DISCARD, gate.await(SECOND, SECOND));
        assertEquals(Verdict.DISCARD, gate.await(3 * SECOND, 3 * SECOND));
        Waiting after = request(gate, 4 * SECOND);
        assertWaits(after);
        gate.judged(6 * SECOND, PASS);

        assertEquals(Verdict.DISCARD, after.get());
        assertEquals(
                Verdict.DISCARD,
                gate.await(5 * SECOND, 6 * SECOND),
                "it began before the passed sample");
        gate.judged(9 * SECOND, PASS);
        assertEquals(
                Verdict.DISCARD,
                gate.await(5 * SECOND, 7 * SECOND),
                "the passed sample lies in it, but its start is not judged");
        assertEquals(Verdict.PASS, gate.await(6 * SECOND, 6 * SECOND + 1));
        assertEquals(Verdict.PASS, gate.await(8 * SECOND, 8 * SECOND));
    }

    @Test
    void review_holdsUntilALaterSampleDecides() throws Exception {
        gate.shut(2);
        gate.judged(0, PASS);
        gate.judged(2 * SECOND, REVIEW);
        Waiting held = request(gate, SECOND);
        assertWaits(held);
        gate.judged(4 * SECOND, PASS);
        assertEquals(Verdict.PASS, held.get());

        gate.judged(6 * SECOND, REVIEW);
        gate.judged(8 * SECOND, REJECT);
        assertEquals(
                Verdict.DISCARD,
                gate.await(5 * SECOND, 5 * SECOND),
                "back to the last passed sample");
    }

    @Test
    void noVerdict_keepsTheGateShut() throws Exception {
        gate.shut(1);
        Waiting waiting = request(gate, SECOND);
        clock.advance(Duration.ofHours(10));
        assertWaits(waiting);
        gate.open();

        assertEquals(Verdict.PASS, waiting.get());
    }

    @Test
    void noVerdict_withATime_opensThenAndShutsWithTheNextVerdict() throws Exception {
        SampleGate opening = gate(Duration.ofSeconds(5));
        opening.shut(1);
        Waiting waiting = request(opening, SECOND);
        clock.advance(Duration.ofMillis(5_999));
        assertWaits(waiting);
        clock.advance(Duration.ofMillis(1));
        assertEquals(Verdict.PASS, waiting.get());
        assertEquals(Verdict.PASS, opening.await(2 * SECOND, 2 * SECOND), "without waiting again");
        opening.judged(3 * SECOND, PASS);
        Waiting next = request(opening, 4 * SECOND);
        assertWaits(next);
        opening.judged(4 * SECOND, REVIEW);
        clock.advance(Duration.ofHours(1));

        assertWaits(next);
        opening.close();
        assertEquals(Verdict.DISCARD, next.get());
    }

    @Test
    void blind_staysShutForEver_thenOpensAgain() throws Exception {
        SampleGate opening = gate(Duration.ofSeconds(5));
        opening.shut(1);
        opening.blind(true);
        Waiting waiting = request(opening, SECOND);
        clock.advance(Duration.ofHours(1));
        assertWaits(waiting);

        opening.blind(false);
        assertWaits(waiting);
        clock.advance(Duration.ofSeconds(6));

        assertEquals(Verdict.PASS, waiting.get());
    }

    @Test
    void endOfFrames_discardsPartsWithoutAVerdict() throws Exception {
        gate.shut(1);
        gate.judged(SECOND, PASS);
        Waiting unseen = request(gate, SECOND + 1);
        gate.framesEnded(/* allJudged= */ true);

        assertEquals(Verdict.DISCARD, unseen.get());
        assertEquals(Verdict.PASS, gate.await(SECOND, SECOND));
    }

    @Test
    void endOfFrames_waitsTenSecondsForPendingVerdicts() throws Exception {
        gate.shut(1);
        Waiting first = request(gate, SECOND);
        gate.framesEnded(/* allJudged= */ false);
        clock.advance(Duration.ofSeconds(9));
        assertWaits(first);
        gate.judged(SECOND, PASS);
        assertEquals(Verdict.PASS, first.get());
        Waiting second = request(gate, 2 * SECOND);
        clock.advance(Duration.ofSeconds(1));

        assertEquals(Verdict.DISCARD, second.get());
    }

    @Test
    void framesAfterAnEnd_partsWaitForThem() throws Exception {
        gate.shut(1);
        gate.framesEnded(/* allJudged= */ true);
        assertEquals(Verdict.DISCARD, gate.await(SECOND, SECOND));
        gate.shut(2);
        assertEquals(
                Verdict.DISCARD,
                gate.await(SECOND, SECOND),
                "another policy does not bring frames");
        gate.framesExpected();
        Waiting waiting = request(gate, SECOND);
        assertWaits(waiting);
        gate.judged(SECOND, PASS);

        assertEquals(Verdict.PASS, waiting.get());
    }

    private SampleGate gate(Duration openAfter) {
        return new SampleGate(new SessionId("s"), clock::nanoTime, clock.timer(), openAfter);
    }

    /** A part that waits at a gate on its own thread. */
    private record Waiting(SampleGate gate, CompletableFuture<Verdict> verdict) {
        Verdict get() throws Exception {
            return verdict.get(10, TimeUnit.SECONDS);
        }
    }

    /** Returns when the thread waits, or has its verdict. */
    private static Waiting request(SampleGate gate, long ptsUs) {
        return request(gate, ptsUs, ptsUs);
    }

    private static Waiting request(SampleGate gate, long firstPtsUs, long lastPtsUs) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                verdict.complete(gate.await(firstPtsUs, lastPtsUs));
                            } catch (InterruptedException e) {
                                verdict.completeExceptionally(e);
                            }
                        });
        Waiting waiting = new Waiting(gate, verdict);
        awaitDecision(waiting);
        return waiting;
    }

    /**
     * A signal empties the gate's list of waiters. A thread is in it again only after it has looked
     * at the new state and decided to wait.
     */
    private static void awaitDecision(Waiting waiting) {
        Await.until(
                () -> waiting.verdict().isDone() || waiting.gate().waiters() == 1,
                () -> "neither waits nor has a verdict");
    }

    private static void assertWaits(Waiting waiting) {
        awaitDecision(waiting);
        assertFalse(waiting.verdict().isDone());
    }
}
