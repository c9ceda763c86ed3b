package touchline.api.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.api.storage.StorageFailures;
import touchline.testing.LogLines;

final class RetryLoopTest {
    private static final Duration SOON = Duration.ofMillis(1);
    private static final Duration NEVER = Duration.ofDays(1);

    private final LogLines log = LogLines.of(RetryLoop.class);
    private final BlockingQueue<Boolean> reached = new LinkedBlockingQueue<>();
    private final AtomicInteger turns = new AtomicInteger();

    @AfterEach
    void close() {
        log.close();
    }

    private RetryLoop started(Duration pause, RetryLoop.Turn turn) {
        RetryLoop loop = new RetryLoop("uploads", "recordings", pause, turn, reached::add);
        loop.start();
        return loop;
    }

    @Test
    void turn_storeIsAwayAndBack_isLoggedOnceEach() throws Exception {
        RetryLoop loop =
                started(
                        SOON,
                        () -> {
                            if (turns.incrementAndGet() <= 2) {
                                throw StorageFailures.refused("bucket", "gone");
                            }
                            return false;
                        });

        assertEquals(List.of(false, false, true), List.of(take(), take(), take()));
        loop.close();

        assertEquals(
                List.of(
                        "S3 takes no recordings, they wait here: gone",
                        "S3 takes recordings again"),
                log.texts());
    }

    /** A file of this disk says nothing of S3. */
    @Test
    void turn_otherFailure_isTriedAgain_andSaysNothingOfTheStore() throws Exception {
        RetryLoop loop =
                started(
                        SOON,
                        () -> {
                            switch (turns.incrementAndGet()) {
                                case 1 -> throw new IOException("disk");
                                case 2 -> throw new IllegalStateException("rows");
                                default -> {
                                    return false;
                                }
                            }
                        });

        assertTrue(take());
        loop.close();

        assertEquals(
                List.of(
                        "uploads failed, will be tried again: java.io.IOException: disk",
                        "uploads failed, will be tried again: java.lang.IllegalStateException:"
                                + " rows"),
                log.texts());
        assertTrue(loop.isStopping());
    }

    @Test
    void turn_withMoreToDo_isFollowedByAnotherAtOnce() throws Exception {
        RetryLoop loop = started(NEVER, () -> turns.incrementAndGet() < 3);

        assertEquals(List.of(true, true, true), List.of(take(), take(), take()));
        loop.close();

        assertEquals(3, turns.get());
    }

    @Test
    void nudge_duringAPause_endsIt() throws Exception {
        RetryLoop loop = started(NEVER, () -> false);
        assertTrue(take());

        loop.nudge();

        assertTrue(take());
        loop.close();
    }

    @Test
    void close_duringAnUpload_interruptsIt() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        RetryLoop loop =
                started(
                        NEVER,
                        () -> {
                            begun.countDown();
                            try {
                                new CountDownLatch(1).await();
                            } finally {
                                interrupted.countDown();
                            }
                            return false;
                        });
        begun.await();

        loop.close();

        interrupted.await();
        assertEquals(List.of(), log.texts());
        assertTrue(reached.isEmpty());
    }

    private boolean take() throws InterruptedException {
        return reached.take();
    }
}
