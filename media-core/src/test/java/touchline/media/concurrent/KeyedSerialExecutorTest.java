package touchline.media.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class KeyedSerialExecutorTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String KEY = "a";

    private final KeyedSerialExecutor<String> executor = new KeyedSerialExecutor<>("test-", 1_000);
    private final List<Integer> done = new CopyOnWriteArrayList<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);

    @AfterEach
    void close() {
        release.countDown();
        executor.close(Duration.ofSeconds(1));
    }

    private void block() throws InterruptedException {
        begun.countDown();
        release.await();
    }

    @Test
    void tasks_ofOneKey_runInOrder() throws Exception {
        for (int i = 0; i < 500; i++) {
            int number = i;
            assertTrue(executor.execute(KEY, () -> done.add(number)));
        }

        assertTrue(executor.awaitIdle(LIMIT));
        assertEquals(IntStream.range(0, 500).boxed().toList(), done);
    }

    @Test
    void tasks_ofTwoKeys_runSideBySide() throws Exception {
        CyclicBarrier meeting = new CyclicBarrier(2);
        for (String key : List.of("a", "b")) {
            executor.execute(
                    key,
                    () -> {
                        try {
                            meeting.await(20, TimeUnit.SECONDS);
                            done.add(1);
                        } catch (BrokenBarrierException | TimeoutException e) {
                            throw new IllegalStateException(e);
                        }
                    });
        }

        assertTrue(executor.awaitIdle(LIMIT));
        assertEquals(2, done.size());
    }

    @Test
    void task_afterAnError_runs() throws Exception {
        executor.execute(KEY, this::block);
        executor.execute(
                KEY,
                () -> {
                    throw new LinkageError("class missing");
                });
        executor.execute(
                KEY,
                () -> {
                    throw new IllegalStateException("a bug");
                });
        executor.execute(KEY, () -> done.add(1));
        release.countDown();

        assertTrue(executor.awaitIdle(LIMIT));
        executor.execute(KEY, () -> done.add(2));
        assertTrue(executor.awaitIdle(LIMIT));
        assertEquals(List.of(1, 2), done);
    }

    @Test
    void task_ofAFullQueue_isRejected() throws Exception {
        KeyedSerialExecutor<String> small = new KeyedSerialExecutor<>("small-", 1);
        small.execute(KEY, this::block);
        begun.await();

        assertTrue(small.execute(KEY, () -> done.add(1)));
        assertFalse(small.execute(KEY, () -> done.add(2)));
        release.countDown();
        assertTrue(small.awaitIdle(LIMIT));
        assertEquals(List.of(1), done);
    }

    @Test
    void stoppedExecutor_runsWhatItAccepted_andRejectsTheRest() throws Exception {
        executor.execute(KEY, this::block);
        executor.execute(KEY, () -> done.add(1));
        executor.stop();

        assertFalse(executor.execute("b", () -> done.add(2)));
        release.countDown();
        assertTrue(executor.awaitIdle(LIMIT));
        assertEquals(List.of(1), done);
    }

    @Test
    void executor_withoutSpaceForATask_isRefused() {
        var refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new KeyedSerialExecutor<String>("test-", 0));

        assertEquals("maxWaiting: 0 (> 0)", refused.getMessage());
    }

    /** Its caller is in a hurry: the tasks are not waited for. */
    @Test
    void closedExecutor_byAnInterruptedThread_interruptsTheTaskAtOnce() throws Exception {
        executor.execute(KEY, this::block);
        executor.execute(KEY, () -> done.add(1));
        begun.await();

        Thread.currentThread().interrupt();
        executor.close(LIMIT);

        assertTrue(Thread.interrupted(), "the caller stays interrupted");
        assertTrue(executor.isStopped());
        assertTrue(executor.awaitIdle(LIMIT));
        assertEquals(List.of(), done);
    }

    @Test
    void closedExecutor_interruptsTheRunningTask_andDropsTheWaitingOne() throws Exception {
        executor.execute(KEY, this::block);
        executor.execute(KEY, () -> done.add(1));
        begun.await();

        assertFalse(executor.awaitIdle(Duration.ofNanos(1)));
        executor.close(Duration.ofMillis(1));
        assertTrue(executor.awaitIdle(LIMIT));
        assertEquals(List.of(), done);
    }
}
