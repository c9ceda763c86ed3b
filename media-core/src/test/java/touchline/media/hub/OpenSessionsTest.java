package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import touchline.media.StreamId;

/** What other nodes may know of a stream before they start it. */
final class OpenSessionsTest {
    private final Hub hub = new Hub();

    private boolean isOpen() {
        return hub.streams.isOpen(Hub.STREAM);
    }

    private boolean isSending() {
        return hub.streams.isSending(Hub.STREAM);
    }

    @Test
    void isOpen_admittedPublisher_beforeItsMedia_isTrue() {
        assertFalse(isOpen());

        Publication publication = hub.publish("a");

        assertTrue(isOpen());
        assertTrue(isSending());
        assertFalse(hub.isActive(), "the session has not started");
        publication.close();
        assertFalse(isOpen());
    }

    @Test
    void isOpen_encoderIsAway_isTrueUntilTheWindowEnds() {
        Publication publication = hub.publish("a");
        Hub.send(publication, 0);
        assertTrue(isSending());

        publication.close();

        assertTrue(isOpen());
        assertFalse(isSending());
        hub.clock.advance(Hub.WINDOW.plus(Duration.ofSeconds(1)));
        assertFalse(isOpen());
    }

    @Test
    void isOpen_otherStream_isFalse() {
        Hub.send(hub.publish("a"), 0);

        assertFalse(hub.streams.isOpen(new StreamId("str_other")));
        assertFalse(hub.streams.isSending(new StreamId("str_other")));
    }
}
