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
import touchline.testing.SettableClock;

final class SampleGateTest {
    private static final long SECOND = 1_000_000;

    private final SettableClock clock = new SettableClock();
    private final SampleGate gate = gate(Duration.ZERO);

    @Test
    void openGate_passesAtOnce() throws Exception {
        assertEquals(Verdict.PASS, gate.await(5 * SECOND));
    }

    @Test
    void part_waitsForAPassedFrameAtOrAfterItsLast() throws Exception {
        gate.shut(2);
        CompletableFuture<Verdict> waiting = ask(gate, 3 * SECOND);
        gate.judged(2 * SECOND, PASS);
        assertWaits(waiting);
        assertEquals(Verdict.PASS, gate.await(2 * SECOND), "at the very frame");
        gate.judged(4 * SECOND, PASS);

        assertEquals(Verdict.PASS, waiting.get(10, TimeUnit.SECONDS));
    }

    /** Frames at 0 and 6 pass, the one at 3 is rejected: only up to 0 and beyond 6 is shown. */
    @Test
    void reject_discardsFromTheLastPassedFrameToTheNext() throws Exception {
        gate.shut(3);
        gate.judged(0, PASS);
        gate.judged(3 * SECOND, REJECT);
        assertEquals(Verdict.PASS, gate.await(0));
        assertEquals(Verdict.DISCARD, gate.await(SECOND));
        assertEquals(Verdict.DISCARD, gate.await(3 * SECOND));
        CompletableFuture<Verdict> behind = ask(gate, 4 * SECOND);
        assertWaits(behind);
        gate.judged(6 * SECOND, PASS);

        assertEquals(Verdict.DISCARD, behind.get(10, TimeUnit.SECONDS));
        assertEquals(Verdict.DISCARD, gate.await(6 * SECOND), "it began before the passed one");
        gate.judged(9 * SECOND, PASS);
        assertEquals(Verdict.PASS, gate.await(6 * SECOND + 1));
        assertEquals(Verdict.PASS, gate.await(8 * SECOND));
    }

    @Test
    void review_holdsUntilALaterFrameDecides() throws Exception {
        gate.shut(2);
        gate.judged(0, PASS);
        gate.judged(2 * SECOND, REVIEW);
        CompletableFuture<Verdict> held = ask(gate, SECOND);
        assertWaits(held);
        gate.judged(4 * SECOND, PASS);
        assertEquals(Verdict.PASS, held.get(10, TimeUnit.SECONDS));

        gate.judged(6 * SECOND, REVIEW);
        gate.judged(8 * SECOND, REJECT);
        assertEquals(Verdict.DISCARD, gate.await(5 * SECOND), "back to the last passed frame");
    }

    @Test
    void noVerdict_keepsShutForEver() throws Exception {
        gate.shut(1);
        CompletableFuture<Verdict> waiting = ask(gate, SECOND);
        clock.advance(Duration.ofHours(10));
        assertWaits(waiting);
        gate.open();

        assertEquals(Verdict.PASS, waiting.get(10, TimeUnit.SECONDS));
    }

    @Test
    void noVerdict_withATime_opensThenAndShutsWithTheNextVerdict() throws Exception {
        SampleGate patient = gate(Duration.ofSeconds(5));
        patient.shut(1);
        CompletableFuture<Verdict> waiting = ask(patient, SECOND);
        clock.advance(Duration.ofMillis(5_999));
        assertWaits(waiting);
        clock.advance(Duration.ofMillis(1));
        assertEquals(Verdict.PASS, waiting.get(10, TimeUnit.SECONDS));
        assertEquals(Verdict.PASS, patient.await(2 * SECOND), "without waiting again");
        patient.judged(3 * SECOND, PASS);
        CompletableFuture<Verdict> next = ask(patient, 4 * SECOND);
        assertWaits(next);
        patient.judged(4 * SECOND, REVIEW);
        clock.advance(Duration.ofHours(1));

        assertWaits(next);
        patient.close();
        assertEquals(Verdict.DISCARD, next.get(10, TimeUnit.SECONDS));
    }

    @Test
    void endOfFrames_discardsWhatNoneHasSeen() throws Exception {
        gate.shut(1);
        gate.judged(SECOND, PASS);
        CompletableFuture<Verdict> unseen = ask(gate, SECOND + 1);
        gate.noMore(/* allJudged= */ true);

        assertEquals(Verdict.DISCARD, unseen.get(10, TimeUnit.SECONDS));
        assertEquals(Verdict.PASS, gate.await(SECOND));
    }

    @Test
    void endOfFrames_waitsForVerdictsUnderWayTenSeconds() throws Exception {
        gate.shut(1);
        CompletableFuture<Verdict> first = ask(gate, SECOND);
        gate.noMore(/* allJudged= */ false);
        clock.advance(Duration.ofSeconds(9));
        assertWaits(first);
        gate.judged(SECOND, PASS);
        assertEquals(Verdict.PASS, first.get(10, TimeUnit.SECONDS));
        CompletableFuture<Verdict> second = ask(gate, 2 * SECOND);
        clock.advance(Duration.ofSeconds(1));

        assertEquals(Verdict.DISCARD, second.get(10, TimeUnit.SECONDS));
    }

    @Test
    void framesAgain_afterAnEnd_areWaitedFor() throws Exception {
        gate.shut(1);
        gate.noMore(/* allJudged= */ true);
        assertEquals(Verdict.DISCARD, gate.await(SECOND));
        gate.shut(2);
        assertEquals(Verdict.DISCARD, gate.await(SECOND), "another policy brings no video");
        gate.moreFrames();
        CompletableFuture<Verdict> waiting = ask(gate, SECOND);
        assertWaits(waiting);
        gate.judged(SECOND, PASS);

        assertEquals(Verdict.PASS, waiting.get(10, TimeUnit.SECONDS));
    }

    private SampleGate gate(Duration openAfter) {
        return new SampleGate(new SessionId("s"), clock::nanoTime, clock.timer(), openAfter);
    }

    /** Returns when the asking thread waits, or has its answer. */
    private static CompletableFuture<Verdict> ask(SampleGate gate, long ptsUs) {
        CompletableFuture<Verdict> answer = new CompletableFuture<>();
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () -> {
                                    try {
                                        answer.complete(gate.await(ptsUs));
                                    } catch (InterruptedException e) {
                                        answer.completeExceptionally(e);
                                    }
                                });
        while (thread.getState() != Thread.State.WAITING && !answer.isDone()) {
            Thread.onSpinWait();
        }
        return answer;
    }

    private static void assertWaits(CompletableFuture<Verdict> answer) {
        assertFalse(answer.isDone());
    }
}
