package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.packager.delivery.BlockingReload.Outcome;

class BlockingReloadTest {
    private static final OptionalInt PART = OptionalInt.of(2);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel = EmbeddedChannel.builder().ticker(ticker).build();
    private final DeliveryCounters counters = new DeliveryCounters();
    private final BlockingReload reloads =
            new BlockingReload(
                    channel.eventLoop(), Duration.ofSeconds(18), ticker::nanoTime, counters);
    private final FakePlayback session = new FakePlayback("s", new NettyMediaMemory());
    private final List<Outcome> outcomes = new ArrayList<>();

    @AfterEach
    void noRequestWaits() {
        assertEquals(0, counters.blockedNow());
        assertFalse(channel.finish());
    }

    private BlockingReload.Wait await(long mediaSequence) {
        return reloads.await(session, mediaSequence, PART, outcomes::add);
    }

    private void pass(Duration time) {
        ticker.advance(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void await_samePart_sharesOneRegistration() {
        await(7);
        await(7);
        await(8);
        assertEquals(2, session.registrations());
        assertEquals(3, counters.blockedNow());
        session.reached(7, PART, true);
        assertEquals(List.of(Outcome.AVAILABLE, Outcome.AVAILABLE), outcomes);
        session.reached(8, PART, false);
        assertEquals(Outcome.ENDED, outcomes.getLast());
    }

    @Test
    void await_alreadyThere_answersBeforeItReturns() {
        session.reached(7, PART, true);
        assertFalse(await(7).isHeld());
        assertEquals(List.of(Outcome.AVAILABLE), outcomes);
    }

    @Test
    void await_tooFarAhead_isSaidHoweverTheSessionSaysIt() {
        session.limit(8);
        await(9);
        session.failed(7, PART, new IllegalArgumentException("too far"));
        await(7);
        session.failed(8, PART, new IllegalStateException("a test's failure"));
        await(8);
        assertEquals(
                List.of(Outcome.TOO_FAR_AHEAD, Outcome.TOO_FAR_AHEAD, Outcome.FAILED), outcomes);
    }

    @Test
    void await_nothingComes_timesOutInOrderOfArrival() {
        BlockingReload.Wait first = await(7);
        pass(Duration.ofSeconds(10));
        BlockingReload.Wait second = await(7);
        pass(Duration.ofSeconds(7).plusMillis(999));
        assertTrue(first.isHeld());
        pass(Duration.ofMillis(1));
        assertFalse(first.isHeld());
        assertTrue(second.isHeld());
        pass(Duration.ofSeconds(10));
        assertEquals(List.of(Outcome.TIMED_OUT, Outcome.TIMED_OUT), outcomes);
        session.reached(7, PART, true);
        assertEquals(2, outcomes.size());
    }

    @Test
    void cancel_held_isNeverCalledAndKeepsTheOthers() {
        BlockingReload.Wait gone = await(7);
        await(7);
        gone.cancel();
        gone.cancel();
        assertEquals(1, counters.blockedNow());
        session.reached(7, PART, true);
        assertEquals(List.of(Outcome.AVAILABLE), outcomes);
    }

    @Test
    void await_thousands_areAnsweredInBatchesAndMayLeaveInBetween() {
        List<BlockingReload.Wait> waits = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            waits.add(await(7));
        }
        assertEquals(1, session.registrations());
        session.reached(7, PART, true);
        assertEquals(256, outcomes.size());
        waits.getLast().cancel();
        channel.runPendingTasks();
        assertEquals(999, outcomes.size());
    }

    @Test
    void await_fromAnOutcome_isHeldAnew() {
        reloads.await(
                session,
                7,
                PART,
                outcome -> {
                    outcomes.add(outcome);
                    await(8);
                });
        session.reached(7, PART, true);
        assertEquals(1, counters.blockedNow());
        session.reached(8, PART, true);
        assertEquals(2, outcomes.size());
    }

    @Test
    void outcome_thatThrows_doesNotKeepTheOthersWaiting() {
        reloads.await(
                session,
                7,
                PART,
                _ -> {
                    throw new IllegalStateException("a test's failure");
                });
        await(7);
        session.reached(7, PART, true);
        assertEquals(List.of(Outcome.AVAILABLE), outcomes);
        session.reached(8, PART, true);
        await(8);
        assertEquals(2, outcomes.size());
    }
}
