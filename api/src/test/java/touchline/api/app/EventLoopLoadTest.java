package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import touchline.testing.Await;

final class EventLoopLoadTest {
    private static final long SPENT_NS = 100_000_000;

    private long nowNs = 100;

    /** The thread's own processor time is measured, the time between the readings is given. */
    @Test
    void busyThread_isTheShareOfItsServer() throws InterruptedException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        EventLoopLoad load = new EventLoopLoad(threads, () -> nowNs);
        Thread loop =
                Thread.ofPlatform()
                        .daemon()
                        .name("playback-7-1")
                        .start(
                                () -> {
                                    while (!Thread.currentThread().isInterrupted()) {
                                        Thread.onSpinWait();
                                    }
                                });
        try {
            assertEquals(0, load.busiest("playback"));
            long usedNs = threads.getThreadCpuTime(loop.threadId());
            Await.until(() -> threads.getThreadCpuTime(loop.threadId()) >= usedNs + SPENT_NS);
            nowNs += TimeUnit.SECONDS.toNanos(6);
            double share = load.busiest("playback");
            assertTrue(share >= SPENT_NS / 6e9, () -> "busy for 0.1 s of 6 s");
            assertEquals(share, load.busiest("playback"), "asked again within 5 s");
            assertTrue(share <= 1, () -> "a share");
            assertEquals(0, load.busiest("rtmp"));
        } finally {
            loop.interrupt();
            loop.join();
        }
    }
}
