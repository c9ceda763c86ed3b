package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PublicationPaceTest {
    private static final int SECONDS = 30;

    private final Hub hub = new Hub();
    private final Publication publication = hub.publish("a");

    @AfterEach
    void close() {
        publication.close();
        hub.streams.endAll();
    }

    private void sendSeconds() {
        for (int second = 0; second < SECONDS; second++) {
            Hub.send(publication, second * 1_000L);
        }
    }

    @Test
    void isTooFast_aheadOfTheClockAndItsReaders_untilTheyHaveRead() {
        sendSeconds();
        AtomicReference<Double> waiting = new AtomicReference<>(0.9);
        hub.subscriptions.getFirst().handsOnTo(waiting::get);

        assertTrue(publication.isTooFast());
        waiting.set(0.4);
        assertFalse(publication.isTooFast());
    }

    @Test
    void isTooFast_whatWaitsUnread_counts() throws InterruptedException {
        Hub.send(publication, 0);
        long second = hub.subscriptions.getFirst().queuedBytes();
        try (Subscription slow = hub.live().program().subscribe("slow", SECONDS * second)) {
            for (int i = 1; i < SECONDS; i++) {
                Hub.send(publication, i * 1_000L);
            }

            assertTrue(publication.isTooFast());
            Hub.read(slow);
            assertFalse(publication.isTooFast());
        }
    }

    /** A live encoder's media is as old as the time that has passed. */
    @Test
    void isTooFast_withTheClock_neverWaitsForAReader() {
        Hub.send(publication, 0);
        hub.subscriptions.getFirst().handsOnTo(() -> 1.0);

        for (int second = 1; second < SECONDS; second++) {
            hub.clock.advance(Duration.ofSeconds(1));
            Hub.send(publication, second * 1_000L);
            assertFalse(publication.isTooFast());
        }
    }

    @Test
    void isTooFast_whileItWaits_isNotSilent() {
        sendSeconds();
        hub.subscriptions.getFirst().handsOnTo(() -> 1.0);
        hub.clock.advance(Publication.SILENCE.plusSeconds(1));

        assertTrue(publication.isTooFast());
        assertFalse(publication.isSilentFor(Publication.SILENCE));
    }
}
