package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.asset.AssetFixture;
import touchline.ingest.PublishDecision;
import touchline.media.SessionId;
import touchline.media.hub.EndReason;
import touchline.media.hub.Publication;
import touchline.packager.hls.LivePlayback;

/** Sessions of one stream, from the publisher to what viewers and clients see of them. */
@Timeout(60)
final class SessionSupervisorTest {
    private static final Duration WINDOW = Duration.ofMinutes(1);

    @TempDir private Path folder;
    private SupervisorFixture fixture;

    @BeforeEach
    void open() {
        fixture = new SupervisorFixture(folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private boolean isDisabled() {
        return fixture.streams.find(fixture.stream.id()).orElseThrow().disabled();
    }

    @Test
    void disable_whileTheDatabaseFails_cutsAndRefusesAtOnceAndIsStoredLater() throws Exception {
        fixture.publish(WINDOW);
        AssetFixture.await(() -> !fixture.shown().isEmpty());
        fixture.breakDatabase();

        fixture.supervisor.disabler().disable(fixture.stream.id());

        assertEquals(List.of(EndReason.DISABLED), fixture.cuts);
        assertEquals(List.of(), fixture.shown());
        fixture.mendDatabase();
        PublishDecision.Refused refused =
                assertInstanceOf(PublishDecision.Refused.class, fixture.decision());
        assertEquals(PublishDecision.Reason.DENIED, refused.reason());
        AssetFixture.await(this::isDisabled);
        AssetFixture.await(() -> fixture.events.contains("live_stream.disconnected"));
        assertEquals(
                List.of(
                        "live_stream.connected",
                        "live_stream.active",
                        "live_stream.disabled",
                        "live_stream.disconnected"),
                fixture.events);
    }

    @Test
    void enable_whileADisablingIsNotStored_dropsIt() throws Exception {
        fixture.breakDatabase();
        fixture.supervisor.disabler().disable(fixture.stream.id());
        fixture.supervisor.enabled(fixture.stream.id());
        fixture.mendDatabase();

        assertInstanceOf(PublishDecision.Main.class, fixture.decision());
        // The journal stores the start behind the dropped change.
        fixture.publish(WINDOW);
        AssetFixture.await(() -> fixture.supervisor.active(fixture.stream.id()).isPresent());
        assertFalse(isDisabled());
    }

    @Test
    void active_beforeItsSessionIsListed_isNotShown() {
        CountDownLatch held = fixture.holdEvents();
        fixture.publish(WINDOW);
        fixture.awaitHeldEvent();

        assertTrue(fixture.supervisor.active(fixture.stream.id()).isEmpty());
        assertEquals(Set.of(), fixture.supervisor.activeStreams());
        assertEquals(0, fixture.supervisor.activeCount());

        held.countDown();
        AssetFixture.await(() -> fixture.supervisor.active(fixture.stream.id()).isPresent());
        SessionId session = fixture.supervisor.active(fixture.stream.id()).orElseThrow().session();
        assertTrue(fixture.sessions.find(session).isPresent());
        assertEquals(Set.of(fixture.stream.id()), fixture.supervisor.activeStreams());
    }

    @Test
    void lingering_ofAFlappingEncoder_isBounded() {
        SessionId last = new SessionId("ses_none");
        for (int i = 0; i < 12; i++) {
            Publication publication = fixture.publish(Duration.ZERO);
            SessionId before = last;
            AssetFixture.await(
                    () ->
                            !fixture.shown().isEmpty()
                                    && !fixture.shown().getFirst().session().equals(before));
            last = fixture.shown().getFirst().session();
            publication.close();
        }

        AssetFixture.await(() -> fixture.shown().size() == 8);
        assertEquals(last, fixture.shown().getFirst().session());
        List<SessionId> shown = fixture.shown().stream().map(LivePlayback::session).toList();
        assertEquals(8, Set.copyOf(shown).size());
        assertFalse(isDisabled());
    }
}
