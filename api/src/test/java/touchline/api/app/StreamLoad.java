package touchline.api.app;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A client that creates and deletes streams without a pause. */
final class StreamLoad implements AutoCloseable {
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger writes = new AtomicInteger();
    private final Thread thread;

    StreamLoad(TestServer server) {
        thread =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    while (!over.get()) {
                                        write(server);
                                        writes.incrementAndGet();
                                    }
                                });
    }

    private static void write(TestServer server) {
        try {
            String id = server.createStream("{\"title\": \"load\"}").path("id").asText();
            server.call("DELETE", "/live/v1/live-streams/" + id, "", 200);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    void awaitWrites(int count) throws InterruptedException {
        TestServer.await("writes", Duration.ofSeconds(60), () -> writes.get() >= count);
    }

    @Override
    public void close() {
        over.set(true);
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
