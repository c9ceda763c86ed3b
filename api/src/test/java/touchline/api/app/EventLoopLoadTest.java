package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class EventLoopLoadTest {
    private long nowNs = 100;

    /** The thread's own processor time is measured, the time between the readings is given. */
    @Test
    void busyThread_isTheShareOfItsServer() throws InterruptedException {
        EventLoopLoad load = new EventLoopLoad(ManagementFactory.getThreadMXBean(), () -> nowNs);
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
            double share = 0;
            while (share < 0.01) {
                nowNs += TimeUnit.SECONDS.toNanos(6);
                share = load.busiest("playback");
            }
            assertEquals(share, load.busiest("playback"), "asked again within 5 s");
            assertTrue(share <= 1, () -> "a share");
            assertEquals(0, load.busiest("rtmp"));
        } finally {
            loop.interrupt();
            loop.join();
        }
    }
}
