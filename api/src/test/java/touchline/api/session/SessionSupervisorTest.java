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
import touchline.api.domain.SessionEnd;
import touchline.ingest.PublishDecision;
import touchline.media.SessionId;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.Publication;
import touchline.packager.hls.LivePlayback;
import touchline.testing.Await;

/** Sessions of one stream, from the publisher to what viewers and clients see of them. */
@Timeout(120)
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
        Await.until(() -> !fixture.shown().isEmpty());
        fixture.breakDatabase();

        fixture.supervisor.disabler().disable(fixture.stream.id());

        Await.until(() -> fixture.cuts.equals(List.of(EndReason.DISABLED)), fixture.cuts::toString);
        assertEquals(List.of(), fixture.shown());
        fixture.mendDatabase();
        PublishDecision.Refused refused =
                assertInstanceOf(PublishDecision.Refused.class, fixture.decision());
        assertEquals(PublishDecision.Reason.DENIED, refused.reason());
        Await.until(this::isDisabled);
        Await.until(() -> fixture.events.contains("live_stream.disconnected"));
        assertEquals(
                List.of(
                        "live_stream.connected",
                        "live_stream.active",
                        "live_stream.disabled",
                        "live_stream.disconnected"),
                fixture.events);
    }

    @Test
    void disable_storedWhileAPublishIsDecided_refusesThePublish() {
        StreamKeyGate gate =
                new StreamKeyGate(
                        fixture.streams,
                        stream -> {
                            fixture.streams.setDisabled(stream, true);
                            return false;
                        },
                        _ -> false,
                        new AudioRules(Set.of()),
                        StreamAdmission.ALONE,
                        (_, _) -> {});

        assertInstanceOf(PublishDecision.Refused.class, gate.decide(fixture.stream.streamKey()));
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
        Await.until(() -> fixture.supervisor.active(fixture.stream.id()).isPresent());
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
        Await.until(() -> fixture.supervisor.active(fixture.stream.id()).isPresent());
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
            Await.until(
                    () ->
                            !fixture.shown().isEmpty()
                                    && !fixture.shown().getFirst().session().equals(before));
            last = fixture.shown().getFirst().session();
            publication.close();
        }

        Await.until(() -> fixture.shown().size() == 8);
        assertEquals(last, fixture.shown().getFirst().session());
        List<SessionId> shown = fixture.shown().stream().map(LivePlayback::session).toList();
        assertEquals(8, Set.copyOf(shown).size());
        assertFalse(isDisabled());
    }

    /** Publishes a session whose one segment is complete, since its encoder has left. */
    private SessionId publishOnce(Duration window) {
        fixture.publish(window).close();
        Await.until(
                () ->
                        !fixture.shown().isEmpty()
                                && !fixture.shown().getFirst().multivariant("").isEmpty());
        Await.until(() -> fixture.events.contains("live_stream.disconnected"));
        return fixture.shown().getFirst().session();
    }

    @Test
    void stop_withinTheReconnectWindow_leavesThePlaylistOpenAndSendsNoIdle() {
        fixture.publish(WINDOW);
        Await.until(() -> fixture.supervisor.active(fixture.stream.id()).isPresent());
        Await.until(() -> !fixture.shown().isEmpty());

        fixture.supervisor.close();

        assertEquals(List.of(EndReason.SHUTDOWN), fixture.cuts);
        assertFalse(fixture.playlist().contains("#EXT-X-ENDLIST"), fixture.playlist());
        assertTrue(fixture.shown().getFirst().multivariant("").isPresent());
        assertEquals(
                List.of("live_stream.connected", "live_stream.active", "live_stream.disconnected"),
                fixture.events);
        fixture.supervisor.closeSuspended();
        assertEquals(List.of(), fixture.shown());
    }

    @Test
    void start_withinTheReconnectWindow_showsTheSamePlaylistAndContinuesTheSession() {
        SessionId session = publishOnce(WINDOW);
        String before = fixture.playlist();
        fixture.stop(Duration.ofSeconds(4));

        fixture.startAgain();

        assertEquals(session, fixture.shown().getFirst().session());
        assertEquals(before, fixture.playlist());
        LiveStream live = fixture.supervisor.active(fixture.stream.id()).orElseThrow();
        assertEquals(session, live.session());
        assertTrue(live.disconnectedAt().isPresent());

        fixture.publish(WINDOW).close();
        Await.until(() -> fixture.playlist().contains("#EXT-X-DISCONTINUITY\n"));

        assertEquals(
                before.lines().filter(line -> line.contains("-SEQUENCE")).toList(),
                fixture.playlist().lines().filter(line -> line.contains("-SEQUENCE")).toList());
        assertTrue(fixture.playlist().startsWith(before), fixture.playlist());
        Await.until(() -> fixture.events.size() == 5);
        assertEquals(
                List.of(
                        "live_stream.connected",
                        "live_stream.active",
                        "live_stream.disconnected",
                        "live_stream.connected",
                        "live_stream.disconnected"),
                fixture.events);
    }

    @Test
    void start_withoutTheEncodersReturn_endsTheSessionAfterItsWindow() {
        SessionId session = publishOnce(WINDOW);
        fixture.stop(Duration.ofSeconds(4));
        fixture.startAgain();

        fixture.clock.advance(WINDOW.minusSeconds(4));

        Await.until(() -> fixture.events.contains("live_stream.idle"));
        assertEquals(
                SessionEnd.PUBLISHER_GONE,
                fixture.sessions.find(session).orElseThrow().end().orElseThrow().reason());
        Await.until(() -> fixture.playlist().endsWith("#EXT-X-ENDLIST\n"));
    }

    @Test
    void start_afterAnotherStop_stillContinues() {
        SessionId session = publishOnce(WINDOW);
        for (int i = 0; i < 2; i++) {
            fixture.stop(Duration.ofSeconds(10));
            fixture.startAgain();
        }

        assertEquals(session, fixture.shown().getFirst().session());
        fixture.clock.advance(WINDOW.minusSeconds(21));
        assertTrue(fixture.supervisor.active(fixture.stream.id()).isPresent());
    }

    @Test
    void stop_withoutAReconnectWindow_endsTheSession() {
        fixture.publish(Duration.ZERO);
        Await.until(() -> fixture.supervisor.active(fixture.stream.id()).isPresent());

        fixture.stop(Duration.ZERO);

        assertEquals("live_stream.idle", fixture.events.getLast());
        assertEquals(List.of(), fixture.sessions.suspended(fixture.clock.instant()));
    }
}
