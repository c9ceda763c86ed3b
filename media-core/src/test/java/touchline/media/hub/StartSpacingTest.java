package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
final class StartSpacingTest {
    private final Hub hub = new Hub();

    @ParameterizedTest
    @ValueSource(longs = {0, 5_000, 9_000, 9_999})
    void scoreboard_soonAfterTheMainStart_isRefusedUntilTheGapIsOver(long afterMs) {
        Publication main = start(Role.MAIN, "main");
        hub.clock.advance(Duration.ofMillis(afterMs));

        StartTooSoonException refused =
                assertThrows(StartTooSoonException.class, () -> publish(Role.OVERLAY, "board"));

        assertEquals(Math.ceilDiv(10_000 - afterMs, 1_000), refused.retryInSeconds());
        hub.clock.advance(Duration.ofSeconds(refused.retryInSeconds()));
        start(Role.OVERLAY, "board");
        assertEquals(List.of(), hub.cuts);
        assertTrue(hub.streams.active(Hub.STREAM, Role.OVERLAY).isPresent());
        main.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {10_000, 11_000})
    void scoreboard_longAfterTheMainStart_isLetIn(long afterMs) {
        start(Role.MAIN, "main");
        hub.clock.advance(Duration.ofMillis(afterMs));

        start(Role.OVERLAY, "board");

        assertEquals(List.of(), hub.cuts);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5_000, 9_000, 9_999})
    void scoreboard_thatStartedJustBeforeTheMain_isCut(long beforeMs) {
        start(Role.OVERLAY, "board");
        hub.clock.advance(Duration.ofMillis(beforeMs));

        start(Role.MAIN, "main");

        assertEquals(List.of("board GAVE_WAY"), hub.cuts);
        assertEquals(Optional.empty(), hub.streams.active(Hub.STREAM, Role.OVERLAY));
        assertTrue(hub.isActive());
        assertThrows(StartTooSoonException.class, () -> publish(Role.OVERLAY, "board"));
        hub.clock.advance(StartSpacing.GAP);
        start(Role.OVERLAY, "board");
        assertTrue(hub.streams.active(Hub.STREAM, Role.OVERLAY).isPresent());
    }

    @ParameterizedTest
    @ValueSource(longs = {10_000, 11_000})
    void scoreboard_thatStartedLongBeforeTheMain_stays(long beforeMs) {
        start(Role.OVERLAY, "board");
        hub.clock.advance(Duration.ofMillis(beforeMs));

        start(Role.MAIN, "main");

        assertEquals(List.of(), hub.cuts);
    }

    @Test
    void reconnect_insideItsWindow_isNoStart() {
        Publication main = start(Role.MAIN, "main");
        hub.clock.advance(StartSpacing.GAP);
        Publication board = start(Role.OVERLAY, "board");
        hub.clock.advance(Duration.ofSeconds(20));
        main.close();
        board.close();

        start(Role.MAIN, "main again");
        start(Role.OVERLAY, "board again");

        assertEquals(List.of(), hub.cuts);
        assertTrue(hub.streams.active(Hub.STREAM, Role.OVERLAY).isPresent());
    }

    @Test
    void main_thatWasLetInAndHasSentNothing_hasStarted() {
        publish(Role.MAIN, "main");

        assertThrows(StartTooSoonException.class, () -> publish(Role.OVERLAY, "board"));
    }

    private Publication start(Role role, String name) {
        Publication publication = publish(role, name);
        Hub.send(publication, 0);
        return publication;
    }

    private Publication publish(Role role, String name) {
        return hub.streams.publish(
                new PublishRequest(
                        Hub.STREAM,
                        role,
                        Hub.WINDOW,
                        name,
                        reason -> hub.cuts.add(name + " " + reason)));
    }
}
