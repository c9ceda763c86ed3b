package touchline.api.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import touchline.api.storage.StorageFailures;
import touchline.testing.Await;

final class DrainingLoopTest {
    private static final Duration SOON = Duration.ofMillis(1);
    private static final Duration NEVER = Duration.ofDays(1);

    private final BlockingQueue<Exception> failures = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> steps = new LinkedBlockingQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    private DrainingLoop loop(Duration pause, DrainingLoop.Step step) {
        return new DrainingLoop("uploads", pause, step, failures::add);
    }

    private boolean counted() {
        steps.add(count.incrementAndGet());
        return true;
    }

    @Test
    void step_thatHasNothingMoreToDo_endsTheLoop() {
        DrainingLoop loop = loop(NEVER, () -> false);

        loop.start();

        Await.until(loop::hasEnded);
    }

    @Test
    void wake_duringAPause_runsAStep() throws Exception {
        DrainingLoop loop = loop(NEVER, this::counted);
        loop.start();
        assertEquals(1, steps.take());

        loop.wake();

        assertEquals(2, steps.take());
        loop.close(Duration.ofMinutes(1));
        assertTrue(loop.hasEnded());
        assertEquals(2, count.get());
    }

    @Test
    void drain_runsOneMoreStep_andNoPauseFollows() throws Exception {
        DrainingLoop loop = loop(NEVER, this::counted);
        loop.start();
        assertEquals(1, steps.take());

        loop.drain();

        Await.until(loop::hasEnded);
        assertEquals(2, count.get());
    }

    /** What the store says is shown until a step succeeds; other failures say nothing of it. */
    @Test
    void step_thatFails_isRunAgain() throws Exception {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        DrainingLoop loop =
                loop(
                        SOON,
                        () -> {
                            switch (count.incrementAndGet()) {
                                case 1 -> throw StorageFailures.refused("bucket", "gone");
                                case 2 -> {
                                    mayGoOn.await();
                                    throw new IOException("disk");
                                }
                                default -> {
                                    return true;
                                }
                            }
                        });
        loop.start();

        assertEquals("gone", failures.take().getMessage());
        assertEquals(Optional.of("gone"), loop.failure());
        mayGoOn.countDown();
        assertEquals("disk", failures.take().getMessage());
        Await.until(() -> count.get() >= 3);
        assertEquals(Optional.empty(), loop.failure());
        loop.close(Duration.ofMinutes(1));
        assertTrue(failures.isEmpty());
    }

    @Test
    void close_beforeTheStart_returnsAtOnce() {
        DrainingLoop loop = loop(NEVER, this::counted);

        loop.close(NEVER);

        assertTrue(loop.isStopping());
        assertFalse(loop.hasEnded());
        assertEquals(0, count.get());
    }

    @Test
    void close_ofAStepThatDoesNotEnd_interruptsIt() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        DrainingLoop loop =
                loop(
                        NEVER,
                        () -> {
                            begun.countDown();
                            new CountDownLatch(1).await();
                            return true;
                        });
        loop.start();
        begun.await();

        loop.close(Duration.ZERO);

        Await.until(loop::hasEnded);
        assertTrue(failures.isEmpty());
    }

    /** The failure of the last step is not reported: the loop ends with it. */
    @Test
    void stop_duringAStepThatFails_endsTheLoop() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayFail = new CountDownLatch(1);
        DrainingLoop loop =
                loop(
                        NEVER,
                        () -> {
                            begun.countDown();
                            mayFail.await();
                            throw new IOException("disk");
                        });
        loop.start();
        begun.await();
        loop.stop();

        mayFail.countDown();

        Await.until(loop::hasEnded);
        assertTrue(failures.isEmpty());
    }
}
