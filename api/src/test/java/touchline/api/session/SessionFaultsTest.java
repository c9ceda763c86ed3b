package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.domain.Records;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.hub.EndReason;
import touchline.media.hub.IngestReport;
import touchline.media.hub.Publication;
import touchline.testing.Await;
import touchline.testing.SyntheticStream;

/** Faults of a watched session, from its media to its events and its record. */
@Timeout(120)
final class SessionFaultsTest {
    private static final Duration WINDOW = Duration.ofMinutes(1);

    /** Its audio is silent. */
    private static final SyntheticStream MEDIA = SyntheticStream.standard().seconds(12).bFrames(0);

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

    private void watch(boolean on) {
        fixture.streams.patch(
                fixture.stream.id(), settings -> Records.with(settings, "signalWatch", on));
        fixture.supervisor.signals().changed(fixture.stream.id());
    }

    /** Starts a session and sends all media. */
    private SessionId push() {
        Publication publication = fixture.publish(WINDOW);
        for (AccessUnit unit : MEDIA.published(/* startMs= */ 0)) {
            if (unit.dtsUs() >= 1_000_000) {
                publication.write(unit);
            }
        }
        publication.flush();
        Await.until(() -> fixture.events.contains("live_stream.active"));
        // The session has looked at its settings: a later call applies them itself.
        Await.until(() -> !fixture.shown().isEmpty());
        return fixture.supervisor.active(fixture.stream.id()).orElseThrow().session();
    }

    private List<IngestReport.Warning> faults(SessionId session) {
        return fixture.sessions.find(session).orElseThrow().report().warnings().stream()
                .filter(each -> each.code().equals("audio_silent"))
                .toList();
    }

    @Test
    void fault_endsBeforeItsSession_andIsStoredWithIt() {
        watch(true);
        SessionId session = push();
        Await.until(() -> fixture.events.contains("live_stream.warning"));

        fixture.supervisor.end(fixture.stream.id(), EndReason.COMPLETED);

        Await.until(() -> fixture.events.contains("live_stream.idle"));
        assertEquals(
                List.of(
                        "live_stream.connected",
                        "live_stream.active",
                        "live_stream.warning",
                        "live_stream.warning_ended",
                        "live_stream.disconnected",
                        "live_stream.idle"),
                fixture.events);
        List<IngestReport.Warning> stored = faults(session);
        assertEquals(1, stored.size());
        assertTrue(stored.getFirst().endedAt().isPresent());
    }

    @Test
    void watch_switchedOnAndOff_whileActive_hasAndLosesItsHistory() {
        SessionId session = push();
        assertFalse(fixture.supervisor.signals().history(session).isPresent());

        watch(true);
        assertTrue(fixture.supervisor.signals().history(session).isPresent());
        watch(false);

        assertFalse(fixture.supervisor.signals().history(session).isPresent());
        assertFalse(fixture.events.contains("live_stream.warning"));
    }
}
