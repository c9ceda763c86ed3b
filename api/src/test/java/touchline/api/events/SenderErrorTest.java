package touchline.api.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.Delivery;
import touchline.api.domain.Event;

/** Deliveries after an {@code Error} in the thread that sends them. */
final class SenderErrorTest {
    private static final String HOST = "receiver.test";

    private final WebhookFixture room = new WebhookFixture();

    @AfterEach
    void close() {
        room.close();
    }

    @Test
    void stream_afterAnErrorOfItsSender_isSentOn() throws Exception {
        String endpoint = room.endpoint(HOST);
        AtomicInteger calls = new AtomicInteger();
        room.receiver(
                HOST,
                _ -> {
                    if (calls.getAndIncrement() == 0) {
                        throw new LinkageError("class missing");
                    }
                    return WebhookFixture.status(200);
                });
        Event first = room.event("str_1");
        assertEquals(first.id(), room.next(HOST).id());

        Event second = room.event("str_1");

        room.ended(endpoint, first, Delivery.Status.SUCCEEDED);
        room.ended(endpoint, second, Delivery.Status.SUCCEEDED);
        assertEquals(first.id(), room.next(HOST).id());
        assertEquals(second.id(), room.next(HOST).id());
    }

    @Test
    void manualRedelivery_afterAnErrorOfItsSender_isSent() throws Exception {
        String endpoint = room.endpoint(HOST);
        Event event = room.event("str_1");
        Delivery sent = room.ended(endpoint, event, Delivery.Status.SUCCEEDED);
        AtomicInteger calls = new AtomicInteger();
        room.receiver(
                HOST,
                _ -> {
                    if (calls.getAndIncrement() == 0) {
                        throw new LinkageError("class missing");
                    }
                    return WebhookFixture.status(204);
                });
        assertEquals(event.id(), room.next(HOST).id());

        assertTrue(room.log.replay(endpoint, sent.id(), room.clock.instant()));
        room.dispatch().replayed(endpoint);
        assertEquals(event.id(), room.next(HOST).id());
        room.dispatch().replayed(endpoint);

        assertEquals(2, room.attempted(endpoint, event, 2).attempts().size());
    }
}
