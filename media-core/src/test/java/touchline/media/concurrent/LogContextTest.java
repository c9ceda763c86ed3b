package touchline.media.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

final class LogContextTest {
    private final AtomicReference<@Nullable Map<String, String>> seen = new AtomicReference<>();

    @AfterEach
    void clear() {
        MDC.clear();
    }

    @Test
    void taskOfASession_onVirtualAndPlatformThreads_hasItsIds() throws InterruptedException {
        Runnable task = LogContext.session("st", "se", this::look);

        Thread.ofVirtual().start(task).join();
        assertEquals(Map.of("stream", "st", "session", "se"), seen.getAndSet(null));
        Thread.ofPlatform().start(task).join();
        assertEquals(Map.of("stream", "st", "session", "se"), seen.get());
    }

    @Test
    void taskOfASession_leavesTheContextOfItsThreadAsItWas() {
        MDC.put(LogContext.REQUEST_ID, "r");

        LogContext.session("st", "se", this::look).run();

        assertEquals(Map.of("stream", "st", "session", "se"), seen.get());
        assertEquals(Map.of("request_id", "r"), MDC.getCopyOfContextMap());
    }

    @Test
    void carried_takesTheContextOfTheCaller() throws InterruptedException {
        MDC.put(LogContext.REQUEST_ID, "r");
        Runnable task = LogContext.carried(this::look);
        MDC.clear();

        Thread.ofVirtual().start(task).join();

        assertEquals(Map.of("request_id", "r"), seen.get());
        assertNull(MDC.get(LogContext.REQUEST_ID));
    }

    @Test
    void ofSession_keepsTheStreamOfTheCaller_notItsCall() {
        MDC.put(LogContext.STREAM, "st");
        MDC.put(LogContext.REQUEST_ID, "r");
        Runnable task = LogContext.ofSession("se", this::look);

        task.run();

        assertEquals(Map.of("stream", "st", "session", "se"), seen.get());
    }

    private void look() {
        seen.set(MDC.getCopyOfContextMap());
    }
}
