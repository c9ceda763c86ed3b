package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
final class CompletedPublishersTest {
    private final Hub hub = new Hub();

    @Test
    void complete_sameEncoder_waitsForTheHold() {
        Publication first = hub.publish("obs 10.0.0.1:5000", Duration.ZERO);
        Hub.send(first, 0);

        hub.streams.complete(Hub.STREAM, Duration.ofSeconds(30));
        hub.clock.advance(Duration.ofMillis(1_500));

        long ticket = hub.streams.admissionTicket();
        PublisherHeldException held =
                assertThrows(
                        PublisherHeldException.class,
                        () -> hub.publish("obs 10.0.0.1:5001", ticket));
        assertEquals(29, held.retryInSeconds());
        assertFalse(hub.isActive());
        hub.clock.advance(Duration.ofMillis(28_500));
        Hub.send(hub.publish("obs 10.0.0.1:5002", ticket), 0);
        assertTrue(hub.isActive());
    }

    @ParameterizedTest
    @ValueSource(strings = {"obs 10.0.0.2:5000", "ffmpeg 10.0.0.1:5000"})
    void complete_anotherEncoder_publishesAtOnce(String other) {
        Hub.send(hub.publish("obs 10.0.0.1:5000"), 0);
        hub.streams.complete(Hub.STREAM, Duration.ofSeconds(30));

        Hub.send(hub.publish(other, hub.streams.admissionTicket()), 0);

        assertTrue(hub.isActive());
    }

    @Test
    void complete_thenReleased_sameEncoderPublishesAtOnce() {
        Hub.send(hub.publish("obs 10.0.0.1:5000"), 0);
        hub.streams.complete(Hub.STREAM, Duration.ofSeconds(30));

        hub.streams.releaseEncoder(Hub.STREAM);

        Hub.send(hub.publish("obs 10.0.0.1:5001", hub.streams.admissionTicket()), 0);
        assertTrue(hub.isActive());
    }

    @Test
    void complete_whileTheEncoderIsAway_holdsThatEncoder() {
        Publication first = hub.publish("obs 10.0.0.1:5000");
        Hub.send(first, 0);
        first.close();

        hub.streams.complete(Hub.STREAM, Duration.ofSeconds(30));

        assertThrows(
                PublisherHeldException.class,
                () -> hub.publish("obs 10.0.0.1:5001", hub.streams.admissionTicket()));
    }
}
