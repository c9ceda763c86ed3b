package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import touchline.media.StreamId;

/** Steps of a stream: their order, their retries, and what a failure leaves. */
final class StreamWritesTest {
    private static final StreamId STREAM = new StreamId("str_1");

    private final StreamWrites steps = new StreamWrites();
    private final AtomicInteger tries = new AtomicInteger();
    private final AtomicBoolean givenUp = new AtomicBoolean();
    private final CountDownLatch firstTry = new CountDownLatch(1);

    private StreamWrites.Step step(int tries, Runnable work) {
        return new StreamWrites.Step("test", tries, work, () -> givenUp.set(true));
    }

    private void failUntil(int successfulTry) {
        int now = tries.incrementAndGet();
        firstTry.countDown();
        if (now < successfulTry) {
            throw new IllegalStateException("the database fails");
        }
    }

    @Test
    void step_afterAnError_isRun() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        steps.add(
                STREAM,
                step(
                        1,
                        () -> {
                            throw new LinkageError("class missing");
                        }));
        steps.add(STREAM, step(1, done::countDown));

        assertTrue(done.await(10, TimeUnit.SECONDS));
        steps.close();
        assertTrue(givenUp.get());
    }

    @Test
    void failedStep_atShutdown_isTriedOnceMore() throws Exception {
        steps.add(STREAM, step(60, () -> failUntil(2)));
        assertTrue(firstTry.await(10, TimeUnit.SECONDS));
        steps.close();

        assertEquals(2, tries.get());
        assertFalse(givenUp.get());
    }

    @Test
    void failedStep_thatFailsOnceMoreAtShutdown_isGivenUp() throws Exception {
        steps.add(STREAM, step(60, () -> failUntil(100)));
        assertTrue(firstTry.await(10, TimeUnit.SECONDS));
        steps.close();

        // Two, or more on a machine that stands for a second before the close.
        assertTrue(tries.get() >= 2, tries::toString);
        assertTrue(givenUp.get());
    }
}
